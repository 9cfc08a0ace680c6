# SPDX-License-Identifier: MIT
"""Rules of the house: what every file, rule, ruleset and command must have, and what none may do."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from pcbrules import rulesets
from pcbrules.analysis.common.plan import all_analyses
from pcbrules.cli.main import COMMANDS, cli
from pcbrules.library.shelf import LOADER
from pcbrules.rules import all_rules
from pcbrules.rules._engine_rules import ENGINE_RULES
from pcbrules.units import DIMENSIONS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = sorted((ROOT / "pcbrules").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
SHIPPED = [
    path
    for name in ("pcbrules", "rulesets", "boards", "docs", "tests", "README.md", "CHANGELOG.md", "NOTICE", "LICENSE",
                 "Makefile", "pyproject.toml", ".ci", ".github", "ci", "action.yml", ".pre-commit-hooks.yaml")
    for path in ([ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*")))
    if path.is_file() and "__pycache__" not in path.parts and path != Path(__file__).resolve()
]


def where(path: Path, node: ast.AST | None = None) -> str:
    """Place for a message."""
    return f"{path.relative_to(ROOT).as_posix()}:{getattr(node, 'lineno', 1)}"


@cache
def trees() -> dict[Path, ast.Module]:
    """The package, parsed."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE}


@cache
def every_node() -> tuple[tuple[Path, ast.AST], ...]:
    """All nodes of the package."""
    return tuple((path, node) for path, tree in trees().items() for node in ast.walk(tree))


def nodes(kind: type[ast.AST]) -> Iterator[tuple[Path, ast.AST]]:
    """All nodes of a kind in the package."""
    yield from ((path, node) for path, node in every_node() if isinstance(node, kind))


def imports() -> Iterator[tuple[Path, ast.AST, str]]:
    """Every module that the package imports."""
    for path, node in nodes(ast.Import):
        assert isinstance(node, ast.Import)
        yield from ((path, node, alias.name) for alias in node.names)
    for path, node in nodes(ast.ImportFrom):
        assert isinstance(node, ast.ImportFrom)
        yield path, node, node.module or ""
        yield from ((path, node, f"{node.module}.{alias.name}") for alias in node.names)


def called(node: ast.Call) -> str:
    """Last name of what is called: `print`, `Network`, `today`."""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


# Files


def test_the_licence_stands_at_the_top_of_every_file() -> None:
    lacking = [
        where(path) for path in (*PACKAGE, *TESTS)
        if path.read_text(encoding="utf-8").splitlines()[:1] != ["# SPDX-License-Identifier: MIT"]
    ]
    assert not lacking


FORBIDDEN = re.compile(
    r"/work/|/home/\w|/root/|/Users/|[A-Z]:\\Users|pypi\.org|pythonhosted|artifactory|localhost|127\.0\.0\.1"
    r"|\bclaude\b|anthropic|chatgpt|copilot|\bTODO\b|\bFIXME\b|\bXXX\b",
    re.IGNORECASE,
)


HINTS = ("/work/", "/home/", "/root/", "users", "pypi", "pythonhosted", "artifactory", "localhost", "127.0.0.1",
         "claude", "anthropic", "chatgpt", "copilot", "todo", "fixme", "xxx", "/tmp/")
"""One of these is in every line that the expression finds: most files need no look at each line."""


def test_no_file_names_this_machine_or_ends_lines_as_windows_does() -> None:
    faults = []
    for path in SHIPPED:
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        if "\r" in text and path.suffix in (".py", ".yaml", ".md", ".toml", ".sh"):
            faults.append(f"{where(path)} has a carriage return")
        small = text.lower()
        for number, line in enumerate(text.splitlines() if any(word in small for word in HINTS) else (), 1):
            found = FORBIDDEN.search(line) or ("tests" not in path.parts and re.search(r"(?<![\w.])/tmp/", line))
            if found:
                faults.append(f"{where(path)[:-1]}{number}: {found[0]}")
    assert not faults


# Code


def test_only_one_file_imports_scikit_rf_and_nothing_imports_what_is_slow_or_unsafe() -> None:
    slow = r"scipy\.(signal|stats|interpolate|ndimage)"
    banned = re.compile(rf"({slow}|pickle|marshal|shelve|dill|logging|random|time)(\.|$)")
    for path, node, name in imports():
        if name.split(".")[0] == "skrf":
            assert path.name == "_skrf.py", where(path, node)
        if path.name == "solver_cache.py" and name.startswith("time"):
            continue  # a clock says how dear a result was: which are kept, never what they are
        assert not banned.match(name), f"{where(path, node)} imports {name}"


def test_nothing_prints_evaluates_or_runs_text() -> None:
    banned = {"print", "eval", "exec", "compile", "breakpoint", "input", "system", "popen", "Popen", "__import__"}
    for path, node in nodes(ast.Call):
        assert isinstance(node, ast.Call)
        name = called(node)
        assert name not in banned or ast.unparse(node.func).startswith("re."), f"{where(path, node)} calls {name}"


