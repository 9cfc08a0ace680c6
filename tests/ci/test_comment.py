# SPDX-License-Identifier: MIT
"""The comment of a pull request, against a site in this process that keeps comments as GitHub and GitLab do."""

from __future__ import annotations

import difflib
import ipaddress
import json
import os
import runpy
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

COMMENT = Path(__file__).resolve().parents[2] / "ci" / "comment.py"
LOOP = str(ipaddress.IPv4Address(socket.INADDR_LOOPBACK))
REPORT = "# pcbrules: `a` under profile `edge` 1.0\n\n**FAIL: 1 error (exit code 1)**\n\n## What matters\n\n| a |\n\n"
REPORT += "## Findings\n\ndetail\n"


class Site(ThreadingHTTPServer):
    """Comments by number, those of lines apart, and every request as verb, path and headers.

    A comment of a line above ``shown`` is refused: the request does not show that line.
    """

    comments: dict[int, str]
    beside: dict[int, dict[str, Any]]
    shown: int
    asked: list[tuple[str, str, dict[str, str]]]


class Handler(BaseHTTPRequestHandler):
    server: Site

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self, tree: Any, code: int = 200) -> None:
        data = json.dumps(tree).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self.server.asked.append(("GET", self.path, dict(self.headers)))
        page = int(self.path.rpartition("page=")[2]) - 1
        found: list[dict[str, Any]] = [{"id": number, "body": text}
                                       for number, text in sorted(self.server.comments.items())]
        if "/pulls/" in self.path:
            found = [{"id": number, **tree} for number, tree in sorted(self.server.beside.items())]
        self._answer(found[100 * page : 100 * page + 100])

    def _written(self) -> None:
        self.server.asked.append((self.command, self.path, dict(self.headers)))
        tree = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = tree["body"]
        if "/pulls/" in self.path:
            if tree["line"] <= self.server.shown:
                self.server.beside[len(self.server.asked)] = tree
            self._answer({}, 201 if tree["line"] <= self.server.shown else 422)
            return
        if len(text) > 65_536:
            self._answer({"message": "too long"}, 422)
            return
        last = self.path.rpartition("/")[2]
        self.server.comments[int(last) if last.isdecimal() else len(self.server.comments) + 1] = text
        self._answer({})

    def do_DELETE(self) -> None:
        self.server.asked.append(("DELETE", self.path, dict(self.headers)))
        del self.server.beside[int(self.path.rpartition("/")[2])]
        self.send_response(204)
        self.end_headers()

    do_POST = do_PATCH = do_PUT = _written


@pytest.fixture
def site() -> Iterator[Site]:
    with Site((LOOP, 0), Handler) as made:
        made.comments, made.beside, made.shown, made.asked = {}, {}, 1000, []
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture(params=["github", "gitlab"])
def place(request: pytest.FixtureRequest, site: Site) -> dict[str, str]:
    """The environment of a job of a request."""
    base = f"http://{LOOP}:{site.server_port}"
    if request.param == "github":
        return {"GITHUB_API_URL": base, "GITHUB_REPOSITORY": "o/r", "PCBRULES_PULL_REQUEST": "7"}
    return {"CI_API_V4_URL": base, "CI_PROJECT_ID": "12", "CI_MERGE_REQUEST_IID": "7"}


def comment(
    folder: Path, report: str = REPORT, cwd: Path | None = None, **given: str
) -> subprocess.CompletedProcess[str]:
    (folder / "summary.md").write_text(report, encoding="utf-8")
    named = ("GITHUB_", "CI_", "PCBRULES_")
    env = {key: value for key, value in os.environ.items() if not key.startswith(named)}
    return subprocess.run([sys.executable, "-I", str(COMMENT)], capture_output=True, text=True, check=False, timeout=60,
                          cwd=cwd,
                          env={**env, "PCBRULES_OUT": str(folder), "PCBRULES_TOKEN": "secret",
                               "PCBRULES_PROFILE": "edge", **given})


