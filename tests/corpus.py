# SPDX-License-Identifier: MIT
"""Read and check every layout of a folder and print a table: what came out, or why it was refused, time and memory.

`make corpus DIR=folder`, or `python tests/corpus.py FOLDER`. The check is by the profile edge, with the links that
`init --from` proposes; nothing else is decided, so much is open. Every file has a process of its own, so that a crash,
or memory that is not declared back, belongs to its file. Ends with 1 where one crashed.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

from pcbrules.api import check
from pcbrules.api._layouts import LayoutDocument, layout_document
from pcbrules.api._loaded import _resolved
from pcbrules.document import parse_yaml
from pcbrules.errors import InputError
from pcbrules.layout.drawn_pairs import drawn_pairs
from pcbrules.layout.layout import Layout
from pcbrules.layout.routes import NoRoute
from pcbrules.readers.layout_file import digest, read_layout
from pcbrules.results.report import Report
from pcbrules.studies.overlay_text import overlay_text

ENDINGS = {".kicad_pcb", ".xml", ".cvg", ".tgz", ".tar", ".zip", ".gbrjob"}
"""Layouts, among them those of formats that have no reader yet: they are refused by their names."""

HEAD = (f"{'read s':>7} {'check s':>7} {'MB':>5} {'tracks':>7} {'vias':>6} {'pairs':>6} {'legs':>5} {'told':>5} "
        f"{'links':>5} {'lost':>5} {'fail':>5} {'open':>5} {'pass':>5}  file")


def line(path: Path, name: str) -> str:
    """One row: CPU time; tracks, vias, routed pairs, their legs with a length from pad to pad, remarks; links and those
    that are incomplete, findings by status.
    """
    begin = time.process_time()
    try:
        layout = read_layout(path, name)
    except InputError as error:
        first = error.problems[0]
        return f"{'refused':>{len(HEAD) - 6}}  {name}: {first.message}; found {first.found}"
    pairs = [pair for pair in drawn_pairs(layout) if pair.routed]
    legs = sum(not isinstance(leg.length, NoRoute) for pair in pairs for leg in (pair.p, pair.n))
    used = time.process_time() - begin
    seen = checked(layout, digest(path))
    after = time.process_time() - begin - used
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return (f"{used:7.2f} {after:7.2f} {memory:5} {len(layout.tracks):7} {len(layout.vias):6} {len(pairs):6} {legs:5} "
            f"{len(layout.told):5} {seen}  {name}")


def proposed(layout: Layout) -> str:
    """The overlay that is proposed, with its links but those that ask for more than a yes."""
    return re.sub(r"(?m)^(  )#\? (?=\w+: {standard(?!.*(?:'\?'|\? pF)))", r"\1", overlay_text(layout))


def judged(layout: Layout, sha256: str, overlay: str) -> tuple[LayoutDocument, Report]:
    """A layout under an overlay, and what the profile edge says of it. Raises InputError."""
    made = layout_document(layout, sha256, parse_yaml(overlay.encode(), "overlay.yaml"))
    report = check(_resolved(made), "edge", fixes=False)
    assert not report.counts()["crashed"], [one.message for one in report.findings if one.status == "crashed"]
    return made, report


def checked(layout: Layout, sha256: str) -> str:
    """Links, incomplete ones, and findings of a check with the proposed links; the fault where it is no board."""
    try:
        made, report = judged(layout, sha256, proposed(layout))
    except InputError as error:
        return f"no board: {error.problems[0].text()}"
    counts = report.counts()
    lost = len({one.subject for one in made.unread})
    return (f"{len(made.document.get(('links',), None) or ()):5} {lost:5} {counts['fail']:5} "
            f"{counts['not-evaluated']:5} {counts['pass'] + counts['marginal']:5}")


def main() -> int:
    """Read the files of a folder, or one file for the row of the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--one", metavar="NAME", help="print the row of this file of the folder")
    given = parser.parse_args()
    if given.one:
        print(line(given.folder / given.one, given.one))
        return 0
    crashed = 0
    print(HEAD)
    for path in sorted(given.folder.rglob("*")):
        if path.suffix.lower() in ENDINGS and path.is_file():
            name = path.relative_to(given.folder).as_posix()
            done = subprocess.run([sys.executable, __file__, str(given.folder), "--one", name], capture_output=True,
                                  text=True, check=False)
            crashed += done.returncode != 0
            print(done.stdout.rstrip() if done.returncode == 0 else f"CRASH  {name}: {done.stderr[-200:]}", flush=True)
    return 1 if crashed else 0


if __name__ == "__main__":
    sys.exit(main())