def test_no_network_is_made_from_a_path() -> None:
    """`Network(path)` tries to unpickle the file first."""
    for path, node in nodes(ast.Call):
        assert isinstance(node, ast.Call)
        if called(node) in ("Network", "NetworkSet"):
            assert not node.args and not {"file", "filename"} & {k.arg for k in node.keywords}, where(path, node)
        assert called(node) not in ("read_all", "from_zip", "from_dir"), where(path, node)


def test_the_clock_is_read_in_one_place() -> None:
    for path, node in nodes(ast.Call):
        assert isinstance(node, ast.Call)
        if called(node) in ("today", "now", "utcnow", "time", "time_ns", "urandom", "uuid4"):
            assert path.name == "_permitted.py" and path.parent.name == "api", where(path, node)


TABLES = {
    "physics/lines/cross_section/_panels.py": {"rule", "gauss"},  # points and weights of quadrature, by their number
    "model/catalogue/select.py": {"df_at", "dk_at", "choose_set", "model_set"},  # of few laminates, a reading each
    "model/ranges/band.py": {"bounds"},  # of texts of the schema
}
"""Caches of functions with arguments that stay in a process, and why they stay small."""


def test_results_are_kept_in_the_solver_cache_alone() -> None:
    for path, node in nodes(ast.FunctionDef):
        assert isinstance(node, ast.FunctionDef)
        of, *_ = parts = path.relative_to(ROOT / "pcbrules").as_posix().split("/")
        asked = node.args.args or node.args.kwonlyargs
        if of not in ("analysis", "model", "networks", "physics", "studies", "engine.py") or not asked:
            continue
        of_node = map(ast.unparse, node.decorator_list)
        caches = [text for text in of_node if "cache" in text and text != "cached_property"]
        assert not caches or node.name in TABLES.get("/".join(parts), ()), where(path, node)


def test_yaml_is_read_with_a_safe_loader_only() -> None:
    for path, node in nodes(ast.Call):
        assert isinstance(node, ast.Call)
        if ast.unparse(node.func) in ("yaml.load", "yaml.load_all"):
            assert any(k.arg == "Loader" for k in node.keywords), where(path, node)
        assert "unsafe" not in ast.unparse(node.func).lower(), where(path, node)


TIES = ("ties.py", "extremes.py")
"""Modules that say which numbers are equal."""

BARE = {"argmax", "argmin", "nanargmax", "nanargmin", "argsort", "argpartition", "lexsort"}
SORTED_BY_KEY = {"analysis", "networks", "physics", "reports", "selftest", "studies"}
"""Folders in which every order by a key goes through `ties.ordered`: elsewhere keys are whole numbers and words."""

HARMLESS = {
    ("physics/power/sheet_mesh.py", "argsort"): "whole numbers; any large triangle of a region speaks for all",
    ("physics/power/sheet_mesh.py", "lexsort"): "cuts along a side: those at one place are one point",
    ("physics/power/plane_groups.py", "argsort"): "the order in which the terms of a sum are added",
    ("physics/power/sheet_slits.py", "lexsort"): "sides along a line: no copper lies between two at one place",
    ("physics/lines/cross_section/_arrangement.py", "lexsort"): "cuts along an edge closer than a tolerance are one",
    ("physics/lines/cross_section/_arrangement.py", "argsort"): "values closer than a tolerance get one label",
}


def bare_choices() -> Iterator[tuple[str, str, str]]:
    """File, function and place of every choice or order of numbers that the last bit decides."""
    for path, node in every_node():
        name, by_key = "", False
        if isinstance(node, ast.Attribute):
            name = node.attr if node.attr in BARE else ""
        elif isinstance(node, ast.Call) and any(keyword.arg == "key" for keyword in node.keywords):
            name = called(node) if called(node) in ("max", "min", "sorted", "sort") else ""
            by_key = name in ("sorted", "sort")
        if not name or path.name in TIES:
            continue
        file = path.relative_to(ROOT / "pcbrules").as_posix()
        if not by_key or file.partition("/")[0] in SORTED_BY_KEY:
            yield file, name, where(path, node)


def test_the_last_bit_of_a_number_makes_no_choice() -> None:
    """`max` with a key, `argmax` and sorts of floats choose by rounding between equals; pcbrules.ties does not."""
    found = list(bare_choices())
    assert not [place for file, name, place in found if (file, name) not in HARMLESS]
    assert HARMLESS.keys() == {(file, name) for file, name, _ in found}, "what is no longer there needs no reason"


# Commands


