# SPDX-License-Identifier: MIT
"""The page for a printer: names broken at their joints, pictures in rows that carry a name, notes said once."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from report_samples import finding, report, stub

from pcbrules.reports.html._drawing import figure
from pcbrules.reports.html._entries import assumptions, by_rule, entries
from pcbrules.reports.html._frame import GLYPH, PAPER, SQUEEZED, scale
from pcbrules.reports.html._page import page
from pcbrules.reports.html._shared import Shared
from pcbrules.reports.html._text import NARROW, TIED, on_paper, rich
from pcbrules.results.exhibit import Axis, CurveMark, ExhibitCurve, Field, Series
from pcbrules.results.finding import Finding, Status
from pcbrules.results.judge import FABRICATION

AXIS = Axis("time", "ps", -50.0, 2400.0, squeezed=((100.0, 2250.0),))


def plain(text: str) -> str:
    """What a reader of markup sees."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text.replace(NARROW, "").replace(TIED, " ")))


def test_a_squeezed_part_keeps_a_little_room_and_the_rest_is_even() -> None:
    made = scale(AXIS, 40.0, 280.0)
    assert made.at(2250.0) - made.at(100.0) == SQUEEZED
    assert made.at(-50.0) == 40.0 and made.at(2400.0) == 280.0 and made.at(9e9) == 280.0
    assert made.at(0.0) - made.at(-50.0) == pytest.approx(made.at(2300.0) - made.at(2250.0))
    assert made.at(100.0) < made.at(1000.0) < made.at(2250.0)
    assert [value for value, _ in made.ticks() if 100.0 < value < 2250.0] == []
    assert {0.0, 2300.0} <= {value for value, _ in made.ticks()}


def test_a_logarithmic_axis_runs_down_and_up_alike() -> None:
    axis = Axis("|Z|", "mΩ", 0.1, 10.0, log=True)
    assert scale(axis, 200.0, 0.0).at(1.0) == pytest.approx(100.0)
    assert scale(axis, 0.0, 200.0).at(1.0) == pytest.approx(100.0)


def test_names_are_broken_behind_their_dots_and_where_a_part_is_long_behind_underscores() -> None:
    made = on_paper(f"<style>q{{}}</style><td>{rich('set `via_types.fast.antipad.length` to 1.95 mm')}<td>{'x' * 70}")
    assert f"via_types.{NARROW}fast.{NARROW}antipad.{NARROW}length" in made
    assert made.count(NARROW) == 3 + 2 and "<wbr>" not in made
    long = on_paper("<style></style><q>rails.r.ratio_of_the_second_regulator</q>")
    assert f"rails.{NARROW}r.{NARROW}ratio_{NARROW}of_{NARROW}the_{NARROW}second_{NARROW}regulator" in long
    assert str(rich("`a.b`")) == "<code>a.b</code>"
    assert "<wbr>" in rich("`links.nvl_l5.path[0].via.neighbours[1].coupled_length`")


def test_what_is_copied_from_paper_is_not_broken_within_a_number_or_a_key() -> None:
    text = "write `backdrill: {must_not_cut: used-layer, tolerance: 0.127 mm}` (k = 2); 14.1 % (11.0 … 15.2), < 10 mil"
    made = on_paper(f"<style></style><td>{rich(text)}")
    assert f"must_not_cut: used-layer, tolerance: 0.127{TIED}mm" in made and NARROW not in made
    assert f"k{TIED}={TIED}2" in made and f"14.1{TIED}% (11.0{TIED}…{TIED}15.2)" in made
    assert f"&lt;{TIED}10{TIED}mil" in made
    assert f"2{TIED}m " not in on_paper("<style></style><td>the 2 missing keys, 3 Vias, 4 of 5 V/ns")


def test_the_first_page_has_the_short_form_of_a_fix_and_the_finding_the_whole() -> None:
    written = "write `backdrill: {side: bottom, residual: 0.398 mm}` "
    fix = f"leave a stub of 0.5 mm or less; {4 * written}in the file"
    text = plain(page([report(finding(Status.FAIL, fix=fix))], paper=True))
    assert text.count("leave a stub of 0.5 mm or less") == 2 and text.count("in the file") == 1


def test_sentences_that_entries_share_are_said_once_and_the_others_with_their_entry() -> None:
    notes = [f"Judged in the band of the board. Resonating capacitance: {size} uF." for size in (4.6, 438.0, 55.7)]
    made = report(*(finding(Status.PASS, subject=f"rails.r{i}.peak", note=note) for i, note in enumerate(notes)))
    (found,) = by_rule(entries(made, [Status.PASS], assumptions(made)))
    assert found.notes == ("Judged in the band of the board.",)
    assert [row.own for row in found.rows] == [note.partition("board. ")[2] for note in notes]
    assert {row.see for row in found.rows} == {""}


