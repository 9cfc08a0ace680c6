# SPDX-License-Identifier: MIT
"""Put what the gate found into a comment of the pull request (GitHub) or merge request (GitLab).

One comment a profile: it is written anew in place at each run. Only Python's own library is used. From the environment:

  PCBRULES_OUT      folder in which the gate wrote its reports [pcbrules-report]
  PCBRULES_PROFILE  tells the comments of several gates apart
  PCBRULES_TOKEN    token that may write comments (required)
  PCBRULES_PATCH    patch that `pcbrules fix` wrote [fix.patch in that folder, if there is one]
GitHub:   GITHUB_API_URL, GITHUB_REPOSITORY, PCBRULES_PULL_REQUEST (its number), PCBRULES_HEAD (its last commit)
GitLab:   CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID

The patch stands in the comment as a diff. On GitHub one of a single hunk, in lines that the request changes, is a
comment of these lines instead, with a suggestion that one click takes over.

The exit code is 0 where the comment stands or there is no request to comment on, else 1 with the reason.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

MATTERS = ("## Loosened since the baseline", "## What matters", "## What moved since the baseline")
"""The sections of a report that a reviewer reads."""

LONGEST = 60_000
"""Characters of a comment: GitHub takes 65,536."""

PAGE, PAGES = 100, 50
"""Comments that are asked for at a time, and how often: an older comment than that is not found."""

TIMEOUT = 30  # seconds

UNPROCESSABLE = 422
"""Answer of GitHub to a comment of lines that the request does not show."""


HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")

FIXED = "`pcbrules fix` proposes this change: after it nothing fails."


class Suggestion(NamedTuple):
    """New text for some lines of a file, the first and the last of them."""

    path: str
    first: int
    last: int
    lines: tuple[str, ...]

    def body(self, mark: str) -> str:
        """The comment of these lines."""
        fence = _fence(self.lines)
        return "\n".join((mark, FIXED, "", f"{fence}suggestion", *self.lines, fence, ""))


def suggestion(patch: str) -> Suggestion | None:
    """The suggestion of a patch that has one hunk; None of any other, and where a file ends without a new line."""
    lines = patch.splitlines()
    heads = [number for number, line in enumerate(lines) if HUNK.match(line)]
    if len(heads) != 1 or heads[0] < 1 or not lines[heads[0] - 1].startswith("+++ b/"):
        return None
    start, body = HUNK.match(lines[heads[0]]), lines[heads[0] + 1 :]
    changed = [number for number, line in enumerate(body) if line[:1] in ("-", "+")]
    if start is None or not changed or any(line[:1] not in ("-", "+", " ") for line in body):
        return None
    low, high = changed[0], changed[-1]
    if not any(line.startswith("-") for line in body[low : high + 1]):  # nothing to replace: take a line beside it
        low, high = (low - 1, high) if low else (low, high + 1)
        if high >= len(body):
            return None
    before = sum(not line.startswith("+") for line in body[:low])
    first = int(start[1]) + before
    length = sum(not line.startswith("+") for line in body[low : high + 1])
    new = tuple(line[1:] for line in body[low : high + 1] if not line.startswith("-"))
    return Suggestion(lines[heads[0] - 1].removeprefix("+++ b/"), first, first + length - 1, new)


def proposal(patch: str) -> str:
    """A patch as a part of the comment."""
    if not patch.strip():
        return ""
    if len(patch) > LONGEST // 2:
        return f"\n#### Proposal\n\n{FIXED} It is long: see fix.patch of the artifacts.\n"
    fence = _fence(patch.splitlines())
    return f"\n#### Proposal\n\n{FIXED} `git apply` takes it.\n\n{fence}diff\n{patch.rstrip()}\n{fence}\n"


def _fence(lines: Iterable[str]) -> str:
    """A fence that no line of the text closes."""
    return "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line)), default=0))


def body(report: str, mark: str, patch: str = "") -> str:
    """Of each board the verdict and the causes that matter, cut at the end of a line if too long; and the proposal."""
    shown = "\n".join(_parts(report)) or report
    shown = re.sub(r"^#{1,2} ", lambda head: "#" * (len(head[0]) + 1) + " ", shown, flags=re.MULTILINE)
    last = "The summary of the job holds every finding, its artifacts all reports."
    start, end = f"{mark}\n", f"\n{proposal(patch)}\n{last}\n"
    room = LONGEST - len(start) - len(end)
    if len(shown) > room:
        note = "\n\n**The comment was cut here.**"
        shown = shown[: room - len(note)].rpartition("\n")[0] + note
    return f"{start}{shown.strip()}{end}"


def _parts(report: str) -> Iterator[str]:
    """The lines above the first section that is no summary, of each board."""
    kept = True
    for line in report.splitlines():
        if line.startswith("# "):
            kept = True
        elif line.startswith("## ") and line not in MATTERS:
            kept = False
        if kept:
            yield line


class Host:
    """A site's comments of one request: where they are listed, made and changed."""

    def __init__(self, address: str, headers: Mapping[str, str], change: str, verb: str) -> None:
        self.address, self.headers, self.change, self.verb = address, headers, change, verb

    def put(self, text: str, mark: str) -> str:
        """Write the comment, in place of the one with the mark if there is one; what was done."""
        number = next((int(one["id"]) for one in self._mine(mark)), None)
        if number is None:
            self._ask("POST", self.address, {"body": text})
            return "made"
        self._ask(self.verb, f"{self.change}/{number}", {"body": text})
        return "changed"

    def place(self, wanted: Suggestion | None, mark: str, head: str) -> bool:
        """Write the comment of some lines, in place of an older one; False if the request does not show the lines."""
        text = wanted.body(mark) if wanted else ""
        kept = False
        for one in list(self._mine(mark)):
            same = wanted is not None and (one.get("body"), one.get("path"), one.get("line")) == (
                text, wanted.path, wanted.last)
            if same and not kept:
                kept = True
            else:
                self._ask("DELETE", f"{self.change}/{one['id']}")
        if wanted is None or kept:
            return kept
        lines = {"start_line": wanted.first, "start_side": "RIGHT"} if wanted.first < wanted.last else {}
        try:
            self._ask("POST", self.address, {"body": text, "commit_id": head, "path": wanted.path, "line": wanted.last,
                                             "side": "RIGHT", **lines})
        except urllib.error.HTTPError as error:
            if error.code != UNPROCESSABLE:
                raise
            return False
        return True

    def _mine(self, mark: str) -> Iterator[Mapping[str, Any]]:
        for page in range(1, PAGES + 1):
            found = self._ask("GET", f"{self.address}?per_page={PAGE}&page={page}")
            yield from (one for one in found if str(one.get("body", "")).startswith(mark))
            if len(found) < PAGE:
                break

    def _ask(self, verb: str, address: str, tree: Mapping[str, Any] | None = None) -> Any:
        data = json.dumps(tree).encode() if tree is not None else None
        request = urllib.request.Request(address, data=data, method=verb, headers={
            "Content-Type": "application/json", "User-Agent": "pcbrules", **self.headers})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return json.loads(answer.read() or b"null")


