# SPDX-License-Identifier: MIT
"""The pages of the docs: links lead somewhere, and every command and every snippet runs."""

from __future__ import annotations

import importlib
import os
import re
import shutil
from functools import cache
from pathlib import Path

import doc_pages
import pytest
import yaml

from pcbrules import rulesets
from pcbrules.cli.main import COMMANDS
from pcbrules.errors import InputError
from pcbrules.library.shelf import LOADER
from pcbrules.rules import all_rules
from pcbrules.rules._engine_rules import ENGINE_RULES
from pcbrules.rulesets.reader import ENTRY_KEYS, KEYS
from pcbrules.rulesets.words import CONDITIONS, known_words

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SLOW = ("selftest", "report", "check", "pdn", "channel", "fab", "design", "bundle", "verify", "reach", "sweep", "yield",
        "fix", "search")
"""Commands whose examples take longest: most of them stand on other pages, too."""
SLOW_PAGES = ("baseline", "intervals", "order_a_board", "use_from_python", "hand_over_evidence", "reach", "how_sure",
              "make_it_pass", "which_stackup", "vary_a_board", "describe_a_rail", "describe_a_stackup",
              "describe_a_via", "describe_crosstalk", "read_a_report")
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    """The pages that are made of the program, by their path below docs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS / "_ext"))
        pages: dict[str, str] = importlib.import_module("generated_pages").pages()
    return pages


def test_links_within_the_docs_lead_somewhere(made: dict[str, str]) -> None:
    pages = doc_pages.written_pages()
    written = {page.relative_to(DOCS).as_posix(): page.read_text(encoding="utf-8") for page in pages}
    for name, text in {**written, **made}.items():
        folder = (DOCS / name).parent
        prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
            place = os.path.normpath(folder / target)
            assert os.path.relpath(place, DOCS) in made or os.path.exists(place), f"{name}: {target}"


def test_pages_have_no_block_that_nobody_runs(made: dict[str, str]) -> None:
    texts = [page.read_text(encoding="utf-8") for page in doc_pages.written_pages()]
    languages = {word for text in (*texts, *made.values()) for word in re.findall(r"^```(\S+)$", text, re.MULTILINE)}
    assert languages <= {"console", "yaml", "diff", "python", "sh", "text", "{toctree}"}


@pytest.mark.parametrize("cure", [
    ["  fix  leave a stub of 20 mil at most (re-solved: 73 ohm,", "       14.1%, marginal)"],
    ["  fix  leave a stub of 20 mil at most (re-solved: 73 ohm)"],
    [],
])
def test_an_excerpt_grows_and_shrinks_with_its_message(cure: list[str]) -> None:
    """The last line of a stretch stays the last one, whatever becomes of the lines before it."""
    shown = ("head\n...\n  says one\n  fix  leave a stub of 20 mil at most (re-solved: 73 ohm)\n"
             "  at   board.yaml:7:1\n...")
    printed = ["head", "skipped", "", "  says one", *cure, "  at   board.yaml:7:1", "", "the next finding"]
    wanted = ["head", "...", "  says one", *cure, "  at   board.yaml:7:1", "..."]
    assert doc_pages.renewed(shown, "\n".join(printed)).splitlines() == wanted


# Every command and snippet runs


@pytest.mark.parametrize("page", [
    pytest.param(page, id=page.name, marks=[pytest.mark.long] if page.stem in SLOW_PAGES else [])
    for page in doc_pages.written_pages()])
def test_what_a_page_shows_is_what_happens(page: Path, tmp_path: Path, program: tuple[str, ...]) -> None:
    """If this fails: python tests/doc_pages.py, and read what it has changed."""
    text = page.read_text(encoding="utf-8")
    (tmp_path / "page").mkdir()
    assert doc_pages.Run(tmp_path / "page", page.name, program).page(text) == text


def before(text: str) -> str:
    """The command that makes the earlier report with which an example compares; an empty one if none does."""
    compares = re.search(r"-p (\S+) --baseline old\.json", text)
    return f"pcbrules check board.yaml -p {compares[1]} -o old.json" if compares else ":"


@cache
def any_board() -> str:
    """A board with what commands ask for, and little more of its kind: a link `up`, a rail `core`."""
    board = yaml.load((ROOT / "boards" / "hgx-h100-baseboard.yaml").read_bytes(), Loader=LOADER)
    links = board["links"]
    board["links"] = {"nvl_l3": links["nvl_l3"], "pcie_up": links["pcie_up"], "up": links["pcie_up"]}
    board["rails"] = {"core": board["rails"]["nvsw_core"]}
    return yaml.safe_dump(board, sort_keys=False)


def with_boards(folder: Path, text: str) -> None:
    """The boards that a text names, `board.yaml`, and a layout."""
    (folder / "boards").mkdir(parents=True)
    for name in {"jetson-orin-carrier.yaml", *re.findall(r"boards/([\w-]+\.yaml)", text)}:
        shutil.copy(ROOT / "boards" / name, folder / "boards")
    (folder / "board.yaml").write_text(any_board(), encoding="utf-8")
    shutil.copy(ROOT / "tests" / "data" / "layouts" / "design.kicad_pcb", folder)
    shutil.copy(ROOT / "tests" / "data" / "layouts" / "design.xml", folder / "board.xml")
    (folder / "space.yaml").write_text("schema: 1\nboard: boards/jetson-orin-carrier.yaml\nprofile: edge\naxes:\n"
                                       "- {foil: [L1], values: [rtf, hvlp2]}\n", encoding="utf-8")
    (folder / "waivers.yaml").write_text("waivers: []\n", encoding="utf-8")


STUDIES = ("--over-spec", "reach", "search", "yield", "--optimize")
"""What stands in the README's commands that check many boards or banks."""


