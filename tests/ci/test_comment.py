# SPDX-License-Identifier: MIT
"""The comment of a pull request, against a site in this process that keeps comments as GitHub and GitLab do."""

from __future__ import annotations

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
    """Comments by number, and every request as verb, path and headers."""

    comments: dict[int, str]
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
        found = [{"id": number, "body": text} for number, text in sorted(self.server.comments.items())]
        self._answer(found[100 * page : 100 * page + 100])

    def _written(self) -> None:
        self.server.asked.append((self.command, self.path, dict(self.headers)))
        text = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        if len(text) > 65_536:
            self._answer({"message": "too long"}, 422)
            return
        last = self.path.rpartition("/")[2]
        self.server.comments[int(last) if last.isdecimal() else len(self.server.comments) + 1] = text
        self._answer({})

    do_POST = do_PATCH = do_PUT = _written


@pytest.fixture
def site() -> Iterator[Site]:
    with Site((LOOP, 0), Handler) as made:
        made.comments, made.asked = {}, []
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


def comment(folder: Path, report: str = REPORT, **given: str) -> subprocess.CompletedProcess[str]:
    (folder / "summary.md").write_text(report, encoding="utf-8")
    named = ("GITHUB_", "CI_", "PCBRULES_")
    env = {key: value for key, value in os.environ.items() if not key.startswith(named)}
    return subprocess.run([sys.executable, "-I", str(COMMENT)], capture_output=True, text=True, check=False, timeout=60,
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
