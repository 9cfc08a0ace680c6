# SPDX-License-Identifier: MIT
from __future__ import annotations

import pickle

import pytest

from pcbrules.errors import InputError, Problem, Problems, clip, escape, quoted, show_path

WRONG = Problem("b.yaml", 12, 7, "links.x.standard", "unknown link standard", "'nvlnk4'", "nvlink4", "write it")


def test_a_problem_says_where_what_and_the_cure_in_that_order() -> None:
    assert WRONG.text() == (
        "b.yaml:12:7: links.x.standard: unknown link standard; found 'nvlnk4'; expected nvlink4; fix: write it"
    )


def test_a_path_of_any_length_stays_on_the_line() -> None:
    assert len(Problem("b.yaml", 1, 1, "[0]" * 100_000, "odd").text()) < 500


def test_a_problem_without_place_and_path_names_the_file_only() -> None:
    assert Problem("b.yaml", 0, 0, "", "there is no such file").text() == "b.yaml: there is no such file"


def test_a_warning_says_so() -> None:
    assert Problem("b", 1, 2, "a", "odd", level="warning").text() == "b:1:2: warning: a: odd"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\u202etxt", "\\u202etxt"),
        ("\u200b\ufeff", "\\u200b\\ufeff"),
        ("\x9b", "\\x9b"),
        ("\udce9", "\\udce9"),
        ("µΩ°±é", "µΩ°±é"),
    ],
)
def test_unseen_characters_are_escaped_and_others_kept(raw: str, shown: str) -> None:
    assert escape(raw) == shown
    assert escape(escape(raw)) == escape(raw)


def test_no_field_of_a_problem_reaches_the_terminal_raw() -> None:
    evil = "\x1b]0;owned\x07\u202e"
    shown = Problem(evil, 1, 1, evil, evil, evil, evil, evil).text()
    assert shown.isprintable()


def test_clip_keeps_200_characters_even_after_escaping() -> None:
    assert clip("x" * 200) == "x" * 200
    assert clip("x" * 201) == "x" * 197 + "..."
    assert len(clip("\x00" * 10_000)) == 200


@pytest.mark.parametrize(
    ("value", "phrase"),
    [
        ("a", "'a'"),
        (3, "3"),
        (1.5, "1.5"),
        (True, "true"),
        (None, "nothing"),
        ([1], "a list"),
        ({}, "a mapping"),
    ],
)
def test_quoted_phrases(value: object, phrase: str) -> None:
    assert quoted(value) == phrase


def test_quoted_survives_a_number_that_python_refuses_to_print() -> None:
    assert quoted(10**5000) == "a number of more than 40 digits"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ((), ""),
        (("links", "a", "path", 2, "via"), "links.a.path[2].via"),
        ((0, "a"), "[0].a"),
        (("a.b", "c d"), "['a.b']['c d']"),
        (("",), "['']"),
        (("nvl-gpu+0_x",), "nvl-gpu+0_x"),
    ],
)
def test_show_path(path: tuple[str | int, ...], shown: str) -> None:
    assert show_path(path) == shown


def test_a_hundred_problems_are_kept_and_the_rest_counted() -> None:
    problems = Problems("b.yaml")
    for line in range(1, 138):
        problems.add(Problem("b.yaml", line, 1, "", "odd"))
    with pytest.raises(InputError) as caught:
        problems.check()
    assert len(caught.value.problems) == 101
    assert caught.value.problems[-1].text() == "b.yaml: and 37 more problems"


def test_warnings_alone_do_not_raise() -> None:
    problems = Problems("b.yaml")
    problems.add(Problem("b.yaml", 1, 1, "", "odd", level="warning"))
    problems.check()
    assert [problem.level for problem in problems.all()] == ["warning"]


def test_an_input_error_survives_a_worker_process_and_prints_all_its_problems() -> None:
    error = pickle.loads(pickle.dumps(InputError([WRONG, WRONG])))
    assert error.problems == (WRONG, WRONG)
    assert str(error) == f"{WRONG.text()}\n{WRONG.text()}"


def test_a_blank_that_is_none_is_told_apart() -> None:
    assert quoted("a\u00a0b\u3000") == "'a\\xa0b\\u3000'"