@pytest.mark.parametrize("studies", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_commands_of_the_readme_run(studies: bool, tmp_path: Path, program: tuple[str, ...]) -> None:
    """`init` writes the file that is there already: it is left out here, and run on other pages."""
    lines = re.findall(r"^    (pcbrules (?!init).*)$", README, re.MULTILINE)
    mine = [line for line in lines if any(word in line.split("  #")[0] for word in STUDIES) is studies]
    with_boards(tmp_path / "page", "")
    run = doc_pages.Run(tmp_path / "page", "README", program)
    assert len(mine) >= len(STUDIES) and len(lines) > 2 * len(STUDIES)
    run.console("\n".join(f"$ {line}" for line in ([] if studies else [before(README)]) + mine))
    for block in doc_pages.blocks(README):
        if block.language == "yaml":
            run.block(block)


@pytest.mark.parametrize("command", [
    pytest.param(name, marks=[pytest.mark.long] if name in SLOW else []) for name in ("", *COMMANDS)])
def test_the_examples_of_a_command_run(
    command: str, made: dict[str, str], tmp_path: Path, program: tuple[str, ...]
) -> None:
    """In a folder with boards and golden data under the names that the examples use."""
    head, *parts = re.split(r"^## pcbrules ", made["reference/command-line.md"], flags=re.MULTILINE)
    text = next(part for part in parts if part.startswith(f"{command}\n")) if command else head
    folder = tmp_path / "page"
    with_boards(folder, text)
    (folder / "my" / "golden").mkdir(parents=True)
    shutil.copy(ROOT / "pcbrules" / "selftest" / "data" / "cross_sections.golden.json", folder / "my" / "golden")
    if command == "init":
        (folder / "board.yaml").unlink()
        (folder / "space.yaml").unlink()
    run = doc_pages.Run(folder, command, program)
    run.console(f"$ {before(text)}")
    assert [run.block(block) for block in doc_pages.blocks(text)]


def test_an_edit_that_does_not_fit_and_output_that_is_not_printed_are_seen(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    run = doc_pages.Run(tmp_path / "page", "trial")
    assert run.page("```console\n$ echo one\ntwo\n```\n") == "```console\n$ echo one\none\n```\n"
    assert run.page("```console\n$ seq 9\n1\n...\n7\n...\n```\n") == "```console\n$ seq 9\n1\n...\n7\n...\n```\n"
    with pytest.raises(AssertionError, match="check missing"):
        run.page("```console\n$ pcbrules check missing.yaml -p edge\n```\n")
    with pytest.raises(AssertionError, match="what is this"):
        run.page("```yaml\nlinkz: {}\n```\n")
    with pytest.raises(InputError):
        run.page("```yaml\nboard: {nam: x}\n```\n")
    (run.folder / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="0 times"):
        run.page("```diff\n--- a.yaml\n-a: 2\n+a: 3\n```\n")


def test_every_rule_has_a_page_with_its_limits(made: dict[str, str]) -> None:
    for name, rule in all_rules().items():
        page = made[f"rules/{name}.md"]
        assert all(f"`{limit} " in page for limit in rule.META.limits), name
        assert all(f"`{path}`" in page for path in rule.META.inputs), name
        assert f"[{name}]({name}.md)" in made["rules/index.md"]
    assert {f"rules/{name}.md" for name in ENGINE_RULES} <= made.keys()


def test_every_section_of_the_board_file_has_a_page_with_an_example_that_is_read(
    made: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "page").mkdir()
    run = doc_pages.Run(tmp_path / "page", "board file")
    for section in doc_pages.SECTIONS - {"schema"}:
        (example,) = doc_pages.blocks(made[f"reference/board-file/{section}.md"])
        assert example.text.startswith(f"{section}:")
        run.block(example)


def test_every_word_of_a_ruleset_stands_in_its_reference(made: dict[str, str]) -> None:
    page = made["reference/ruleset.md"]
    words = {word for known in known_words().values() for word in known}
    assert all(f"`{word}`" in page for word in {*KEYS, *ENTRY_KEYS, *CONDITIONS, *known_words(), *words})
    assert all(f"[{name}](../rules/{name}.md) | `{limit}`" in page
               for name, rule in all_rules().items() for limit in rule.META.limits)


def test_every_source_of_a_limit_stands_on_the_page_of_sources(made: dict[str, str]) -> None:
    for profile in rulesets.profiles():
        for rule, entries in rulesets.load(profile).rules.items():
            for entry in entries:
                assert entry.source.provenance in made["sources.md"]
                assert not entry.limits or f"[{rule}]" in made["sources.md"]