def host(env: Mapping[str, str], token: str) -> Host | None:
    """The site of a request that the environment names."""
    number, repository = env.get("PCBRULES_PULL_REQUEST", ""), env.get("GITHUB_REPOSITORY", "")
    if number.isdecimal() and repository:
        base = f"{env.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{repository}/issues"
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
        return Host(f"{base}/{number}/comments", headers, f"{base}/comments", "PATCH")
    number, project = env.get("CI_MERGE_REQUEST_IID", ""), env.get("CI_PROJECT_ID", "")
    if number.isdecimal() and project and env.get("CI_API_V4_URL"):
        notes = f"{env['CI_API_V4_URL']}/projects/{urllib.parse.quote(project, safe='')}/merge_requests/{number}/notes"
        return Host(notes, {"PRIVATE-TOKEN": token}, notes, "PUT")
    return None


def suggested(env: Mapping[str, str], token: str, mark: str, patch: str) -> bool:
    """Put a patch beside the lines that it changes; False where it has to stand in the comment."""
    keys = ("PCBRULES_PULL_REQUEST", "GITHUB_REPOSITORY", "PCBRULES_HEAD")
    number, repository, head = (env.get(key, "") for key in keys)
    if not number.isdecimal() or not repository or not re.fullmatch("[0-9a-f]{40,64}", head):
        return False
    base = f"{env.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{repository}/pulls"
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
    wanted = suggestion(patch)
    if wanted is not None and not _same_file(head, wanted.path):
        wanted = None
    return Host(f"{base}/{number}/comments", headers, f"{base}/comments", "PATCH").place(wanted, mark, head)


def _same_file(head: str, path: str) -> bool:
    """True where a file of the checkout, which may be merged with the target, is that of the request's last commit."""
    try:
        there = subprocess.run(["git", "-c", "safe.bareRepository=explicit", "show", f"{head}:./{path}"],
                               capture_output=True, check=False)
        return there.returncode == 0 and there.stdout == Path(path).read_bytes()
    except OSError:
        return False


def main(env: Mapping[str, str]) -> int:
    """Write the comment; the exit code."""
    token = env.get("PCBRULES_TOKEN", "")
    site = host(env, token)
    if site is None:
        print("no pull request or merge request: no comment is written")
        return 0
    if not token:
        print("PCBRULES_TOKEN is empty: name a token that may write comments", file=sys.stderr)
        return 1
    profile = re.sub(r"[^\w./-]|--", "", env.get("PCBRULES_PROFILE", ""))
    mark = f"<!-- pcbrules {profile} -->"
    out = Path(env.get("PCBRULES_OUT", "") or "pcbrules-report")
    file = Path(env.get("PCBRULES_PATCH", "") or out / "fix.patch")
    try:
        patch = file.read_text(encoding="utf-8") if file.is_file() else ""
        beside = suggested(env, token, f"<!-- pcbrules fix {profile} -->", patch)
        report = (out / "summary.md").read_text(encoding="utf-8")
        print(f"comment {site.put(body(report, mark, '' if beside else patch), mark)}")
    except (OSError, ValueError) as error:
        print(f"the comment cannot be written: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(os.environ))
