# SPDX-License-Identifier: MIT
"""`search`: the front on the command line, its files, and the same bytes serially, in processes, after an interrupt."""

from __future__ import annotations

import csv
import io
import json

import jsonschema_rs
import pytest
import yaml
from cli_bench import BOARD, ROOT, Bench
from dask_bench import dask_cluster, run_and_kill
from json_schemas import valid

import pcbrules
from pcbrules import api
from pcbrules.api._search_space import SearchJob

SPEC = """\
schema: 1
board: board.yaml
profile: few.yaml
axes:
- {laminate: all, values: 'megtron6, fr408hr, s1000-2m'}
- {backdrill: pth, values: [2 mil, 4 mil, 6 mil, 9 mil]}   # nearer is dearer
- {vary: 'board.size.*', values: [40 mm, 90 mm]}
"""


@pytest.fixture
def space(bench: Bench) -> Bench:
    bench.put("space.yaml", SPEC)
    return bench


def test_the_page_says_what_cut_and_what_is_best(space: Bench) -> None:
    done = space.run("search", "space.yaml")
    assert done.code == 0 and done.out.startswith("tiny under profile few: 24 candidates, 3 axes\n")
    said = " ".join(done.out.split())
    assert "B = backdrill pth: 2 mil, 4 mil, 6 mil, 9 mil" in said
    assert "24 candidates came in" in said and "candidates went out" in said
    assert "12 MEC001 board.size.long" in said and "3 SIG003 links.a.path.via1.bottom" in said
    assert "the starting board: cost 0, margin 40 %, MEC001 board.size.long 90 mm, limit" in said
    assert "−5 20 % A = s1000-2m, B = 6 mil SIG003 links.a.path.via1.bottom 8 mil, limit < 10 mil" in said
    assert done.out.splitlines()[-1] == "2 stackups, 9 candidates pass, 31 checks: exit code 0"
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_one_is_said_as_one_and_a_thickness_without_a_unit_is_in_millimetres(space: Bench) -> None:
    space.put("space.yaml", "schema: 1\nboard: board.yaml\nprofile: few.yaml\naxes:\n"
              "- {backdrill: pth, values: [4 mil]}\n")
    last = space.run("search", "space.yaml").out.splitlines()[-1]
    assert last.startswith("1 stackup, 1 candidate passes, ")
    space.put("space.yaml", f"{SPEC}constraints: {{thickness: {{at_most: 1.45}}}}\n")
    done = space.run("search", "space.yaml")
    assert done.code == 2 and "write the unit: '1.45 mm'" in " ".join(done.err.split())


def test_a_part_of_an_objective_that_the_board_does_not_have_is_refused(space: Bench) -> None:
    space.put("space.yaml", f"{SPEC}objectives: {{margin: ['SIG003:links.b']}}\n")
    done = space.run("search", "space.yaml")
    text = " ".join(done.err.split())
    assert done.code == 2 and not done.out and "space.yaml:8:" in text
    assert "the board has no such part; found 'links.b'; expected links.a" in text


def test_an_objective_that_judges_nothing_is_no_success(space: Bench) -> None:
    space.put("space.yaml", f"{SPEC}objectives: {{margin: ['SIG003:links.a.path.trace1']}}\n")
    done = space.run("search", "space.yaml")
    text = " ".join(done.out.split())
    assert done.code == 3 and text.endswith("nothing judged by the rules in `objectives`: exit code 3")


def test_an_answer_tells_its_new_warnings(space: Bench) -> None:
    """MEC001 as a warning: the board of 40 mm has two of them that the starting board has not."""
    few = (space.folder / "few.yaml").read_text()
    at = few.index("MEC001")
    space.put("few.yaml", few[:at] + few[at:].replace("severity: error", "severity: warning", 1))
    space.put("space.yaml", SPEC.replace("'board.size.*', values: [40 mm, 90 mm]}",
                                         "'board.size.*', values: [40 mm, 90 mm], costs: [-1, 0]}"))
    tree = valid(space.run("search", "space.yaml", "--format", "json").out, "search")
    small = [one for one in tree["stackups"] if one["values"]["board.size.*"] == "40 mm"]
    assert small and small[0]["new_warnings"] == [{"rule": "MEC001", "count": 2}]
    assert "new warnings: MEC001 x2" in " ".join(space.run("search", "space.yaml").out.split())
    rows = list(csv.DictReader(io.StringIO(space.run("search", "space.yaml", "--format", "csv").out)))
    assert {row["new warnings"] for row in rows if row["board.size.*"] == "40 mm"} == {"MEC001 x2"}


