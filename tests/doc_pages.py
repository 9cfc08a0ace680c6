# SPDX-License-Identifier: MIT
"""Pages of the docs that run: commands with their output, files, edits and Python, in order, in a folder of the page.

`python tests/doc_pages.py` writes the output anew that the pages show. The blocks:

- `console`: lines that begin with `$ ` are run by bash, `pcbrules` among them. What stands below a command is what it
  prints (both streams); a line `...` stands for any lines. A command without output below it may print what it likes.
- `yaml`: read by the reader of what it is. A first line `# name.yaml` writes it to that file. A part of a board file
  is put into the commented edge board, a part of a ruleset on top of the profile edge.
- `diff`: an edit of the file that `--- name.yaml` names; the lines before it must stand there once.
- `python`: run, with a stand-in for matplotlib; with `>>>` its output is compared.
- `sh`: for another machine or another repository; only its syntax is looked at.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from recorded_axes import stand_in

from pcbrules import api, rulesets, waivers
from pcbrules.document import parse_yaml, read_yaml
from pcbrules.library.shelf import LOADER, RECORDS
from pcbrules.model.board_file import BoardFile
from pcbrules.readers.search_spec import read_search_spec

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(console|yaml|diff|python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ([\w./-]+\.ya?ml)\b.*")
MARK = "\x1e"
ELSEWHERE = ("pip ", "git ", "pre-commit ", ".venv/bin/pip ")
"""Commands that need a network or a repository: they are not run. What installs must stand in the README."""
MORE = 8
"""Lines by which a stretch that a page shows may have grown."""
INSTALL = "python3 -m venv"
CI = {"on", "jobs", "repos", "include", "stages", "steps", "script", "uses", "repo"}
SECTIONS = {field.alias or name for name, field in BoardFile.model_fields.items()}


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text, where the text stands in the page."""

    language: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Command:
    """A command and the output that the page shows; None where it shows none."""

    line: str
    shown: str | None


def blocks(page: str) -> list[Block]:
    """The blocks of a page that run."""
    return [Block(m[1], m[2], m.start(2), m.end(2)) for m in FENCE.finditer(page)]


def commands(text: str) -> list[Command]:
    """The commands of a console block."""
    found = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.split("\n")
        count = next(i for i, line in enumerate(lines) if not line.endswith("\\")) + 1
        shown = "\n".join(lines[count:])
        found.append(Command("\n".join(lines[:count]), shown if shown.strip() else None))
    return found


def agrees(shown: str, printed: str) -> bool:
    """True if the page shows what was printed; `...` stands for any lines."""
    wanted = [line.rstrip() for line in shown.rstrip("\n").split("\n")]
    pattern = "\n".join(r"(?:.*\n)*?.*" if line == "..." else re.escape(line) for line in wanted)
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed.rstrip("\n").split("\n"))) is not None


def renewed(shown: str, printed: str) -> str:
    """What was printed, left out where the page leaves out: of every stretch that it shows the likeliest one.

    A stretch may have grown or shrunk by some lines.
    """
    stretches = [part.strip("\n").split("\n") for part in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)]
    lines = printed.rstrip("\n").split("\n")
    if len(stretches) == 1:
        return printed
    made, place = [], 0
    for stretch in stretches:
        if stretch != [""]:
            text, size = "\n".join(stretch), len(stretch)
            starts = range(place, max(place + 1, len(lines) - size + 1))
            best = max(starts, key=lambda i: _likeness(text, lines[i : i + size]))
            ends = sorted(range(best + 1, best + size + MORE), key=lambda end: abs(end - best - size))
            end = max(ends, key=lambda end: _likeness(text, lines[best:end]))
            best = max(range(best, end), key=lambda start: _likeness(text, lines[start:end]))
            made.append("\n".join(lines[best:end]))
            place = end
    head, tail = ("...\n" if shown.startswith("...") else ""), ("\n..." if shown.rstrip().endswith("...") else "")
    return head + "\n...\n".join(made) + tail


def _likeness(text: str, lines: list[str]) -> float:
    return SequenceMatcher(None, text, "\n".join(lines), autojunk=False).ratio()