def test_the_passes_of_a_rule_are_one_row_with_the_least_margin() -> None:
    passes = [finding(Status.PASS, subject=f"stackup.L{i}", measured=stub(i, i, i)) for i in range(1, 9)]
    text = page([report(*passes, finding(Status.FAIL, subject="stackup.L9"))], paper=True)
    (row,) = [one for one in text.split(">Passed</h2>")[1].split("<tr>") if "SIG003" in one]
    assert "(8)" in row and "stackup.L8" in row and f"8{TIED}mil" in row
    assert f"2{TIED}mil (+20{TIED}%)" in row
    assert "L7" not in row and "Rules of which every check passed" not in text
    assert ">Not applicable<" not in page([report(*passes, finding(Status.NOT_APPLICABLE, rule="STK001"))], paper=True)


def test_every_row_of_pictures_carries_the_name_of_what_it_shows() -> None:
    axis = Axis("frequency", "GHz", 0.0, 10.0)
    curve = ExhibitCurve("loss", (0.0, 10.0), (1.0, 9.0))
    drawn = tuple(Series(key=f"links.up:{i}", subject="links.up", title=f"Picture {i}", x=axis, y=axis, curves=(curve,))
                  for i in range(4))
    made = replace(report(finding(Status.FAIL, subject="links.up.path.via1")), exhibits=drawn)
    text = page([made], paper=True)
    assert [part.count("<figure") for part in text.split('<div class="trio">')[1:]] == [2, 2]
    assert "<figcaption>up: Picture 2</figcaption>" in text and "<figcaption>Picture 1</figcaption>" in text
    assert f'viewBox="0 0 {PAPER.width} {PAPER.height}"' in text


def test_the_first_page_says_what_is_not_stated_and_names_some_open_inputs() -> None:
    keys = [finding(Status.NOT_EVALUATED, subject=f"links.l{i}.path", fix=f"give `links.l{i}.path[0].via`",
                    message=f"no via {i}", measured=None) for i in range(30)]
    text = plain(page([report(*keys, exit_code=3)], paper=True))
    assert "Revision not stated . Board dated not stated ." in text and "and 22 more, under the findings" in text
    dated = plain(page([replace(report(finding()), revision="B2", date="2026-11-29")], paper=True))
    assert "Revision B2 . Board dated 2026-11-29 ." in dated


def test_the_first_page_gives_a_fix_whole_where_it_has_room_for_it() -> None:
    fix = "write " + ", ".join(f"key_{i} = {i} mm" for i in range(30))
    causes = [finding(rule=f"SIG00{i}", subject=f"links.l{i}", fix=fix) for i in range(1, 6)]
    first, many = (plain(page([report(*causes[:count], exit_code=1)], paper=True)).split("Sign-off")[0]
                   for count in (1, 5))
    assert fix in first and "see the finding below" not in first
    assert fix not in many and many.count("see the finding below") == 5
    assert "1 error, 0 pass" in first and "exit code" not in first, "a reviewer signs a verdict"


def test_no_label_stands_where_an_axis_is_broken_and_no_note_on_the_line_of_nyquist() -> None:
    curve = ExhibitCurve("x", (0.0, 2400.0), (0.0, 1.0))
    series = Series(key="a", subject="links.a", title="t", x=AXIS, y=Axis("z", "ohm", 0.0, 1.0), curves=(curve,))
    svg = figure(series, Shared("", whole=True)).picture
    at = PAPER.height - 24
    labels = [(float(x), text) for x, text in re.findall(rf'<text x="(\d+)" y="{at}">([^<]+)</text>', svg)]
    (broken,) = re.findall(r'class="axes" d="M(\d+) \d+l6-8m', svg)
    middle = int(broken) + SQUEEZED / 2
    assert labels and all(abs(x - middle) > (SQUEEZED + len(text) * GLYPH) / 2 for x, text in labels)
    far = replace(series, x=Axis("f", "GHz", 0.0, 40.0), marks=(
        CurveMark("Nyquist", 26.6), CurveMark("stub notch", 85.0, kind="notch")))
    svg = figure(far, Shared("", whole=True)).picture
    (nyquist,) = re.findall(r'class="place" d="M(\d+)', svg)
    notes = re.findall(r'<text class="e" x="(\d+)" y="\d+">(notch at|85 GHz|Nyquist)</text>', svg)
    assert [text for _, text in notes] == ["Nyquist", "notch at", "85 GHz"]
    assert int(notes[0][0]) < int(nyquist) and all(int(x) - len(text) * 6.5 > int(nyquist) for x, text in notes[1:])


def test_a_stackup_that_passed_stands_behind_the_pictures_of_what_failed() -> None:
    curve = ExhibitCurve("x", (0.0, 1.0), (0.0, 1.0))
    axes = {"x": Axis("f", "GHz", 0.0, 1.0), "y": Axis("z", "ohm", 0.0, 1.0)}
    drawn = tuple(Series(key=one, subject=one, title=one, curves=(curve,), **axes) for one in ("stackup", "links.a"))
    made = replace(report(finding(subject="links.a"), finding(Status.PASS, subject="stackup.L1"), exit_code=1),
                   exhibits=drawn)
    paper, screen = (page([made], paper=one) for one in (True, False))
    link, stackup = (f'id="pictures_3a_{name}"' for name in ("links.a", "stackup"))
    assert paper.index(link) < paper.index(stackup) and screen.index(stackup) < screen.index(link)


