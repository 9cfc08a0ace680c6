# SPDX-License-Identifier: MIT
"""The reference of the board file: one page a section, with an example; and the units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import board_keys
import reading_places
from board_keys import Group
from markup import code, table

from pcbrules.unit_table import TABLE

FOLDER = "reference/board-file"
SECTIONS = {
    "board": "Name, platform, form factor, size and thickness.",
    "fabrication": "Fabrication class, tolerances, and what your fabricator agrees to.",
    "materials": "Laminates, foils and link standards of your own.",
    "stackup": "Every layer from top to bottom.",
    "via_types": "The plated holes, with backdrills and ground vias.",
    "links": "High-speed links: the standard, the lanes, and the path from end to end.",
    "rails": "Power rails: load, regulator, planes and capacitors.",
    "thermal": "Cooling, thermal interface, thermal vias.",
    "power": "Supplies, power of the system, inlets of a card.",
    "system": "Accelerators, components, rack.",
    "evidence": "Documents behind what is called tested.",
}
WHERE = (
    "Where KiCad, Altium, Allegro and Xpedition show a value, as far as their public pages say it. What a layout does "
    "not hold has another source. [Check a layout](../../how-to/check_a_layout.md) reads most of the rest by itself."
)
LEAD = """# Board file

A board is described in one YAML file. Its first key is `schema: 1`; then come the sections below, in any order.
`pcbrules init --profile training` writes a commented file to start from, `pcbrules schema board` a JSON Schema with
which an editor completes the keys.

- A quantity is a text with its unit: `4.5 mil`, `16 GHz`, `5 %`. A bare number where a unit is due is an error.
- Where a tolerance makes sense it may follow: `4.5 mil +- 10 %`, `76 um +- 8 um`.
- Every number has a range of what is possible: beyond it lies nothing that is built, and the file is refused with the
  unit that was likely meant (`0.47 F` for `0.47 uF`, a bare `7` for `7 %`). Within it the *usual* range stands with
  each key below; a number outside of that is warned of.
- Names are made of letters, digits, `_`, `+`, `-` and points within, such as KiCad's `F.Cu`. In a path, a subject or a
  waiver a name with a point stands in brackets: `links.up['F.Cu']`. `*` in a path stands for a name that you choose,
  `[]` for an item of a list.
- An absent section is *not evaluated* by the rules that need it. An empty one (`rails: {}`) says that the board has
  nothing of the kind: *not applicable*.
- Unknown keys, doubled keys and wrong units are errors. Each is reported with its line and column, all in one run.
"""


def pages() -> dict[str, str]:
    """The pages of all sections and their index."""
    names = [name for name in board_keys.schema()["properties"] if name != "schema"]
    return {f"{FOLDER}/index.md": _index(names), **{f"{FOLDER}/{name}.md": _page(name) for name in names}}


def key_table(paths: Iterable[str], folder: str = "") -> str:
    """Keys that a rule reads, with links to their places; ``folder`` leads to the pages of the reference."""
    rows = []
    for path in paths:
        found, group = board_keys.find(path), board_keys.group_of(path)
        if path in SECTIONS or not (found or group):
            section = path.split(".")[0].split("[")[0]
            rows.append([f"[`{path}`]({folder}{section}.md)", SECTIONS.get(section, ""), ""])
            continue
        home = group or found[0][0]
        key = found[0][1] if found else None
        meaning = (key.meaning if key else "") or (group.meaning if group else "")
        rows.append([f"[`{path}`]({folder}{home.section}.md#{home.label})", meaning, code(key.example if key else "")])
    return table(["Key", "Meaning", "Example"], rows)


def _index(names: list[str]) -> str:
    rows = [[f"[`{name}`]({name}.md)", SECTIONS.get(name, "")] for name in names]
    units = [
        [name.replace("_", " "), ", ".join(map(code, dimension.shown)), dimension.examples.replace("'", "`")]
        for name, dimension in TABLE.items()
        if dimension.units
    ]
    return "\n".join([
        LEAD,
        "## Sections\n", table(["Section", "Holds"], rows),
        "## Units\n",
        "`µ`, `Ω` and `°` are read in every spelling, and prefixes such as `u`, `m`, `k`, `M`, `G` where they make "
        "sense. One ounce of copper is taken as 35 µm.\n",
        table(["Quantity", "Units", "Examples"], units),
        "## Where to read a value\n",
        "Each section ends with a table that says where layout tools show its values, by the public pages of their "
        "makers; for Xpedition none was found.\n",
        "\n".join(f"- {source}" for source in reading_places.data()["sources"]) + "\n",
        "```{toctree}\n:hidden:\n", *names, "```\n",
    ])


def _page(name: str) -> str:
    lines = [f"# {name}\n", f"{SECTIONS.get(name, '')}\n"]
    example = section_example(name)
    if example:
        lines += [f"```yaml\n{example}\n```\n"]
    for group in board_keys.groups():
        if group.section == name:
            lines += [f"({group.label})=\n## {group.title}\n", f"{group.meaning}\n" if group.meaning else "",
                      _keys(group)]
    lines += ["## Where to read it\n", f"{WHERE}\n", reading_places.reading_table(name)]
    return "\n".join(line for line in lines if line)


def _keys(group: Group) -> str:
    rules = board_keys.readers()
    rows = []
    for key in group.keys:
        name = f"`{key.path.removeprefix(f'{group.path}.')}`" + (" **required**" if key.required else "")
        below = board_keys.group_of(key.path)
        form = f"[{key.form}](#{below.label})" if below and "](" not in key.form else key.form
        read = ", ".join(f"[{rule}](../../rules/{rule}.md)" for rule in rules.get(key.path, ()))
        rows.append([name, key.meaning, form, code(key.example), read])
    return table(["Key", "Meaning", "Form", "Example", "Rules"], rows)


def section_example(name: str) -> str:
    """The section as a shipped file writes it; of named entries the first one."""
    for text in board_keys.shipped():
        lines = text.splitlines()
        if f"{name}:" not in {line.split(" #")[0].rstrip() for line in lines} and not _on_one_line(lines, name):
            continue
        start = next(i for i, line in enumerate(lines) if line.startswith(f"{name}:"))
        end = next((i for i in range(start + 1, len(lines)) if lines[i][:1] not in (" ", "-", "#", "")), len(lines))
        return "\n".join(_first_entry(name, [line for line in lines[start:end] if line.strip()]))
    return ""


def _on_one_line(lines: list[str], name: str) -> bool:
    return any(line.startswith(f"{name}: {{") and not line.startswith(f"{name}: {{}}") for line in lines)


def _first_entry(name: str, lines: list[str]) -> Iterator[str]:
    """The lines of a section, without comments of their own and what belongs to a second entry."""
    named = name in ("via_types", "links", "rails", "evidence")
    entries = 0
    for line in lines:
        if line.lstrip().startswith("#"):
            continue
        entries += named and len(line) - len(line.lstrip()) == 2
        if entries <= 1:
            yield line
