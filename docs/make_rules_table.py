# SPDX-License-Identifier: MIT
"""Write the README's table of rules from the rules. Run from anywhere: `python docs/make_rules_table.py`."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

README = HERE.parent / "README.md"
BEGIN, END = "<!-- rules: `make pages` writes this table -->\n", "<!-- end of rules -->\n"


def table() -> str:
    """Return one row a group: the id and the title of each of its rules."""
    from rule_pages import GROUPS

    from pcbrules.rules import all_rules
    from pcbrules.rules._over_spec import OVER_SPEC

    titles = {name: rule.META.title for name, rule in all_rules().items()}
    titles |= {name: title for name, (title, _) in OVER_SPEC.items()}
    rows = ["| about | rules |", "|---|---|"]
    for prefix in dict.fromkeys(name[:3] for name in [*GROUPS, *titles]):
        named = [f"{name} {title}" for name, title in titles.items() if name.startswith(prefix)]
        if named:
            rows.append(f"| {GROUPS.get(prefix, prefix)} | {'<br>'.join(named)} |")
    return "\n".join(rows) + "\n"


def renewed(text: str) -> str:
    """Return the README with the table of today."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
