# SPDX-License-Identifier: MIT
"""A checkout that the change under test wrote, against everything that the CI files start in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import yaml
from cli_bench import ROOT, environment
from test_gate import GATE, WORSE, Repo, repo

__all__ = ["repo"]
pytestmark = pytest.mark.skipif(
    os.name == "nt" or not shutil.which("bash") or not shutil.which("git"), reason="needs bash and git"
)
MARK = "taken-over"
MODULES = ("pip", "venv", "ensurepip", "importlib", "pcbrules", "click", "yaml", "json", "sitecustomize")


def trap(folder: Path) -> Path:
    """Put modules of every name that is started into a folder: who imports or runs one leaves a mark."""
    mark = folder.parent / MARK
    text = f"open({str(mark)!r}, 'a').write(__file__ + chr(10))\n"
    for name in MODULES:
        (folder / name).mkdir(parents=True)
        for file in ("__init__.py", "__main__.py"):
            (folder / name / file).write_text(text, encoding="utf-8")
    (folder / "pcbrules" / "_ci").mkdir()
    (folder / "pcbrules" / "_ci" / "gate.sh").write_text(f"echo gate >>'{mark}'\n", encoding="utf-8")
    (folder / "pcbrules" / "_ci" / "comment.py").write_text(text, encoding="utf-8")
    return mark


def interpreter(folder: Path) -> Path:
    """A real Python with a stand-in for pip, which installs a stand-in for pcbrules; the shim that starts it."""
    venv.create(folder / "real", symlinks=True)
    real = folder / "real" / "bin" / "python"
    site = folder / "real" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    (site / "pip").mkdir()
    (site / "pip" / "__main__.py").write_text(
        "import pathlib, sys\n"
        "place = pathlib.Path(__file__).parents[1] / 'pcbrules'\n"
        "(place / '_ci').mkdir(parents=True, exist_ok=True)\n"
        "(place / '__init__.py').touch()\n"
        "(place / '_ci' / 'gate.sh').write_text('echo \"gate token=${PCBRULES_TOKEN:-}\"')\n"
        "(place / '_ci' / 'comment.py').write_text('print(\"comment\")')\n"
        "program = pathlib.Path(sys.executable).with_name('pcbrules')\n"
        "program.write_text('#!/bin/sh\\necho installed')\n"
        "program.chmod(0o755)\n", encoding="utf-8")
    shim = folder / "shims" / "python"
    shim.parent.mkdir()
    shim.write_text(  # an environment of its own has this stand-in too, which saves the time of the real pip
        f'#!/bin/bash\ncase " $* " in *" venv "*) "{real}" "$@" --without-pip || exit 1\n'
        f'cp -r "{site}/pip" "${{@: -1}}"/lib/python*/site-packages/;; *) exec "{real}" "$@";; esac\n',
        encoding="utf-8")
    shim.chmod(0o755)
    return shim


def test_no_module_of_the_checkout_is_imported(tmp_path: Path) -> None:
    """By the installation, and by the script and the after_script of GitLab: all start Python in the checkout."""
    checkout = tmp_path / "checkout"
    mark, shim = trap(checkout), interpreter(tmp_path)
    path = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    path |= {"PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}", "PCBRULES_TOKEN": "secret"}

    def run(script: str, **given: str) -> str:
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=checkout, env={**path, **given},
                              capture_output=True, text=True, check=False)
        assert not mark.exists(), mark.read_text(encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    source = tmp_path / "source"
    source.mkdir()
    (source / "pyproject.toml").touch()
    said = run(f"bash '{ROOT}/ci/install.sh'", PCBRULES_PYTHON=str(shim), PCBRULES_VENV=str(tmp_path / "made"),
               PCBRULES_SOURCE=str(source))
    assert said == "installed\n"
    job = yaml.safe_load((ROOT / "ci" / "gitlab.yml").read_text(encoding="utf-8"))[".pcbrules"]
    assert run("\n".join(job["script"]), PCBRULES_INSTALL="git+https://h.example/p.git@0f") == "gate token=\n"
    assert run("\n".join(job["after_script"])) == "comment\n"


def test_nothing_of_the_checkout_is_run_by_the_gate(repo: Repo) -> None:
    """Modules of the working folder or of a search path, a program on a relative path, hooks."""
    mark = trap(repo.folder)
    start = "import runpy; runpy.run_module('pcbrules', run_name='__main__')"
    (repo.bin / "pcbrules").write_text(
        f'#!/bin/sh\nexport "PYTHONPATH={ROOT}${{PYTHONPATH:+:$PYTHONPATH}}"\n'
        f'exec "{sys.executable}" -c "{start}" "$@"\n',
        encoding="utf-8")
    repo.edit("boards/a.yaml", *WORSE)
    repo.commit()
    for name in ("bin/pcbrules", ".git/hooks/post-checkout", ".git/hooks/reference-transaction"):
        repo.put(name, f"#!/bin/sh\necho '{name}' >>'{mark}'\n")
        (repo.folder / name).chmod(0o755)
    repo.put(".git/info/exclude", "bin\n")
    done = repo.gate(PATH=f"bin:{repo.bin}{os.pathsep}{os.environ['PATH']}", PYTHONPATH=f".:{repo.folder}")
    assert not mark.exists(), mark.read_text(encoding="utf-8")
    assert done.code == 1 and "PCB005" in done.log


def test_reports_are_not_written_through_a_link_of_the_checkout(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    (repo.folder / "out").symlink_to(tmp_path / "else")
    env = environment({"PCBRULES_PROFILE": "edge", "PCBRULES_OUT": "out"})
    done = subprocess.run(["bash", str(GATE)], cwd=repo.folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "leads out of the checkout" in done.stderr
    assert not list((tmp_path / "else").iterdir())
