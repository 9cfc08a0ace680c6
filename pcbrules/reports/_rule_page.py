# SPDX-License-Identifier: MIT
"""The page of a rule in Markdown: what its docstring and its card say."""

from __future__ import annotations

import re

HEADINGS = ("What it checks", "Why it matters", "How to fix it")
JUDGES = {
    "nominal": "The nominal value is judged: beyond the limit it fails; inside, with an uncertainty that reaches "
               "beyond the limit, it is marginal.",
    "worst-case": "The worst case is judged: the tolerances of the inputs are already part of the value.",
}


def plain(text: str) -> str:
    """The text with what Markdown would take for markup made harmless, but for `code` and a *word* in stars."""
    parts = re.split(r"(`[^`]*`|(?<!\S)\*\w+\*(?!\w))", " ".join(text.replace("``", "`").split()))
    return "".join(part if i % 2 else re.sub(r"([\\*_<>\[\]$])", r"\\\1", part) for i, part in enumerate(parts))


def paragraphs(text: str) -> str:
    """The paragraphs of a text, each as ``plain`` has it."""
    return "\n\n".join(plain(one) for one in re.split(r"\n\s*\n", text))


def sections(doc: str) -> tuple[str, dict[str, str]]:
    """The first sentence of a rule's docstring, and its text under each of ``HEADINGS``."""
    lead, *parts = re.split("|".join(f"{heading}:" for heading in HEADINGS), doc)
    bodies = [part.strip() for part in parts]
    return lead.strip(), {
        heading: body[:1].upper() + body[1:] for heading, body in zip(HEADINGS, bodies, strict=True)
    }


def example_page(rule: str) -> tuple[str, str, str]:
    """The example of a rule: the sentence before it, the two boards as a diff, what the rule says of both.

    Empty texts where there is none.
    """
    from pcbrules.rules._examples import example

    found = example(rule)
    if found is None:
        return "", "", ""
    lead = (f"A board that fails under the profile {found.profile} (lines with `-`), and passes once it is changed "
            "(lines with `+`). Only lines that differ are shown, with the names that they stand under.")
    said = "\n".join(f"- {one.word}: `{one.subject}`: {plain(one.found)}" for one in (found.fails, found.passes))
    return lead, "\n".join(found.diff), said


def page(rule: str) -> str:
    """The page of a rule, or of a finding of the engine; empty where there is no rule of this id."""
    from pcbrules.rules import all_rules  # only where pages are written: the other formats start without the rules
    from pcbrules.rules._engine_rules import ENGINE_RULES

    if rule in ENGINE_RULES:
        title, text = ENGINE_RULES[rule]
        return f"# {rule}: {plain(title)}\n\n{plain(text)}\n"
    found = all_rules().get(rule)
    if found is None:
        return ""
    meta = found.META
    lead, bodies = sections(found.__doc__ or "")
    lines = [f"# {meta.id}: {plain(meta.title)}", plain(lead)]
    for heading, body in bodies.items():
        lines += [f"## {heading}", paragraphs(body)]
    intro, diff, said = example_page(rule)
    if diff:
        lines += ["## Example", intro, f"```diff\n{diff}\n```", said]
    lines += [JUDGES[meta.judges], "## What it reads", "\n".join(f"- `{key}`" for key in meta.inputs)]
    lines.append(f"`pcbrules explain {meta.id}` prints this page with the limits of every profile and their sources.")
    return "\n\n".join(lines) + "\n"
