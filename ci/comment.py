# SPDX-License-Identifier: MIT
"""Put what the gate found into a comment of the pull request (GitHub) or merge request (GitLab).

One comment a profile: it is written anew in place at each run. Only Python's own library is used. From the environment:

  PCBRULES_OUT      folder in which the gate wrote its reports [pcbrules-report]
  PCBRULES_PROFILE  tells the comments of several gates apart
  PCBRULES_TOKEN    token that may write comments (required)
GitHub:   GITHUB_API_URL, GITHUB_REPOSITORY, PCBRULES_PULL_REQUEST (its number)
GitLab:   CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID

The exit code is 0 where the comment stands or there is no request to comment on, else 1 with the reason.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

MATTERS = ("## Loosened since the baseline", "## What matters")
"""The sections of a report that a reviewer reads."""

LONGEST = 60_000
"""Characters of a comment: GitHub takes 65,536."""

PAGE, PAGES = 100, 50
"""Comments that are asked for at a time, and how often: an older comment than that is not found."""

TIMEOUT = 30  # seconds


def body(report: str, mark: str) -> str:
    """Of each board the verdict and the causes that matter; a comment that is too long is cut at the end of a line."""
    shown = "\n".join(_parts(report)) or report
    shown = re.sub(r"^#{1,2} ", lambda head: "#" * (len(head[0]) + 1) + " ", shown, flags=re.MULTILINE)
    start, end = f"{mark}\n", "\n\nThe summary of the job holds every finding, its artifacts all reports.\n"
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
        number = self._number(mark)
        if number is None:
            self._ask("POST", self.address, {"body": text})
            return "made"
        self._ask(self.verb, f"{self.change}/{number}", {"body": text})
        return "changed"

    def _number(self, mark: str) -> int | None:
        for page in range(1, PAGES + 1):
            found = self._ask("GET", f"{self.address}?per_page={PAGE}&page={page}")
            for one in found:
                if str(one.get("body", "")).startswith(mark):
                    return int(one["id"])
            if len(found) < PAGE:
                break
        return None

    def _ask(self, verb: str, address: str, tree: Mapping[str, str] | None = None) -> Any:
        data = json.dumps(tree).encode() if tree is not None else None
        request = urllib.request.Request(address, data=data, method=verb, headers={
            "Content-Type": "application/json", "User-Agent": "pcbrules", **self.headers})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return json.load(answer)


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
    summary = Path(env.get("PCBRULES_OUT", "") or "pcbrules-report") / "summary.md"
    try:
        print(f"comment {site.put(body(summary.read_text(encoding='utf-8'), mark), mark)}")
    except (OSError, ValueError) as error:
        print(f"the comment cannot be written: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(os.environ))