def test_the_name_of_a_class_means_one_thing() -> None:
    """Whoever reads a name knows what it is, whatever was imported."""
    homes: dict[str, list[str]] = {}
    for path, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(where(path, node))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_types_carry_the_cases_that_cannot_be() -> None:
    """A case that cannot be is one that no type admits: nothing raises an AssertionError for the type checker alone."""
    raised = [where(path, node) for path, node in nodes(ast.Raise)
              if isinstance(node, ast.Raise) and node.exc is not None and "AssertionError" in ast.unparse(node.exc)]
    assert raised == []


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_every_help_has_an_example_and_fits_the_terminal(command: str | None) -> None:
    for flag in ("--help", "-h"):
        result = CliRunner().invoke(cli, [command, flag] if command else [flag])
        assert result.exit_code == 0
        assert re.search(rf"Examples?\b.*:\n  .*pcbrules {command or ''}", result.output, re.DOTALL)
        assert all(len(line) <= 80 for line in result.output.splitlines())


def test_the_command_files_are_the_commands() -> None:
    files = {path.stem.removesuffix("_") or path.stem for path in (ROOT / "pcbrules" / "cli").glob("*.py")}
    assert {name for name in files if not name.startswith("_")} - {"main"} == set(COMMANDS)


# Rules


RULES = all_rules()
HEADINGS = ("What it checks:", "Why it matters:", "How to fix it:")


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_card_and_a_page(rule: str) -> None:
    module = RULES[rule]
    meta, page = module.META, module.__doc__ or ""
    assert re.fullmatch(r"[A-Z]{3}\d{3}", meta.id) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", meta.name)
    assert Path(module.__file__ or "").name.startswith(meta.id.lower() + "_")  # type: ignore[attr-defined]
    assert meta.title and meta.limits and meta.inputs and meta.judges in ("nominal", "worst-case")
    places = [page.find(heading) for heading in HEADINGS]
    assert -1 not in places and places == sorted(places), "the three headings, in this order"
    parts = re.split("|".join(HEADINGS), page)
    assert all(len(part.split()) >= 5 for part in parts[1:])
    assert set(meta.limits.values()) <= {*DIMENSIONS, "choice", "foil_class"}


def test_names_of_rules_are_unique() -> None:
    assert max(Counter(m.META.name for m in RULES.values()).values()) == 1
    assert not RULES.keys() & ENGINE_RULES.keys()


MADE_NAMES = {"MEC001": "a name is made of the side that the fact is about"}


@pytest.mark.parametrize("rule", sorted(RULES.keys() - MADE_NAMES.keys()))
def test_a_rule_uses_every_limit_of_its_card(rule: str) -> None:
    """Each name stands in the card and at least once more where it is judged."""
    path = Path(RULES[rule].__file__ or "")  # type: ignore[attr-defined]
    imports = (node.module or "" for node in ast.walk(trees()[path]) if isinstance(node, ast.ImportFrom))
    shared = [path.with_name(f"{name.rpartition('.')[2]}.py") for name in imports if ".rules._" in name]
    constants = (node.value for one in (path, *shared) for node in ast.walk(trees()[one])
                 if isinstance(node, ast.Constant))
    words = Counter(value for value in constants if isinstance(value, str))
    assert not [name for name in RULES[rule].META.limits if words[name] < 2]


PROFILES = {name: rulesets.load(name) for name in rulesets.profiles()}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_shipped_profile_names_every_rule_and_no_limit_that_a_rule_does_not_know(profile: str) -> None:
    loaded = PROFILES[profile]
    assert loaded.rules.keys() == RULES.keys()
    for rule, entries in loaded.rules.items():
        assert all(entry.limits.keys() <= RULES[rule].META.limits.keys() for entry in entries), rule


@pytest.mark.parametrize("rule", RULES)
def test_every_limit_of_a_rule_is_set_somewhere(rule: str) -> None:
    used = {name for loaded in PROFILES.values() for entry in loaded.rules[rule] for name in entry.limits}
    assert used == RULES[rule].META.limits.keys()


def test_every_fact_is_made_by_one_analysis_and_read_by_a_rule() -> None:
    made = Counter(fact for analysis in all_analyses() for fact in analysis.PROVIDES)
    needed = {kind for module in RULES.values() for kind in module.META.facts}
    assert max(made.values()) == 1
    assert made.keys() == needed


def test_the_tests_of_which_the_first_cases_are_run_are_there() -> None:
    """An entry of a test that was renamed would let all of its cases run, or hide that none is left."""
    tests = ROOT / "tests"
    for file, most in yaml.load((tests / "first_cases.yaml").read_bytes(), Loader=LOADER).items():
        names = set(re.findall(r"^def (test_\w+)", (tests / file).read_text(encoding="utf-8"), re.M))
        assert most.keys() <= names, f"{file} has no {sorted(most.keys() - names)}"
        assert all(count >= 0 for count in most.values()), file
