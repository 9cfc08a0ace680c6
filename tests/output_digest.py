# SPDX-License-Identifier: MIT
"""Digests of every output of the example boards: what a change of structure must leave as it is.

`python tests/output_digest.py` compares what this version writes (reports, studies, Touchstone files; no PDF) with the
digests in ``data/output_digest.json`` and names what differs; `--write` keeps what is written now. A commit which
changes a digest says why. The board with a rail on planes has numbers that differ by 1e-6 from processor to processor:
it is left out.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from hashlib import sha256
from math import fsum
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE / "data" / "output_digest.json"
TOUCHSTONE = re.compile(r"\.s\d+p$")
LEFT_OUT = ("sxm-accelerator-module",)


def digests() -> dict[str, str]:
    """Digest of every kind of output of every board; pictures and Touchstone files of a board together."""
    from benchmarks import board_300
    from every_output import outputs

    from pcbrules import api, reports
    from pcbrules.document import parse_yaml

    found: dict[str, str] = {}
    for folder in ("boards", "boards/faults"):
        for board in sorted((HERE.parent / folder).glob("*.yaml")):
            if board.stem in LEFT_OUT:
                continue
            parts: dict[str, list[bytes]] = {}
            path = board.relative_to(HERE.parent).as_posix()
            for name, content in outputs(path, studies=True, pages=False, files=True):
                kind = name if name.startswith(("report.", "ascii", "lines.", "channel.", "pdn.")) else "files"
                data = content if isinstance(content, bytes) else content.encode()
                parts.setdefault(kind, []).append(coarse(data) if TOUCHSTONE.search(name) else data)
            for kind, contents in parts.items():
                found[f"{board.stem} {kind}"] = _digest(contents)
    large = api.resolve(parse_yaml(board_300.board(neighbours=True).encode(), "board-300.yaml"))
    found["board-300 report.json"] = _digest([reports.text("json", [api.check(large, "training")]).encode()])
    return found


def coarse(data: bytes) -> bytes:
    """A Touchstone file by its words and the sum of its numbers: the last of their digits go with the processor."""
    words, numbers = [], []
    for line in data.splitlines():
        if line[:1] in (b"!", b"#", b"["):
            words.append(line)
        else:
            numbers += [abs(float(number)) for number in line.split()]
    return b"\n".join([*words, f"{len(numbers)} {fsum(numbers):.7g}".encode()])


def _digest(contents: list[bytes]) -> str:
    return sha256(b"\0".join(contents)).hexdigest()[:16]


def main() -> int:
    """Compare, or keep; exit code 1 where an output differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--write", action="store_true", help="keep the digests of this version")
    now = digests()
    if parser.parse_args().write:
        KEPT.write_text(json.dumps(now, indent=0) + "\n", encoding="utf-8")
        return 0
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    differing = [name for name in (*kept, *(now.keys() - kept.keys())) if kept.get(name) != now.get(name)]
    print("\n".join(f"differs: {name}" for name in differing) or f"{len(now)} outputs as before")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parent), str(HERE)]
    sys.exit(main())