def test_a_short_report_has_no_appendix_and_its_contents_name_none() -> None:
    made = report(finding(Status.FAIL), finding(Status.PASS, subject="board.other"))
    short, whole = (page([made], paper=True, appendix=one) for one in (False, True))
    assert "Appendix" in whole and "Provenance" in whole
    assert "Appendix" not in short and "Provenance" not in short and "Sign-off" in short and "Findings" in short


def test_a_lone_picture_stands_beside_its_legend_and_without_one_over_its_note() -> None:
    plain_field = Field(key="rails.r:f", subject="rails.r", title="Drop", x=(0.0, 2.0), y=(0.0, 1.0), quantity="drop",
                        unit="mV", length_unit="mm", rows=((1.0, 2.0), (2.0, 3.0)), note="at 120 A")
    axis = Axis("time", "us", 0.0, 10.0)
    curve = Series(key="rails.r:s", subject="rails.r", title="Step", x=axis, y=axis,
                   curves=(ExhibitCurve("balls", (0.0, 10.0), (1.0, 9.0)),))
    for exhibit, beside in ((plain_field, 0), (curve, 1)):
        made = replace(report(finding(Status.FAIL, subject="rails.r.copper")), exhibits=(exhibit,))
        assert page([made], paper=True).count('<div class="trio beside">') == beside


def test_the_first_page_names_the_file_by_its_hash_the_places_and_what_marginal_means() -> None:
    made = report(finding(Status.FAIL, fix="set `a.b` to 1"), exit_code=1)
    first = plain(page([made], paper=True)).split("Sign-off")[0]
    board = next(one for one in made.inputs if one.role == "board")
    assert f"SHA-256 {board.sha256[:12]}" in first and board.sha256 not in first
    assert made.findings[0].where.spot in first and first.count("Marginal: the number meets its limit and ") == 1


@pytest.mark.parametrize("appendix", [True, False])
def test_every_assumption_that_is_referred_to_is_listed(appendix: bool) -> None:
    assert finding().measured is not None
    assumed = replace(finding().measured, assumptions=("the antipad is 1 mm", "the pad is 0.5 mm"))
    made = page([report(finding(Status.FAIL, measured=assumed, fix="set `a.b` to 1"))], paper=True, appendix=appendix)
    asked = set(re.findall(r'href="#(a\d+|assumed)"', made))
    assert asked == {"a1", "a2", "assumed"} and all(made.count(f'id="{one}"') == 1 for one in asked)


def test_no_interval_is_broken_on_paper() -> None:
    assert "(8.4\u00a0…\u00a013.6)" in on_paper("</style><td>10.9 dB (8.4 … 13.6)</td>")
    long = "</style><td>(one long text … another long text)</td>"
    assert on_paper(long).replace("&#8203;", "") == long


def test_open_inputs_name_what_a_judged_finding_asks_for_too() -> None:
    asks = "at most 5 dB; the loss of a is not declared: give `links.up.path[0].connector.loss`; at most 2.6 dB"
    missing = finding(Status.NOT_EVALUATED, subject="rails.r", fix="give `rails.r.step`", measured=None)
    marginal = finding(Status.MARGINAL, message=asks, fix="give `a.b` or `a.c`, else choose `other`")

    def told(*found: Finding) -> str:
        text = plain(page([report(*found)], paper=True))
        return text.partition("Open inputs: ")[2].partition(". Assumptions")[0].strip()

    narrows = "links.up.path[0].connector.loss , a.b , a.c"
    assert told(missing, marginal) == f"rails.r.step . Inputs that would narrow an interval: {narrows}"
    assert told(marginal) == f"none. Inputs that would narrow an interval: {narrows}"
    assert told(replace(marginal, status=Status.PASS)) == "none" == told(finding(Status.FAIL, fix="set `a.b` to 1"))


def test_findings_of_one_rule_are_one_card_though_a_sentence_of_their_notes_differs() -> None:
    notes = [f"Said of all. CHN007 at links.l{i} has the same cause." for i in range(3)] + ["Said of all."]
    found = [finding(Status.MARGINAL, subject=f"links.l{i}", note=note, measured=stub(11 + i, 9, 14))
             for i, note in enumerate(notes)]
    for paper in (True, False):
        listed = page([report(*found)], paper=paper).split(">Findings to look at<")[1].partition('id="coverage"')[0]
        assert listed.count("<article") == 1 and listed.count("Said of all.") == 1
        assert [listed.count(f"links.l{i} has the same cause.") for i in range(3)] == [1, 1, 1]
        assert listed.count("<b>Note</b>") == 3


def test_what_every_interval_holds_is_said_once_on_a_page() -> None:
    found = [finding(Status.MARGINAL, subject=f"links.l{i}", message=f"{i} is missed; {FABRICATION}") for i in range(4)]
    for paper in (True, False):
        text = plain(page([report(*found)], paper=paper))
        assert text.count("interval also holds fabrication tolerances") == 1
        assert all(f"{i} is missed †" in text for i in range(4))
    assert "†" not in page([report(finding())])
