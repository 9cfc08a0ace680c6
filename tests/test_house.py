# SPDX-License-Identifier: MIT
"""Rules of the house that no other tool checks."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pcbrules import rulesets
from pcbrules.cli.main import COMMANDS, cli
from pcbrules.rules import all_rules

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pcbrules"
SOURCES = sorted(PACKAGE.rglob("*.py"))
TEXTS = [
    *SOURCES,
    *sorted(PACKAGE.rglob("*.yaml")),
    *sorted((ROOT / "rulesets").glob("*.yaml")),
    *sorted((ROOT / "boards").rglob("*.yaml")),
    *sorted((ROOT / "docs").glob("*.*")),
    *sorted(ROOT.glob("*.md")),
    ROOT / "pyproject.toml",
    ROOT / "Makefile",
]
NETWORK = ("pickle", "urllib", "socket", "requests", "http", "logging")
FORBIDDEN = ("/work" + "/", "/home" + "/", "/root" + "/", "pypi" + ".org", "find_string" + " id", "read_file" + " id")


@pytest.mark.parametrize("file", SOURCES, ids=lambda f: str(f.relative_to(ROOT)))
def test_source_file(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# SPDX-License-Identifier: MIT\n")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module says what it is"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "eval", "exec", "compile", "input"), node.lineno
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            for module in modules:
                top = module.split(".")[0]
                allowed = module == "urllib.parse" or top not in NETWORK
                assert allowed, node.lineno
                assert top != "skrf" or file.name == "_skrf.py", node.lineno
                assert not re.match(r"scipy\.(signal|stats|interpolate)", module), node.lineno


def test_networks_are_never_opened_by_path() -> None:
    """scikit-rf's constructor unpickles a file that it is given."""
    text = (PACKAGE / "networks" / "_skrf.py").read_text(encoding="utf-8")
    for call in re.findall(r"Network\(([^)]*)", text):
        assert not re.match(r"\s*(f?[\"']|path|file)", call)


@pytest.mark.parametrize("file", TEXTS, ids=lambda f: str(f.relative_to(ROOT)))
def test_the_tree_speaks_of_the_product_alone(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for word in FORBIDDEN:
        assert word not in text


def loaded(*command: str) -> set[str]:
    """Top-level modules that a command has loaded when it ends."""
    code = (
        "import sys, contextlib, io\n"
        "from pcbrules.cli.main import cli\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    cli({list(command)!r}, prog_name='pcbrules')\n"
        "print(' '.join(sorted({name.split('.')[0] for name in sys.modules})))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_click_alone(option: str) -> None:
    assert loaded(option).isdisjoint({"numpy", "scipy", "skrf", "pydantic", "yaml"})


@pytest.mark.parametrize("command", [("rules",), ("explain", "SIG003"), ("check", "--help")])
def test_listing_and_explaining_load_no_numerics(command: tuple[str, ...]) -> None:
    assert loaded(*command).isdisjoint({"numpy", "scipy", "skrf"})


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_real_example_in_its_help(name: str) -> None:
    shown = CliRunner().invoke(cli, [name, "--help"], prog_name="pcbrules")
    assert shown.exit_code == 0
    assert re.search(rf"Examples?.*\n\s+(cat .*\| )?pcbrules {name}", shown.output)


@pytest.mark.parametrize("rule", all_rules())
def test_every_rule_has_a_page(rule: str) -> None:
    module = all_rules()[rule]
    text = module.__doc__ or ""
    for heading in ("What it checks:", "Why it matters:", "How to fix it:"):
        assert heading in text
    meta = module.META
    assert re.fullmatch(r"[A-Z]{3}\d{3}", meta.id) and re.fullmatch(r"[a-z0-9-]+", meta.name)
    assert meta.title and meta.inputs and meta.limits
    assert getattr(module, "__name__", "").rpartition(".")[2].startswith(meta.id.lower())


@pytest.mark.parametrize("profile", rulesets.profiles())
def test_every_limit_of_a_rule_is_used_by_some_profile(profile: str) -> None:
    used: dict[str, set[str]] = {rule: set() for rule in all_rules()}
    for name in rulesets.profiles():
        for rule, entries in rulesets.load(name).rules.items():
            for entry in entries:
                used[rule] |= set(entry.limits)
    for rule, module in all_rules().items():
        assert used[rule] == set(module.META.limits), rule