def test_it_is_made_once_and_changed_in_place(site: Site, place: dict[str, str], tmp_path: Path) -> None:
    """Behind a hundred comments of others, one of which quotes it; a gate of another profile has its own."""
    site.comments |= dict.fromkeys(range(1, 121), "> <!-- pcbrules edge -->\nwhat is this?")
    assert comment(tmp_path, **place).stdout == "comment made\n"
    assert comment(tmp_path, REPORT.replace("1 error", "2 errors"), **place).stdout == "comment changed\n"
    assert comment(tmp_path, **{**place, "PCBRULES_PROFILE": "training"}).stdout == "comment made\n"
    mine = [text for text in site.comments.values() if text.startswith("<!--")]
    assert len(mine) == 2 and "**FAIL: 2 errors (exit code 1)**" in mine[0]
    verbs = [verb for verb, _, _ in site.asked if verb != "GET"]
    assert verbs[0] == "POST" and verbs[1] in ("PATCH", "PUT") and verbs[2] == "POST"
    headers = {key.title(): value for key, value in site.asked[0][2].items()}
    assert headers.get("Authorization") == "Bearer secret" or headers.get("Private-Token") == "secret"


def test_a_long_report_is_cut_at_a_line(site: Site, place: dict[str, str], tmp_path: Path) -> None:
    comment(tmp_path, REPORT + "| row |\n" * 50_000, **place)
    (text,) = site.comments.values()
    assert len(text) < 500 and "| row |" not in text, "what stands below the causes is left to the job"
    comment(tmp_path, REPORT.replace("| a |\n", "| row |\n" * 50_000, 1), **place)
    (text,) = site.comments.values()
    assert 50_000 < len(text) <= 60_000 and "| row |\n\n**The comment was cut here.**" in text


def test_the_causes_of_each_board_are_the_comment() -> None:
    namespace = runpy.run_path(str(COMMENT))
    text = namespace["body"](f"note above\n\n{REPORT}\n---\n\n{REPORT.replace('`a`', '`b`')}", "<!-- m -->")
    assert text.startswith("<!-- m -->\nnote above\n\n### pcbrules: `a` under") and text.count("| a |") == 2
    assert text.count("**FAIL: 1 error (exit code 1)**") == 2 and "### pcbrules: `b`" in text
    assert "#### What matters" in text and "Findings" not in text and "detail" not in text


def test_without_a_request_nothing_is_written(tmp_path: Path) -> None:
    done = comment(tmp_path)
    assert done.returncode == 0 and "no comment is written" in done.stdout


def test_what_is_refused_is_told_without_the_token(site: Site, place: dict[str, str], tmp_path: Path) -> None:
    done = comment(tmp_path, **{**place, "PCBRULES_TOKEN": ""})
    assert done.returncode == 1 and "PCBRULES_TOKEN is empty" in done.stderr and not site.asked
    nowhere = {key: f"http://{LOOP}:9" if "URL" in key else value for key, value in place.items()}
    done = comment(tmp_path, **nowhere)
    assert done.returncode == 1 and "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr and "secret" not in done.stderr


BEFORE = "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\n"
PATCH = """--- a/boards/x.yaml
+++ b/boards/x.yaml
@@ -1,7 +1,7 @@
 a: 1
 b: 2
 c: 3
-d: 4
+d: 40  # `why`
 e: 5
 f: 6
 g: 7
"""


@pytest.fixture
def checkout(tmp_path: Path) -> tuple[Path, str]:
    """A checkout with a board file, and its commit."""
    folder = tmp_path / "repo"
    (folder / "boards").mkdir(parents=True)
    (folder / "boards" / "x.yaml").write_text(BEFORE, encoding="utf-8")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@e", "-c", "commit.gpgsign=false"]
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "x")):
        subprocess.run([*git, *words], cwd=folder, check=True, capture_output=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True)
    return folder, head.stdout.strip()


