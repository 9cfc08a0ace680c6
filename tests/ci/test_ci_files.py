# SPDX-License-Identifier: MIT
"""The files that CI systems read: what they promise, and each step of the action as a runner would run it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_bench import BOARD, ROOT, environment, ruleset
from test_gate import WORSE, Repo, repo

__all__ = ["repo"]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
GITLAB: dict[str, Any] = yaml.safe_load((ROOT / "ci" / "gitlab.yml").read_text(encoding="utf-8"))
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
BESIDE = Path(sys.executable).parent
unix = pytest.mark.skipif(os.name == "nt", reason="needs a shell of Unix")


def test_no_expression_stands_in_the_text_of_a_command() -> None:
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        assert ("run" in step) == ("shell" in step)
    assert {step["shell"] for step in STEPS if "run" in step} == {"bash"}


def test_actions_of_others_are_pinned_by_version() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used and all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d+\.\d+\.\d+", name) for name in used)


def test_every_input_is_described_and_used_and_every_variable_is_read() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name, given in ACTION["inputs"].items():
        assert given["description"] and f"inputs.{name}" in text
    script = (ROOT / "ci" / "gate.sh").read_text(encoding="utf-8")
    head = script.split("set -euo pipefail")[0]
    for place in (next(step for step in STEPS if step.get("id") == "check")["env"], GITLAB[".pcbrules"]["variables"]):
        for name in place:
            known = name in head or name in ("PCBRULES_SOURCE", "PCBRULES_INSTALL", "GIT_DEPTH")
            assert known, f"{name} is none of the script's"
    assert set(re.findall(r"PCBRULES_[A-Z_]+", script)) == set(re.findall(r"PCBRULES_[A-Z_]+", head))


CONTEXT = {
    "inputs.profile": "few.yaml", "inputs.regression": "", "inputs.fail-on": "error", "inputs.waivers": "",
    "inputs.options": "", "inputs.boards": "boards", "inputs.changed-only": "true", "github.action_path": str(ROOT),
    "github.server_url": "https://h.example", "github.repository": "o/r", "github.sha": "0f",
}


@unix
def test_the_steps_of_the_action_as_a_runner_runs_them(repo: Repo, tmp_path: Path) -> None:
    """The check fails as it should, and the steps after it run on what it left; with the program as it is started."""
    repo.install((sys.executable, "-m", "pcbrules"))
    repo.edit("boards/a.yaml", *WORSE)
    repo.commit()
    for name in ("output", "summary"):
        (repo.files / name).write_text("")
    context = CONTEXT | {"inputs.target": repo.git("rev-parse", "main")}
    step = next(step for step in STEPS if step.get("id") == "check")
    env = {k: re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda m: context[m[1]], v) for k, v in step["env"].items()}
    script = tmp_path / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], cwd=repo.folder, capture_output=True,
        text=True, timeout=120, check=False,
        env=environment({
            **env, "PATH": f"{repo.bin}{os.pathsep}{os.environ['PATH']}", "GITHUB_ACTIONS": "true",
            "GITHUB_OUTPUT": str(repo.files / "output"), "GITHUB_STEP_SUMMARY": str(repo.files / "summary"),
        }),
    )
    assert done.returncode == 1, done.stderr
    assert (repo.files / "output").read_text().split() == ["exit-code=1", "sarif=true"]
    folder = repo.folder / env["PCBRULES_OUT"]
    named = [step["with"] for step in STEPS if str(step.get("name", "")).startswith("Upload")]
    for given in named:
        path = given.get("sarif_file") or given["path"]
        assert (repo.folder / path).exists(), path
    assert "https://h.example/o/r/blob/0f/boards/a.yaml#L17" in (repo.files / "summary").read_text(encoding="utf-8")
    assert sorted(path.name for path in folder.iterdir()) == [
        "baseline.json", "baseline.txt", "console.txt", "junit.xml", "report.json", "report.md", "report.sarif",
        "summary.md"]


@unix
def test_the_script_of_installation(tmp_path: Path) -> None:
    """With an interpreter that stands in: what it is asked for, and the path of later steps."""
    fake = tmp_path / "python"
    fake.write_text(
        '#!/bin/bash\necho "$@" >>"$LOG"\nif [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; '
        'printf "#!/bin/sh\\necho pcbrules 0" >"$3/bin/pcbrules"; chmod +x "$3/bin/pcbrules"; fi\n', encoding="utf-8")
    fake.chmod(0o755)
    path = tmp_path / "path"
    env = {**os.environ, "LOG": str(tmp_path / "log"), "PCBRULES_PYTHON": str(fake), "GITHUB_PATH": str(path),
           "PCBRULES_VENV": str(tmp_path / "a b"), "PCBRULES_SOURCE": str(tmp_path / "s o")}
    subprocess.run(["bash", "-euo", "pipefail", str(ROOT / "ci" / "install.sh")], env=env, check=True)
    assert path.read_text() == f"{tmp_path}/a b/bin\n"
    assert (tmp_path / "log").read_text().splitlines()[-1].endswith(f"{tmp_path}/s o")


def test_gitlab_runs_the_script_of_the_package() -> None:
    job = GITLAB[".pcbrules"]
    assert job["script"][-1] == 'bash "$gate"' and "_ci" in job["script"][-2]
    assert job["artifacts"]["when"] == "always" and job["artifacts"]["reports"]["junit"].endswith("junit.xml")
    wheel = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '"ci/gate.sh" = "pcbrules/_ci/gate.sh"' in wheel


@unix
@pytest.mark.skipif(not shutil.which("pre-commit", path=f"{BESIDE}{os.pathsep}{os.environ['PATH']}"),
                    reason="needs pre-commit")
def test_the_hook_with_the_real_program(tmp_path: Path) -> None:
    """On a scratch repository, with the command of this checkout: fails and passes where it should."""
    scratch, shims = tmp_path / "scratch", tmp_path / "bin"
    for folder in (scratch / "boards", shims):
        folder.mkdir(parents=True)
    shim = shims / "pcbrules"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pcbrules "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    path = os.pathsep.join([str(shims), str(BESIDE), os.environ["PATH"]])
    env = environment({"PATH": path, "PRE_COMMIT_HOME": str(tmp_path / "home"), "GIT_CONFIG_GLOBAL": os.devnull})

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, cwd=scratch, env=env, capture_output=True, text=True, timeout=120, check=False)

    def hook() -> subprocess.CompletedProcess[str]:
        run("git", "add", "-A")
        return run("pre-commit", "run", "pcbrules")

    assert not run("pre-commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")).returncode
    run("git", "init", "-q")
    local = {**HOOKS[0], "language": "system", "args": ["--profile", "few.yaml"]}
    local.pop("minimum_pre_commit_version", None)
    (scratch / "few.yaml").write_text(ruleset(), encoding="utf-8")
    config = scratch / ".pre-commit-config.yaml"
    config.write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": [local]}]}), encoding="utf-8")
    board = scratch / "boards" / "mein board.yaml"
    board.write_text(BOARD, encoding="utf-8")
    done = hook()
    assert done.returncode == 0 and "Passed" in done.stdout, done.stdout + done.stderr
    board.write_text(BOARD.replace("residual: 4 mil", "residual: 9 mil"), encoding="utf-8")
    done = hook()
    assert done.returncode == 1 and "SIG003" in done.stdout and "boards/mein board.yaml:17:" in done.stdout
    board.write_text(BOARD.replace(", size: {width: 90 mm, height: 90 mm}", ""), encoding="utf-8")
    assert "exit code: 3" in hook().stdout
    local["args"] = []
    config.write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": [local]}]}), encoding="utf-8")
    done = hook()
    assert done.returncode == 1 and "exit code: 2" in done.stdout and "--profile edge" in done.stdout
    run("git", "-c", "user.name=t", "-c", "user.email=t@e", "commit", "-qm", "x")
    (scratch / "notes.yaml").write_text("a: 1\n", encoding="utf-8")
    assert "no files to check" in hook().stdout, "other files are none of its"
