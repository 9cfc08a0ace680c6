# SPDX-License-Identifier: MIT
"""Write docs/validation.md and what reports show of it: the self-test's errors against their tolerances.

Run from the checkout's root.

    python docs/make_validation.py
"""

from __future__ import annotations

from pathlib import Path

from pcbrules.selftest import golden, recorded, runner
from pcbrules.selftest.kinds import resistance_inductance

PAGE = Path(__file__).resolve().parent / "validation.md"
DATA = PAGE.parents[1] / "pcbrules" / "selftest" / "data" / recorded.NAME
SMALLEST = 1e-8
"""Errors below this are the printed digits of the reference, and are shown as such [-]."""


def validation(made: runner.Outcome) -> str:
    """Median and worst error per quantity and kind against the tolerance."""
    lines = [
        "# Validation",
        "",
        "Made by `python docs/make_validation.py` from what `pcbrules selftest` computes; a test holds it to the code.",
        "The reference values (shipped in `pcbrules/selftest/data`) were computed independently of this project:",
        "finite elements of high order, exact formulas, a circuit simulator. They are a sample of each kind; random",
        "sections stand in [proof](physics/proof.md). `pcbrules selftest` prints every case.",
        "",
        "Errors are relative (matrix entries: to the geometric mean of the diagonals) and rounded up to one digit.",
        "Below 1e-8 the printed digits of the reference decide.",
        "",
        "## By quantity",
        "",
        "| model | quantity | cases | median | worst | tolerance |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for one in made.by_quantity():
        lines.append(
            f"| {one.group} | {one.what} | {one.cases} | {digit(one.median)} | {digit(one.worst)} | {one.limit:g} |"
        )
    lines += [
        "",
        "## By kind of case",
        "",
        "The error that comes nearest to its tolerance, as a part of the tolerance.",
        "",
        "| model | kind | cases | median | worst |",
        "|---|---|---:|---:|---:|",
    ]
    for one in made.by_kind():
        kind = runner.plain(one.what).replace("-", " ")
        lines.append(f"| {one.group} | {kind} | {one.cases} | {share(one.median)} | {share(one.worst)} |")
    lines += [
        "",
        "## Resistance and inductance over frequency",
        "",
        "The worst of all matrix entries and modes of the nine cases.",
        "",
        "| | resistance | inductance |",
        "|---|---:|---:|",
    ]
    for at, (resistance, inductance) in over_frequency().items():
        lines.append(f"| {at} | {digit(resistance)} | {digit(inductance)} |")
    bad = sum(case.status is not runner.CaseStatus.OK for case in made.cases)
    lines += ["", f"{len(made.cases)} cases, {bad} outside the tolerance or not evaluated.", ""]
    return "\n".join(lines)


def over_frequency() -> dict[str, list[float]]:
    """Worst error of R and of L at every frequency of the golden tables."""
    found: dict[str, list[float]] = {}
    for entry in golden.shipped():
        if resistance_inductance.reads(entry.data):
            for one in resistance_inductance.deviations(entry, golden.shipped()):
                if one.quantity in ("resistance", "inductance"):
                    row = found.setdefault(one.name.partition(" at ")[2].partition("[")[0], [0.0, 0.0])
                    column = int(one.quantity == "inductance")
                    row[column] = max(row[column], one.error)
    return found


def digit(error: float) -> str:
    """An error, rounded up to one significant digit."""
    return f"{recorded.rounded_up(error):.0e}".replace("e-0", "e-") if error >= SMALLEST else "< 1e-8"


def share(part: float) -> str:
    """A part of a tolerance in per cent, rounded up to one significant digit."""
    return f"{recorded.rounded_up(100 * part):g} %" if part >= 1e-3 else "< 0.1 %"


def main() -> None:
    """Write the page and the data."""
    made = runner.run(golden.shipped())
    PAGE.write_text(validation(made), encoding="utf-8", newline="\n")
    DATA.write_text(recorded.written(recorded.worst_errors(made)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