def test_a_patch_of_one_hunk_is_a_suggestion_beside_its_lines(
    site: Site, place: dict[str, str], tmp_path: Path, checkout: tuple[Path, str]
) -> None:
    """Written once, anew where it changes, and taken away where there is none; else a diff in the comment."""
    folder, head = checkout
    given = {**place, "PCBRULES_HEAD": head}
    (tmp_path / "fix.patch").write_text(PATCH, encoding="utf-8")
    for _ in range(2):
        done = comment(tmp_path, cwd=folder, **given)
        assert done.returncode == 0, done.stderr
    (text,) = site.comments.values()
    if "GITHUB_REPOSITORY" not in place:
        assert "```diff\n--- a/boards/x.yaml\n" in text and not site.beside
        return
    (one,) = site.beside.values()
    assert (one["path"], one["line"], one["commit_id"], one["side"]) == ("boards/x.yaml", 4, head, "RIGHT")
    assert "start_line" not in one and one["body"].endswith("\n\n```suggestion\nd: 40  # `why`\n```\n")
    assert "```diff" not in text and len([verb for verb, _, _ in site.asked if verb == "POST"]) == 2
    (tmp_path / "fix.patch").write_text(PATCH.replace("+d: 40", "+d: 41"), encoding="utf-8")
    comment(tmp_path, cwd=folder, **given)
    assert ["d: 41" in one["body"] for one in site.beside.values()] == [True]
    site.shown = 3
    comment(tmp_path, cwd=folder, **given)
    assert len(site.beside) == 1, "the same comment stays"
    (tmp_path / "fix.patch").write_text(PATCH, encoding="utf-8")
    assert comment(tmp_path, cwd=folder, **given).returncode == 0
    (text,) = site.comments.values()
    assert not site.beside and "+d: 40  # `why`" in text and "`git apply` takes it" in text
    site.shown = 1000
    comment(tmp_path, cwd=folder, **given)
    assert len(site.beside) == 1
    (folder / "boards" / "x.yaml").write_text("zero: 0\n" + BEFORE, encoding="utf-8")
    comment(tmp_path, cwd=folder, **given)
    assert not site.beside, "the checkout is merged: its lines are not those of the request"
    (tmp_path / "fix.patch").unlink()
    comment(tmp_path, cwd=folder, **given)
    assert "#### Proposal" not in next(iter(site.comments.values()))


@pytest.mark.parametrize(("old", "new"), [
    (BEFORE, BEFORE.replace("d: 4\n", "d: 4\nx: 1\n")),
    (BEFORE, BEFORE.replace("d: 4\n", "")),
    (BEFORE, f"x: 1\n{BEFORE}"),
    (BEFORE, f"{BEFORE}x: 1\n"),
    (BEFORE, BEFORE.replace("b: 2", "b: 3").replace("d: 4", "d: 5\ny: 1")),
    (BEFORE, BEFORE.replace("a: 1\n", "").replace("c: 3", "c: ````")),
])
def test_a_suggestion_gives_what_the_patch_gives(old: str, new: str) -> None:
    patch = "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "a/b.yaml", "b/b.yaml"))
    made = runpy.run_path(str(COMMENT))["suggestion"](patch)
    lines = old.splitlines()
    lines[made.first - 1 : made.last] = made.lines
    assert lines == new.splitlines() and made.path == "b.yaml"
    fence = made.body("m").splitlines()[-1]
    assert not any(line.startswith(fence) for line in made.lines)


@pytest.mark.parametrize("patch", ["", "no patch", PATCH * 2, PATCH + "\\ No newline at end of file\n",
                                   PATCH.replace("+++ b/boards/x.yaml\n", "")])
def test_any_other_patch_is_no_suggestion(patch: str) -> None:
    assert runpy.run_path(str(COMMENT))["suggestion"](patch) is None


def test_a_proposal_leaves_room_for_the_report() -> None:
    body = runpy.run_path(str(COMMENT))["body"]
    text = body(REPORT.replace("| a |\n", "| row |\n" * 50_000, 1), "<!-- m -->", PATCH)
    assert len(text) <= 60_000 and "d: 40" in text and "**The comment was cut here.**" in text
    text = body(REPORT, "<!-- m -->", PATCH * 5000)
    assert len(text) < 1000 and "see fix.patch of the artifacts" in text
