# SPDX-License-Identifier: MIT
"""The files that CI systems read: what they promise, and each step of the action as a runner would run it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
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
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
JOB: dict[str, Any] = WORKFLOW["jobs"]["check"]
BESIDE = Path(sys.executable).parent
unix = pytest.mark.skipif(os.name == "nt", reason="needs a shell of Unix")


def test_no_expression_stands_in_the_text_of_a_command() -> None:
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        assert ("run" in step) == ("shell" in step)
    assert {step["shell"] for step in STEPS if "run" in step} == {"bash"}


def test_actions_of_others_are_pinned_by_version() -> None:
    used = [step["uses"] for step in (*STEPS, *JOB["steps"]) if "uses" in step]
    assert used and all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d+\.\d+\.\d+", name) for name in used)


def test_the_workflow_runs_every_python_that_the_wheel_says_it_runs_on() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    said = [text.rpartition(" ")[2] for text in project["classifiers"]
            if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", text)]
    assert said == JOB["strategy"]["matrix"]["python"] and len(said) >= 3
    assert project["requires-python"] == f">={said[0]}"
    assert [step["run"] for step in JOB["steps"][-2:]] == ["bash .ci/run", ".venv/bin/python -m pytest -q -n 2 -m long"]
    assert any(step.get("with", {}).get("python-version") == "${{ matrix.python }}" for step in JOB["steps"])


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
    "inputs.options": "", "inputs.require": "", "inputs.policy": "",
    "inputs.hold-checks": "true", "inputs.fix": "false",
    "inputs.boards": "boards", "inputs.changed-only": "true", "github.action_path": str(ROOT),
    "github.server_url": "https://h.example", "github.repository": "o/r", "github.sha": "0f",
}


@pytest.mark.long
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
        '#!/bin/bash\necho "$@" >>"$LOG"\nif [ "$3" = venv ]; then mkdir -p "$4/bin"; cp "$0" "$4/bin/python"; '
        'printf "#!/bin/sh\\necho pcbrules 0" >"$4/bin/pcbrules"; chmod +x "$4/bin/pcbrules"; fi\n', encoding="utf-8")
    fake.chmod(0o755)
    path = tmp_path / "path"
    (tmp_path / "s o").mkdir()
    (tmp_path / "s o" / "pyproject.toml").touch()
    env = {**os.environ, "LOG": str(tmp_path / "log"), "PCBRULES_PYTHON": str(fake), "GITHUB_PATH": str(path),
           "PCBRULES_VENV": str(tmp_path / "a b"), "PCBRULES_SOURCE": str(tmp_path / "s o")}
    subprocess.run(["bash", "-euo", "pipefail", str(ROOT / "ci" / "install.sh")], env=env, check=True)
    assert path.read_text() == f"{tmp_path}/a b/bin\n"
    assert (tmp_path / "log").read_text().splitlines()[-1].endswith(f" {tmp_path}/s o/")
    done = subprocess.run(["bash", str(ROOT / "ci" / "install.sh")], env={**env, "PCBRULES_SOURCE": "pcbrules"},
                          cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no checkout of pcbrules" in done.stdout, "a name is not taken for a package"


def job_of_gitlab(folder: Path, install: str) -> tuple[int, str, list[str]]:
    """Run the job's script with a `python` that stands in: exit code, what it said, and what pip was asked for."""
    shims, log = folder / "shims", folder / "pip.log"
    shims.mkdir(exist_ok=True)
    shim = shims / "python"
    shim.write_text(f'#!/bin/bash\nif [ "$3" = pip ]; then printf "%s\\n" "${{@: -1}}" >>"{log}"; '
                    f'else echo "{folder}/gate.sh"; fi\n', encoding="utf-8")
    shim.chmod(0o755)
    (folder / "gate.sh").write_text("echo gate; exit 3\n", encoding="utf-8")
    log.write_text("")
    done = subprocess.run(["bash", "-e", "-c", "\n".join(GITLAB[".pcbrules"]["script"])], cwd=folder,
                          env={**os.environ, "PATH": f"{shims}{os.pathsep}{os.environ['PATH']}",
                               "PCBRULES_INSTALL": install}, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr, log.read_text().splitlines()


@unix
def test_the_job_of_gitlab_installs_what_it_is_told_and_never_a_name(tmp_path: Path) -> None:
    given = GITLAB[".pcbrules"]["variables"]["PCBRULES_INSTALL"]
    for name in dict.fromkeys([given, "", "pcbrules", "pcbrules==0.1.0", "pcbrules[png]"]):
        code, said, asked = job_of_gitlab(tmp_path, name)
        assert code == 2 and not asked and "git+https://HOST/GROUP/pcbrules.git@COMMIT" in said, name
    address = "git+https://h.example/o/pcbrules.git@0f"
    assert job_of_gitlab(tmp_path, address) == (3, "gate\n", [address])
    (tmp_path / "pcbrules").mkdir()
    code, _, asked = job_of_gitlab(tmp_path, "pcbrules")
    assert code == 3 and asked == [str(tmp_path / "pcbrules")], "a submodule is a path, not a name"


TEXTS = [ROOT / name for name in ("README.md", "action.yml", ".pre-commit-hooks.yaml", "Makefile", "docs/index.md",
                                  "docs/tutorial.md")]
TEXTS += [*sorted((ROOT / "ci").iterdir()), *sorted((ROOT / "docs" / "how-to").glob("*.md"))]
PROGRAM = sorted((ROOT / "pcbrules").rglob("*.py"))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_templates_and_docs_name_exists(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name in re.findall(r"(?<![\w./-])(?:ci|boards|docs|rulesets|tests)/[\w./-]*\w", text):
        assert (ROOT / name).exists() or name in ("boards/x.yaml", "boards/board.yaml"), name
    for name in re.findall(r"PCBRULES_SOURCE/(ci/[\w.]+)", text):
        assert (ROOT / name).is_file(), name
    refs = re.findall(r"pcbrules(?:\.git)?@([\w.-]+)|^ *rev: *([\w.-]+)", text, re.MULTILINE)
    assert {ref for pair in refs for ref in pair if ref} <= {"COMMIT"}, "no release is tagged"


def test_no_text_installs_pcbrules_by_its_name() -> None:
    """It is in no package registry: the name there would be somebody else's."""
    for path in [*TEXTS, *PROGRAM]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"pip install\s[^\n]*[\s'\"]pcbrules(?![\w./-])|pcbrules(\[\w+\])?\s*[=~><]=", text), path


@pytest.mark.parametrize(("extra", "file"), [("png", "_png.py"), ("pdf", "pdf.py")])
def test_the_package_that_a_cure_installs_is_that_of_the_extra(extra: str, file: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["optional-dependencies"][extra]
    text = (ROOT / "pcbrules" / "reports" / file).read_text(encoding="utf-8")
    (cure,) = re.findall(r"pip install ([\w -]+)", text)
    assert cure.split() == [re.split(r"[>=<]", one)[0] for one in wanted]


def test_the_hook_is_a_command_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert HOOKS[0]["entry"].split()[0] in project["scripts"] and HOOKS[0]["language"] == "python"


def test_gitlab_runs_the_script_of_the_package() -> None:
    job = GITLAB[".pcbrules"]
    assert job["variables"]["GIT_DEPTH"] == "0", "the gate refuses a shallow checkout"
    assert job["script"][-1] == 'env -u PCBRULES_TOKEN bash "$gate"' and "_ci" in job["script"][-2]
    assert job["artifacts"]["when"] == "always" and job["artifacts"]["reports"]["junit"].endswith("junit.xml")
    wheel = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '"ci/gate.sh" = "pcbrules/_ci/gate.sh"' in wheel


@pytest.mark.long
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


def test_what_nobody_sets_holds_checks() -> None:
    """The safe policy is that of a newcomer: in the action, in the script, and so in the template of GitLab."""
    assert ACTION["inputs"]["hold-checks"]["default"] == "true"
    assert "hold=${PCBRULES_HOLD_CHECKS:-true}" in (ROOT / "ci" / "gate.sh").read_text(encoding="utf-8")
    assert "PCBRULES_HOLD_CHECKS" not in GITLAB[".pcbrules"]["variables"]
