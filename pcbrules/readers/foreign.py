# SPDX-License-Identifier: MIT
"""What a file is that is no layout: its name, and what to do with it."""

from __future__ import annotations

import re

from pcbrules.errors import Problem, quoted

EXPORT = "save or export the layout as a KiCad board (.kicad_pcb) or as IPC-2581"

STARTS: tuple[tuple[bytes, str, str], ...] = (
    (b"(kicad_sch", "a KiCad schematic", "give the board (.kicad_pcb) beside it"),
    (b"(kicad_symbol_lib", "a KiCad symbol library", "give a board (.kicad_pcb)"),
    (b"(kicad_wks", "a KiCad drawing sheet", "give a board (.kicad_pcb)"),
    (b"(version", "KiCad design rules", "give the board (.kicad_pcb) beside them"),
    (b"(kicad_dru", "KiCad design rules", "give the board (.kicad_pcb) beside them"),
    (b"(footprint", "a KiCad footprint", "give a board (.kicad_pcb)"),
    (b"(module", "a KiCad footprint", "give a board (.kicad_pcb)"),
    (b"(export", "a KiCad netlist", "give the board (.kicad_pcb) beside it"),
    (b"(session", "a Specctra session", "import it in the CAD system and save the board"),
    (b"(pcb", "a Specctra design", "import it in the CAD system and save the board"),
    (b"PCBNEW-BOARD", "a board of KiCad before 4", "open it in KiCad and save it as .kicad_pcb"),
    (b"EESchema", "a KiCad schematic", "give the board (.kicad_pcb) beside it"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself", "fetch the file: git lfs pull"),
    (b"PK\x03\x04", "a ZIP archive (ODB++ or a package for fabrication?)", EXPORT),
    (b"\x1f\x8b", "a gzip archive (ODB++?)", EXPORT),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", "unpack it"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "unpack it"),
    (b"\xd0\xcf\x11\xe0", "an Altium document", EXPORT),
    (b"%PDF", "a PDF document", EXPORT),
    (b"\x89PNG", "a picture", EXPORT),
    (b"!PADS", "a PADS layout", EXPORT),
    (b"%FS", "a Gerber file", EXPORT),
    (b"%TF", "a Gerber file", EXPORT),
    (b"%MO", "a Gerber file", EXPORT),
    (b"G04", "a Gerber file", EXPORT),
    (b"M48", "an Excellon drill file", EXPORT),
    (b"#", "a Touchstone file or another text", EXPORT),
    (b"!", "a Touchstone file or another text", EXPORT),
    (b"<<<<<<<", "an unresolved merge conflict", "resolve it"),
    (b"\xff\xfe", "a text in UTF-16", "save it as UTF-8"),
    (b"\xfe\xff", "a text in UTF-16", "save it as UTF-8"),
    (b"schema:", "a board file of pcbrules", "write: pcbrules check FILE --profile NAME"),
    (b"{", "JSON (a KiCad project?)", "give the board (.kicad_pcb) beside it"),
)


def is_ipc2581(data: bytes) -> bool:
    """True for XML whose first element is that of IPC-2581."""
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"<") and re.search(rb"<(\w+:)?IPC-2581[\s>/]", start) is not None


def foreign(data: bytes) -> tuple[str, str]:
    """What the data are instead of a layout that can be read, and the cure; two empty texts where nobody knows."""
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"(kicad_pcb"):
        return "", ""
    if not start:
        return "an empty file", EXPORT
    if start.startswith(b"<") and not start.startswith(b"<<"):
        if is_ipc2581(start):
            return "", ""
        for word, name in ((b"eagle", "an Eagle design"), (b"<svg", "a picture"), (b"<html", "a web page")):
            if word in start:
                return name, EXPORT
        return "an XML file", EXPORT
    for begin, name, cure in STARTS:
        if start.startswith(begin):
            return name, cure
    if b"\0" in start:
        return "a binary file", EXPORT
    if start.startswith(b"("):
        return "", ""
    first = start.split(None, 1)[0][:40].decode("utf-8", "replace")
    return f"a text that begins with {quoted(first)}", EXPORT


def refusal(data: bytes, file: str) -> Problem | None:
    """Why a file is refused that is no layout; None where nobody knows."""
    name, cure = foreign(data)
    if not name:
        return None
    return Problem(file, 0, 0, "", "this is no layout that can be read", name,
                   "a KiCad board, IPC-2581, ODB++ or a Gerber job file", cure)