class Run:
    """One page in one folder."""

    def __init__(
        self, folder: Path, name: str, program: Sequence[str] = (sys.executable, "-m", "pcbrules")
    ) -> None:
        self.folder = folder
        self.name = name
        self.names: dict[str, Any] = {}
        programs = folder.parent / f"{folder.name}-bin"
        programs.mkdir()
        shim = programs / "pcbrules"
        shim.write_text(f'#!/bin/sh\nexec {shlex.join(program)} "$@"\n', encoding="utf-8")
        shim.chmod(0o755)
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "80"}
        for name in ("NO_COLOR", "FORCE_COLOR", "SOURCE_DATE_EPOCH"):
            self.environment.pop(name, None)

    def page(self, text: str) -> str:
        """Run a page; the page with the output as it was printed."""
        parts, end = [], 0
        for block in blocks(text):
            parts += [text[end : block.start], self.block(block)]
            end = block.end
        return "".join([*parts, text[end:]])

    def block(self, block: Block) -> str:
        """Run a block; its text with the output as it was printed."""
        if block.language == "console":
            return self.console(block.text)
        if block.language == "yaml":
            self.yaml(block.text)
        elif block.language == "diff":
            self.edit(block.text)
        elif block.language == "python":
            self.python(block.text)
        else:
            subprocess.run(["bash", "-n", "-c", block.text], check=True)
        return block.text

    def console(self, text: str) -> str:
        """Run commands one after the other in one shell."""
        wanted = commands(text)
        assert wanted, f"{self.name}: a console block without a command (`$ `):\n{text}"
        script = ["exec 2>&1"]
        for command in wanted:
            line = command.line
            if line.startswith(INSTALL):
                assert line in (ROOT / "README.md").read_text(encoding="utf-8"), f"the README does not show: {line}"
            skipped = line.startswith((INSTALL, *ELSEWHERE))
            script.append(f"{':' if skipped else line}\nstatus=$?; printf '{MARK}%d{MARK}' $status; (exit $status)")
        done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=self.folder, env=self.environment, text=True,
                              encoding="utf-8", stdin=subprocess.DEVNULL, capture_output=True, check=False)
        printed = done.stdout.split(MARK)
        written = []
        for command, output, status in zip(wanted, printed[::2], printed[1::2], strict=False):
            where = f"{self.name}: $ {command.line}\n{output}"
            assert "Traceback" not in output and int(status) < 126, where
            assert command.shown is not None or int(status) != 2, where
            shown = "" if command.shown is None else command.shown
            if command.shown is not None and not agrees(command.shown, output):
                shown = renewed(command.shown, output)
            shown = shown.rstrip("\n")
            written.append(f"$ {command.line}\n" + (f"{shown}\n" if shown else ""))
        assert len(written) == len(wanted), f"{self.name}: the shell ended early\n{done.stdout}"
        return "".join(written)

    def yaml(self, text: str) -> None:
        """Hand a block to the reader of what it is."""
        named = FILE.match(text)
        file = self.folder / (named[1] if named else "block.yaml")
        tree = yaml.load(text, Loader=LOADER)
        words = set(tree) if isinstance(tree, dict) else {word for item in tree for word in item}
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        with contextlib.chdir(self.folder):
            if words <= {"waivers", "acceptances"}:
                waivers.read_waivers(read_yaml(str(file)))
            elif "ruleset" in words:
                rulesets.load(str(file))
            elif words <= {"rules", "conditions", "sources"}:
                file.write_text(f"ruleset: part\nextends: edge\ntitle: part\n{text}", encoding="utf-8")
                rulesets.load(str(file))
            elif "axes" in words:
                read_search_spec(str(file))
            elif "schema" in words:
                api.load(str(file))
            elif words <= SECTIONS:
                api.resolve(parse_yaml(_with_sections(tree).encode(), "board.yaml"))
            elif "id" in words:
                RECORDS[file.parent.name].model_validate(tree)
            else:
                jobs = [value for value in tree.values() if isinstance(value, dict)] if isinstance(tree, dict) else []
                assert words & CI or any(job.keys() & CI for job in jobs), f"{self.name}: what is this?\n{text}"

    def edit(self, text: str) -> None:
        """Edit a file as a block shows it, hunk by hunk. Comments at the ends of lines are left out of the block."""
        head, _, body = text.partition("\n")
        file = self.folder / head.removeprefix("--- ")
        for hunk in re.split(r"^@@.*\n", body, flags=re.MULTILINE):
            lines = hunk.splitlines()
            before = [line[1:].rstrip() for line in lines if line[:1] in ("-", " ")]
            after = [line[1:].rstrip() for line in lines if line[:1] in ("+", " ")]
            content = file.read_text(encoding="utf-8").splitlines()
            plain = [re.sub(r"\s+#.*", "", line).rstrip() for line in content]
            places = [i for i in range(len(plain)) if before and plain[i : i + len(before)] == before]
            if lines:
                assert len(places) == 1, f"{self.name}: {file.name} holds {len(places)} times:\n{hunk}"
                content[places[0] : places[0] + len(before)] = after
                file.write_text("\n".join(content) + "\n", encoding="utf-8")

    def python(self, text: str) -> None:
        """Run Python; names last to the end of the page."""
        with contextlib.chdir(self.folder), stand_in():
            if ">>>" not in text:
                exec(compile(text, self.name, "exec"), self.names)
                return
            test = doctest.DocTestParser().get_doctest(text, self.names, self.name, self.name, 0)
            runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
            said: list[str] = []
            runner.run(test, out=said.append, clear_globs=False)
            self.names.update(test.globs)
            assert not runner.failures, "".join(said)


def _with_sections(tree: dict[str, Any]) -> str:
    """The commented edge board, its open lines filled in, with some sections put in place of its own."""
    text = (files("pcbrules") / "templates" / "edge.yaml").read_text(encoding="utf-8").replace("#? ", "")
    return yaml.safe_dump({**yaml.load(text, Loader=LOADER), **tree}, sort_keys=False)


def written_pages() -> Iterator[Path]:
    """The pages of the docs that are written by hand."""
    made = ("rules", "reference")
    for file in sorted(DOCS.rglob("*.md")):
        if file.relative_to(DOCS).parts[0] not in (*made, "sources.md"):
            yield file


def main() -> None:
    """Write the output anew on the pages that are named, else on all."""
    import tempfile

    chosen = [Path(name).resolve() for name in sys.argv[1:]] or list(written_pages())
    for file in chosen:
        text = file.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            inner = Path(folder) / "page"
            inner.mkdir()
            made = Run(inner, file.name).page(text)
        if made != text:
            file.write_text(made, encoding="utf-8", newline="\n")
            print(f"written anew: {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
