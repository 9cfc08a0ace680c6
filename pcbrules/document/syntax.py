# SPDX-License-Identifier: MIT
"""What the YAML parser says, in plain words."""

from __future__ import annotations

import itertools

import yaml

from pcbrules.document.suspects import suspect
from pcbrules.document.textfile import BREAK
from pcbrules.errors import Problem, clip, quoted

DEPTH_LIMIT = 60  # mappings and lists inside each other
TOO_DEEP = f"the file is nested too deeply: more than {DEPTH_LIMIT} levels"

_CAUSES = (  # words of the parser, what they mean, what usually cures it
    ("mapping values are not", "a ':' stands where no key can begin", "quote a text with ': ' or align keys"),
    ("could not find expected ':'", "a line is neither 'key: value' nor '- item'", "write 'key: value'"),
    ("sequence entries are not", "a '-' stands where no list can begin", "put the list on its own lines"),
    ("expected key", "this does not continue the mapping above", "align its keys, quote texts with brackets"),
    ("expected '-'", "this does not continue the list above", "align its items, quote texts with brackets"),
    ("expected ',' or", "a '[' or '{' is not closed", "add the missing ',', ']' or '}'"),
    ("expected node content", "a value is missing", "write a value before this character"),
    ("unexpected end of stream", "a quoted text is not closed", "add the missing quote"),
    ("expected alphabetic or numeric", "'&' and '*' begin an anchor or an alias", "quote the text"),
    ("cannot start any token", "a text cannot begin with this character", "quote the text"),
    ("unknown escape character", "an unknown escape in double quotes", "use single quotes"),
    ("expected <document start>", "this line belongs to nothing above it", "correct the indentation"),
    ("undefined tag handle", "tags are not supported", "delete the tag, or quote the text"),
    ("incompatible YAML document", "this version of YAML is not known", "delete the line '%YAML'"),
)


def syntax_problem(error: yaml.MarkedYAMLError, text: str, file: str, opened: tuple[int, int]) -> Problem:
    """Say in plain words what the parser says, and show the line; `opened` is the last open list or mapping."""
    says = error.problem or "the text ends too early"
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    unclosed = "expected ',' or" in says or "expected node content" in says
    if "end of stream" in says and error.context_mark:  # show the quote that opens the text
        line, column = error.context_mark.line + 1, error.context_mark.column + 1
    elif unclosed and mark and not text[mark.index :].strip():  # show the bracket, not the end of the file
        says, (line, column) = "expected ',' or", opened
    row = _row(text, line)
    found = quoted(row.strip()) if row.strip() else ""
    indent = row[: len(row) - len(row.lstrip())] if "mapping values are not" in says else row[column - 1 : column]
    if "\t" in indent or "tab character" in says:
        message, fix = "a tab is used for indentation", "replace tabs by blanks"
        return Problem(file, line, column, "", message, found, "blanks", fix)
    if "maximum nesting depth" in says:
        return Problem(file, line, column, "", TOO_DEEP)
    culprit = suspect(BREAK.split(text), line)
    if culprit:
        found = quoted(_row(text, culprit.line).strip(" "))
        message = f"not valid YAML: {culprit.message}"
        return Problem(file, culprit.line, culprit.column, "", message, found, fix=culprit.fix)
    for words, meaning, fix in _CAUSES:
        if words in says:
            since = f" (opened on line {opened[0]})" if words == "expected ',' or" else ""
            return Problem(file, line, column, "", f"not valid YAML: {meaning}{since}", found, fix=fix)
    return Problem(file, line, column, "", f"not valid YAML: {clip(says)}", found)


def _row(text: str, line: int) -> str:
    """Return one line of `text`, counted from 1."""
    begin = 0
    for end in itertools.islice(BREAK.finditer(text), line - 1):
        begin = end.end()
    last = BREAK.search(text, begin)
    return text[begin : last.start() if last else len(text)]