def test_json_and_csv(space: Bench) -> None:
    tree = valid(space.run("search", "space.yaml", "--format", "json").out, "search")
    assert tree["candidates"] == 24 and [one["cost"] for one in tree["stackups"]] == [-5, -4.5]
    assert tree["stackups"][0]["values"] == {
        "laminate all": "s1000-2m", "backdrill pth": "6 mil", "board.size.*": "90 mm"}
    assert sum(one["count"] for one in tree["cut"]) + tree["passing"] == 24
    rows = list(csv.DictReader(io.StringIO(space.run("search", "space.yaml", "--format", "csv").out)))
    assert [row["backdrill pth"] for row in rows] == ["6 mil", "4 mil"] and rows[0]["rule"] == "SIG003"


def test_the_boards_of_the_answer_keep_their_comments_and_pass(space: Bench) -> None:
    space.put("board.yaml", BOARD.replace("kind: through\n", "kind: through  # plated\n"))
    done = space.run("search", "space.yaml", "-o", "found", "--format", "json")
    assert done.code == 0
    for place, one in enumerate(json.loads(done.out)["stackups"], 1):
        text = (space.folder / "found" / f"board.{place}.yaml").read_text()
        assert "# plated" in text and f"residual: {one['values']['backdrill pth']}" in text
        report = api.check(api.load(text), str(space.folder / "few.yaml"))
        assert report.exit_code == 0
    assert "exists" in space.run("search", "space.yaml", "-o", "found").err
    assert space.run("search", "space.yaml", "-o", "found", "--force").code == 0


def test_the_picture_shows_all_that_pass(space: Bench) -> None:
    assert space.run("search", "space.yaml", "--picture", "front.svg").code == 0
    text = (space.folder / "front.svg").read_text()
    assert text.count("<circle") == 9 + 2 + 1 + 3, "all that pass, the answer, the start, and three in the legend"
    assert "margin [%]" in text and text.count("<g transform") == 1


def test_the_same_in_processes_and_going_on_after_an_interrupt(space: Bench) -> None:
    words = ("search", "space.yaml", "--format", "csv")
    alone = space.run(*words)
    assert space.run(*words, "-j", "2").out == alone.out
    assert space.run(*words, "--resume", "kept.jsonl").out == alone.out
    kept = space.folder / "kept.jsonl"
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:6]) + lines[6][:40])  # killed while it wrote the sixth
    assert space.run(*words, "--resume", "kept.jsonl").out == alone.out
    assert kept.read_bytes() == b"".join(lines)
    whole = json.loads(space.run("search", "space.yaml", "--format", "json", "--resume", "kept.jsonl").out)
    assert whole["checks"] == 0, "all were judged before"
    space.put("space.yaml", SPEC + "constraints: {cost: {at_most: -4.75}}\n")
    fewer = json.loads(space.run("search", "space.yaml", "--format", "json", "--resume", "kept.jsonl").out)
    assert len(fewer["stackups"]) == 1 and fewer["checks"] == 0, "bounds judge nothing anew"
    space.put("board.yaml", BOARD + "# x\n")
    assert "belongs to another study" in space.run(*words, "--resume", "kept.jsonl").err


def test_where_nothing_passes_most_are_cut_by(space: Bench) -> None:
    space.put("space.yaml", SPEC.replace("40 mm, 90 mm", "40 mm, 45 mm"))
    done = space.run("search", "space.yaml")
    assert done.code == 1 and "No candidate passes.\nMost are cut by MEC001 board.size.long: 24 of 24." in done.out
    assert "has no number" not in done.err
    drawn = space.run("search", "space.yaml", "--picture", "a.svg")
    assert drawn.code == 2 and "there is no margin to draw" in drawn.err
    assert space.run("search", "space.yaml", "--format", "csv").out == "candidate,cost,margin\n"


@pytest.mark.parametrize(("words", "said"), [
    (("gone.yaml",), "gone.yaml"), (("space.yaml", "--picture", "a.txt"), "has to end in"),
    (("space.yaml", "-j", "2", "--scheduler", "tcp://host:1"), "name one of them"), ((), "SPEC"),
    (("space.yaml", "--resume", "space.yaml"), "is an input"), (("space.yaml", "-o", "few.yaml"), "is no folder"),
    (("board.yaml",), "unknown key"),
])
def test_what_is_wrong_is_2(space: Bench, words: tuple[str, ...], said: str) -> None:
    done = space.run("search", *words)
    assert done.code == 2 and said in " ".join(done.err.split())


