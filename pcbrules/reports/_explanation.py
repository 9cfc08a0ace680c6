# SPDX-License-Identifier: MIT
"""Findings explained: the number, its limit, its inputs, its formula and the steps to it; for people and programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pcbrules.errors import clip, escape
from pcbrules.phrases import uncommanded
from pcbrules.reports._numbers import nine, texts
from pcbrules.reports._text import SHAPE, WORD, lead, place, shape, source_text, to_ascii, wrap
from pcbrules.reports.json_report import finding_tree, where_tree
from pcbrules.results.derivation import Step
from pcbrules.results.explanation import Explanation
from pcbrules.results.margin_share import is_word
from pcbrules.results.program_text import dump
from pcbrules.results.report import SCHEMA_VERSION
from pcbrules.symbols import signs
from pcbrules.ties import ordered
from pcbrules.units import convert, show
from pcbrules.version import VERSION

WIDTH = 80
_LABEL = 13  # columns of a label with the blanks around it
_WRITTEN = 200  # characters of an input that are repeated


def console(title: str, board: str, found: Sequence[Explanation], *, ascii_only: bool) -> str:
    """Explain findings; those of several profiles that rest on the same number share its inputs and steps.

    Profiles that say the same of it are told once.
    """
    lines = [*_text(f"{title}: {board}", hang=2), ""]
    for group in _groups(found):
        first = group[0]
        told: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
        for one in group:
            told.setdefault((tuple(_head(one)), tuple(_verdict(one))), []).append(one.profile)
        for (head, verdict), profiles in told.items():
            lines += [*head, *_field("profile", ", ".join(dict.fromkeys(profiles))), *verdict]
        lines += _number(first)
        lines.append("")
    return _finished(lines, ascii_only)


def console_subjects(title: str, board: str, found: Sequence[Explanation], *, ascii_only: bool) -> str:
    """The subjects of a rule with their status, one line each and one block for all profiles that say the same."""
    lines = [*_text(f"{title}: {board}", hang=2), ""]
    blocks: dict[tuple[str, ...], list[str]] = {}
    for profile in dict.fromkeys(one.profile for one in found):
        mine = [one.finding for one in found if one.profile == profile]
        block: list[str] = []
        for finding in ordered(mine, key=lambda f: f.subject):
            status = f"{SHAPE[finding.status]} {WORD[finding.status]}".ljust(18)
            block += wrap(escape(finding.subject), WIDTH, f"  {status}", " " * 20)
        blocks.setdefault(tuple(block), []).append(profile)
    for told, profiles in blocks.items():
        lines += [f"{', '.join(profiles)}:", *told, ""]
    lines += _text("Add --subject SUBJECT for inputs, formula and steps.")
    return _finished(lines, ascii_only)


def json_text(rule: str, title: str, board: str, found: Sequence[Explanation], *, steps: bool) -> str:
    """The same for programs; without ``steps`` the subjects alone. Step values are in their unit, on 9 digits."""
    return dump(
        {
            "schema_version": SCHEMA_VERSION,
            "tool": {"name": "pcbrules", "version": VERSION},
            "rule": rule,
            "title": title,
            "board": board,
            "explanations": [_tree(one) if steps else _brief(one) for one in found],
        },
        ascii_only=False,
    )


def _brief(one: Explanation) -> dict[str, Any]:
    return {"profile": one.profile, "subject": one.finding.subject, "status": one.finding.status.value}


def _tree(one: Explanation) -> dict[str, Any]:
    made = one.derivation
    return {
        "profile": one.profile,
        **finding_tree(one.finding),
        "inputs": [
            {"path": i.path, **where_tree(i.where), "written": i.written}
            for i in one.inputs
        ],
        "formulas": list(made.formulas) if made else [],
        "formula_source": made.source if made else "",
        "steps": [_step(step) for step in made.steps] if made else [],
    }


def _step(step: Step) -> dict[str, Any]:
    return {"name": step.name, "value": nine(convert(step.value, step.unit)), "unit": step.unit, "source": step.source}


def _groups(found: Sequence[Explanation]) -> list[list[Explanation]]:
    """Explanations of one subject with the same number, in order of subject."""
    groups: list[list[Explanation]] = []
    for one in ordered(found, key=lambda e: e.finding.subject):
        for group in groups:
            if _same(group[0], one):
                group.append(one)
                break
        else:
            groups.append([one])
    return groups


def _same(one: Explanation, other: Explanation) -> bool:
    a, b = one.finding, other.finding
    return (a.subject, a.measured, one.derivation) == (b.subject, b.measured, other.derivation)


def _head(one: Explanation) -> list[str]:
    """Status and subject."""
    return _text(f"{shape(one.finding)} {lead(one.finding).upper()}  {one.finding.subject}", hang=4)


def _verdict(one: Explanation) -> list[str]:
    """What a profile says of the subject."""
    finding, measured = one.finding, one.finding.measured
    numbers = texts(finding)
    value = numbers.measured
    if measured and not value and not (finding.limit and is_word(finding.limit)):
        value = f"{measured.value:.6g} (SI)"
    return [
        *_field("severity", finding.severity.value),
        *_field("says", finding.message),
        *_field("measured", f"{value} [{finding.basis}]" if value else ""),
        *_field("limit", numbers.limit),
        *_field("margin", numbers.margin),
        *_field("source", source_text(finding)),
        *_field("note", finding.note),
        *_field("fix", finding.fix),
        *_field("at", place(finding)),
    ]


def _number(one: Explanation) -> list[str]:
    """Model, formula, inputs, assumptions and steps of a number."""
    measured, made = one.finding.measured, one.derivation
    if measured is None:
        return _field("steps", "no number was compared, so there are no inputs and no steps")
    lines = _field("model", measured.model)
    for formula in made.formulas if made else ():
        lines += _field("formula", formula)
    lines += _field("formula from", made.source if made else "")
    lines += _field("assumed", "; ".join(measured.assumptions) or "nothing")
    lines += _text("Inputs", indent=2)
    for item in one.inputs:
        written = clip(item.written, _WRITTEN) or "not in the file"
        lines += _text(f"{item.path}: {written} ({item.where.line_text})", indent=4, hang=2)
    if not one.inputs:
        lines += _text("none in the board file", indent=4)
    lines += _text("Steps", indent=2)
    if made is None:
        lines += _text("none between the inputs and the value", indent=4)
    for step in made.steps if made else ():
        source = f" ({step.source})" if step.source else ""
        lines += _text(f"{step.name}: {show(step.value, step.unit, 6)}{source}", indent=4, hang=2)
    return lines


def _field(label: str, text: str) -> list[str]:
    """A labelled text; nothing where it is empty."""
    start = f"  {label.ljust(_LABEL)}"
    return wrap(escape(signs(text)), WIDTH, start, " " * len(start)) if text else []


def _text(text: str, indent: int = 0, hang: int = 0) -> list[str]:
    return wrap(escape(signs(text)), WIDTH, " " * indent, " " * (indent + hang))


def _finished(lines: Iterable[str], ascii_only: bool) -> str:
    if ascii_only:
        return uncommanded("\n".join(part for line in lines for part in _ascii(line)) + "\n")
    return uncommanded("\n".join(lines) + "\n")


def _ascii(line: str) -> list[str]:
    """The line in ASCII, which may be longer."""
    start = " " * (len(line) - len(line.lstrip()))
    plain = to_ascii(line)
    return [plain] if len(plain) <= WIDTH else wrap(plain, WIDTH, start, start + "  ")
