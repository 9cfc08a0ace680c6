# SPDX-License-Identifier: MIT
"""The revision of a design as `check --revision` asks for it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pcbrules.errors import clip

if TYPE_CHECKING:
    from pcbrules.results.report import Report

GIT = "git"
"""The word that asks for the commit."""

TIMEOUT = 20  # seconds


def revision_of(report: Report, file: str, asked: str) -> str:
    """Return the revision: the text itself, or what the board file declares with the commit that holds the file."""
    if asked != GIT:
        if not asked.strip() or len(asked) > 500:
            raise click.UsageError("--revision takes a text of 1 to 500 characters, or git.")
        return asked.strip()
    commit = _commit(Path(file))
    return f"{report.revision}, commit {commit}" if report.revision else f"commit {commit}"


def _commit(file: Path) -> str:
    """The commit that is checked out in the folder of a file, and whether the file differs from it."""
    folder = file.resolve().parent
    try:
        commit = _git(folder, "rev-parse", "--short=12", "HEAD")
        changed = _git(folder, "status", "--porcelain", "--", file.name)
    except (OSError, subprocess.SubprocessError):
        raise click.UsageError(f"--revision git: '{clip(str(file), 80)}' lies in no git checkout that has a commit. "
                               "Write the revision itself.") from None
    return f"{commit}, file changed since" if changed else commit


def _git(folder: Path, *words: str) -> str:
    """Run git; the settings of a repository that lies among the files of a folder are not its settings."""
    safe = ("-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit")
    done = subprocess.run(["git", *safe, *words], cwd=folder, capture_output=True, text=True, check=True,
                          timeout=TIMEOUT)
    return done.stdout.strip()