def test_in_python(space: Bench) -> None:
    found = pcbrules.search(space.folder / "space.yaml")
    assert isinstance(found, pcbrules.StackupSearch) and found.exit_code == 0
    rows = [(row["cost"], row["backdrill pth"]) for row in found.to_rows()]
    assert rows == [(-5, "6 mil"), (-4.5, "4 mil")]
    assert api.resolve(found.points[0].document).board.via_types is not None
    with pytest.raises(TypeError, match="takes the path of a design space, not a dict"):
        pcbrules.search({"axes": []})  # type: ignore[arg-type]
    with pytest.raises(pcbrules.InputError, match="there is no such file"):
        pcbrules.search("gone.yaml")


def test_a_space_to_start_from_is_searched_and_never_overwritten(space: Bench) -> None:
    words = ("init", "--space", "board.yaml", "-p", "few.yaml", "made/space.yaml")
    (space.folder / "made").mkdir()
    done = space.run(*words)
    assert done.code == 0 and done.out == "wrote made/space.yaml; next: pcbrules search made/space.yaml\n"
    found = pcbrules.search(space.folder / "made" / "space.yaml")
    assert [axis.label for axis in found.space.axes] == ["laminate all", "foil L1, L3"] and found.points
    assert "exists" in space.run(*words).err
    assert "takes --profile" in space.run("init", "--space", "board.yaml").err


@pytest.mark.parametrize("name", [
    "jetson-orin-carrier", "hgx-h100-baseboard", "workstation-card", "real-cm5-sodimm-carrier"])
def test_every_choice_of_a_space_to_start_from_can_be_taken_in(name: str, bench: Bench) -> None:
    board = str(ROOT / "boards" / f"{name}.yaml")
    assert bench.run("init", "--space", board, "-p", "edge").code == 0
    text = (bench.folder / "space.yaml").read_text()
    bench.put("space.yaml", text.replace("#? ", ""))
    job = SearchJob.of("space.yaml")
    cavities = name != "real-cm5-sodimm-carrier"  # six layers: planes of one half stand side by side
    assert len(job.space.frames) == 1 + cavities and job.space.count >= 100 and len(job.space.axes) == 5
    assert any(one.changes for axis in job.space.axes for one in axis.points)


@pytest.mark.parametrize(("board", "material", "profile", "offered"), [
    ("jetson-orin-carrier", "", "edge", ["fr4-s1000-2m", "370hr", "fr408hr"]),
    ("jetson-orin-carrier", "", "training", ["fr4-s1000-2m", "megtron6", "megtron7n"]),
    ("jetson-orin-carrier", "isola-i-tera-mt40", "training", ["isola-i-tera-mt40", "megtron7n", "megtron8n"]),
    ("hgx-h100-baseboard", "", "training", ["panasonic-megtron7n", "megtron6", "megtron8n"]),
])
def test_a_space_offers_better_laminates_and_none_that_the_profile_refuses(
    board: str, material: str, profile: str, offered: list[str], bench: Bench
) -> None:
    """Training takes no standard nor mid-loss laminate beside fast links (MAT001)."""
    text = (ROOT / "boards" / f"{board}.yaml").read_text()
    bench.put("board.yaml", text.replace("fr4-s1000-2m", material) if material else text)
    assert bench.run("init", "--space", "board.yaml", "-p", profile).code == 0
    (axis, *_) = yaml.safe_load((bench.folder / "space.yaml").read_text())["axes"]
    assert axis["values"] == offered


def test_the_schema_of_the_file_takes_what_the_reader_takes(space: Bench) -> None:
    schema = json.loads(space.run("schema", "search-spec").out)
    validator = jsonschema_rs.Draft202012Validator(schema)
    tree = yaml.safe_load(SPEC)
    assert validator.is_valid(tree)
    del tree["axes"]
    assert not validator.is_valid(tree)


@pytest.mark.long
def test_a_cluster_of_which_a_worker_is_killed_gives_the_same(space: Bench) -> None:
    """A scheduler and two workers as processes; one is killed while the other judges."""
    space.put("space.yaml", SPEC.replace("[2 mil, 4 mil, 6 mil, 9 mil]", "1mil:12mil:60"))
    words = ("search", "space.yaml", "--format", "csv")
    with dask_cluster(space.folder, 2) as (address, workers):
        alone = space.run(*words, "--resume", "alone.jsonl")
        kept = space.folder / "kept.jsonl"
        assert run_and_kill(space, words, address, workers[-1], kept, 20) == alone.bytes
        assert kept.read_bytes() == (space.folder / "alone.jsonl").read_bytes(), "nothing is lost, nothing stands twice"
