# SPDX-License-Identifier: MIT
"""The command as a process: streams of every kind, signals, faults of ours, and what is not loaded."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli_bench import BOARD, ROOT, Bench, environment

from pcbrules.cli import main

CODE = "from pcbrules.cli.main import main; main()"


@pytest.fixture
def failing(bench: Bench) -> Bench:
    """A board that fails, with a name that ASCII cannot write."""
    text = (bench.folder / "board.yaml").read_text(encoding="utf-8")
    bench.put("board.yaml", text.replace("residual: 4 mil", "residual: 9 mil").replace("name: tiny", "name: Ω-é-东京"))
    return bench


@pytest.mark.parametrize("encoding", [
    "ascii", pytest.param("cp1252", marks=pytest.mark.long), pytest.param("utf-8", marks=pytest.mark.long)])
def test_any_encoding_of_stdout(failing: Bench, encoding: str) -> None:
    env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = failing.process("check", "board.yaml", "-p", "few.yaml", env=env)
    assert done.code == 1 and done.err == ""
    text = done.out.decode(encoding)
    assert ("\\u4e1c" in text or "\\u6771" in text) == (encoding != "utf-8") and "< 10 mil" in text


@pytest.mark.long
def test_json_is_utf_8_whatever_the_encoding_of_stdout(failing: Bench) -> None:
    env = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = failing.process("check", "board.yaml", "-p", "few.yaml", "--format", "json", env=env)
    assert json.loads(done.out.decode("utf-8"))["board"] == "Ω-é-东京"


@pytest.mark.parametrize("args", [("explain", "CHN001"), ("rules", "-p", "training"), ("library", "laminates"),
                                  ("library", "links", "pcie5"), ("schema", "board")])
def test_other_commands_in_ascii(bench: Bench, program: tuple[str, ...], args: tuple[str, ...]) -> None:
    done = bench.process(*args, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}, program=program)
    assert done.code == 0 and done.err == "" and len(done.out) > 300


@pytest.mark.long
def test_problems_in_ascii(bench: Bench) -> None:
    bench.put("böse.yaml", "schema: é\n")
    done = bench.process("check", "böse.yaml", "-p", "few.yaml", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.code == 2 and "b\\xf6se.yaml:1:9" in done.err


def piped(*args: str, python: tuple[str, ...], cwd: Path) -> int:
    """Exit code where the reader of stdout has left before anything was printed."""
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen([*python, "-c", CODE, *args], stdout=write, stderr=subprocess.PIPE, cwd=cwd,
                          env=environment()) as process:
        os.close(write)
        _, err = process.communicate(timeout=60)
    assert err == b"", err.decode()
    return process.returncode


def test_a_reader_that_leaves_hides_no_fail_and_makes_no_success(failing: Bench, python: tuple[str, ...]) -> None:
    """A fail stays 1; what would be 0 was not delivered: 141, as of a process that SIGPIPE ends."""
    assert piped("check", "board.yaml", "-p", "few.yaml", python=python, cwd=failing.folder) == 1
    for args in (("--help",), ("check", "--help"), ("schema", "board")):
        assert piped(*args, python=python, cwd=failing.folder) == 141
    failing.put("board.yaml", BOARD)
    assert piped("check", "board.yaml", "-p", "few.yaml", "-o", "r.json", python=python, cwd=failing.folder) == 141
    assert (failing.folder / "r.json").exists(), "the files are written all the same"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk_is_2(failing: Bench, python: tuple[str, ...]) -> None:
    for args in (("check", "board.yaml", "-p", "few.yaml"), ("--version",)):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([*python, "-c", CODE, *args], stdout=full, stderr=subprocess.PIPE,
                                  env=environment(), cwd=failing.folder, timeout=60, check=False)
        assert done.returncode == 2 and b"No space left" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="a shell closes the streams")
def test_closed_streams(failing: Bench) -> None:
    line = f'"{sys.executable}" -m pcbrules check board.yaml -p few.yaml >&- 2>&- <&-'
    done = subprocess.run(["sh", "-c", line], capture_output=True, env=environment(), cwd=failing.folder, timeout=60,
                          check=False)
    assert done.returncode == 1 and b"Traceback" not in done.stderr
    line = f'"{sys.executable}" -m pcbrules check - -p few.yaml <&-'
    done = subprocess.run(["sh", "-c", line], capture_output=True, env=environment(), cwd=failing.folder, timeout=60,
                          check=False)
    assert done.returncode == 2 and b"empty" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interrupt_is_130_and_quiet(bench: Bench, python: tuple[str, ...]) -> None:
    kill = (
        "import os, signal, time, pcbrules.cli.check as check\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell has it ignored in the background
        "def wait(*_): os.kill(os.getpid(), signal.SIGINT); time.sleep(30)\n"
        "check.load_board = wait\n" + CODE
    )
    done = subprocess.run([*python, "-c", kill, "check", "-", "-p", "few.yaml"], capture_output=True,
                          env=environment(), cwd=bench.folder, timeout=60, check=False)
    assert done.returncode == 130 and done.stdout == b"" and done.stderr.split() == [b"interrupted"]


@pytest.mark.parametrize(("words", "said"), [
    ((), "interrupted"), (("check", "b.yaml"), "interrupted"), (("yield", "b.yaml"), "interrupted"),
    (("sweep", "b.yaml"), "interrupted: nothing is kept; with --resume FILE a run goes on where it was"),
    (("search", "s.yaml", "--resume=k"), "interrupted: the same command goes on where it was"),
    (("sweep", "b.yaml", "--resume", "k"), "interrupted: the same command goes on where it was"),
])
def test_an_interrupt_says_how_a_study_goes_on(
    words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    def struck() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "_ran", struck)
    monkeypatch.setattr("sys.argv", ["pcbrules", *words])
    with pytest.raises(SystemExit) as end:
        main.main()
    assert end.value.code == 130 and capsys.readouterr().err == f"{said}\n"


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(("name", "where"), [
    ("SIGHUP", "tempfile.mkstemp"), ("SIGTERM", "os.replace"),
    pytest.param("SIGTERM", "os.chmod", marks=pytest.mark.long),
    pytest.param("SIGINT", "tempfile.mkstemp", marks=pytest.mark.long)])
def test_a_signal_while_files_are_written_leaves_all_or_nothing(
    bench: Bench, python: tuple[str, ...], name: str, where: str
) -> None:
    number = getattr(signal, name)
    kill = (
        "import os, signal, tempfile\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # nohup has it ignored
        "signal.signal(signal.SIGTERM, signal.SIG_DFL)\n"
        f"real = {where}\n"
        "def struck(*args, **more):\n"
        f"    done = real(*args, **more); os.kill(os.getpid(), {int(number)}); os.kill(os.getpid(), {int(number)})\n"
        "    return done\n"
        f"{where} = struck\n" + CODE
    )
    before = sorted(os.listdir(bench.folder))
    done = subprocess.run(
        [*python, "-c", kill, "check", "board.yaml", "-p", "few.yaml", "-o", "a.json", "-o", "markdown:b.md"],
        capture_output=True, env=environment(), cwd=bench.folder, timeout=60, check=False)
    assert done.returncode == 128 + number, done.stderr
    made = sorted(set(os.listdir(bench.folder)) - set(before))
    assert made == (["a.json", "b.md"] if where == "os.replace" else [])
    assert done.stderr.split() in ([b"interrupted"], [b"ended", b"by", name.encode()])


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_a_signal_that_is_ignored_stays_so(bench: Bench) -> None:
    code = "import os, signal, atexit\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + CODE.replace(
        "main()", "from pcbrules.cli._signals import obey; obey(); os.kill(os.getpid(), signal.SIGHUP); main()")
    done = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, env=environment(),
                          cwd=bench.folder, timeout=60, check=False)
    assert done.returncode == 0 and done.stdout.startswith(b"pcbrules")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")
@pytest.mark.parametrize(
    ("env", "colour"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colour_on_a_terminal_only(
    failing: Bench, program: tuple[str, ...], env: dict[str, str], colour: bool
) -> None:
    import pty

    main, side = pty.openpty()
    base = {key: value for key, value in environment().items() if key != "NO_COLOR"} | {"TERM": "xterm"} | env
    command = [*program, "check", "board.yaml", "-p", "few.yaml", "-v"]
    with subprocess.Popen(command, stdout=side, stderr=subprocess.PIPE, env=base, cwd=failing.folder) as process:
        os.close(side)
        seen = b""
        while True:
            try:
                data = os.read(main, 4096)
            except OSError:
                break
            if not data:
                break
            seen += data
        process.wait(timeout=60)
    os.close(main)
    assert process.returncode == 1 and b"FAIL" in seen and (b"\x1b[" in seen) == colour


def test_a_fault_of_ours_is_3_and_asks_for_a_report(bench: Bench, python: tuple[str, ...]) -> None:
    boom = (
        "import pcbrules.readers.board_yaml as r\n"
        "def boom(*a, **k): raise RuntimeError('seven\\x1b devils')\n"
        "r.resolve = boom\n" + CODE
    )
    done = subprocess.run([*python, "-c", boom, "check", "board.yaml", "-p", "few.yaml", "-o", "a.json"],
                          capture_output=True, env=environment(), cwd=bench.folder, timeout=60, check=False)
    assert done.returncode == 3 and done.stdout == b"" and not (bench.folder / "a.json").exists()
    text = done.stderr.decode()
    assert "RuntimeError: seven\\x1b devils" in text and "fault of pcbrules" in text and "Traceback" not in text


NUMERICS = {"numpy", "scipy", "skrf"}
HEAVY = NUMERICS | {"pydantic", "yaml"}
RUN = """\
from pcbrules.cli.main import cli
try: cli({!r})
except SystemExit as end: assert not end.code"""


def loaded(steps: Sequence[str], cwd: Path) -> list[set[str]]:
    """Modules that are loaded after each step of a fresh interpreter."""
    seen = "\nseen.append(sorted(sys.modules))\n"
    code = f"import sys, json\nseen = []\n{seen.join([*steps, ''])}sys.stdout = sys.__stdout__\nprint()\n"
    done = subprocess.run([sys.executable, "-c", f"{code}print(json.dumps(seen))"], capture_output=True,
                          env=environment(), cwd=cwd, timeout=60, check=True)
    return [set(modules) for modules in json.loads(done.stdout.splitlines()[-1])]


@pytest.mark.parametrize(
    ("commands", "banned"),
    [
        (["--help", "--version", "check --help"], HEAVY),
        (["rules", "rules -p training", "explain SIG003", "explain chn001 -p edge", "library laminates"], NUMERICS),
    ],
)
def test_a_light_command_loads_nothing_heavy(bench: Bench, commands: list[str], banned: set[str]) -> None:
    """One after the other in one interpreter: whatever one of them loads stays loaded."""
    after = loaded([RUN.format(words.split()) for words in commands], bench.folder)
    assert [(words, banned & seen) for words, seen in zip(commands, after, strict=True) if banned & seen] == []


@pytest.mark.long
def test_a_check_loads_no_root_finder() -> None:
    board = Path(__file__).resolve().parents[2] / "boards" / "jetson-orin-carrier.yaml"
    (made,) = loaded([RUN.format(["check", str(board), "-p", "edge"])], board.parent)
    heavy = {"skrf", "scipy.optimize", "scipy.interpolate", "scipy.signal", "pandas"}
    assert "pcbrules.networks.cascade" in made and not heavy & made


@pytest.mark.long
def test_reading_a_board_loads_no_numerics_and_importing_loads_next_to_nothing(bench: Bench) -> None:
    read = ("from pcbrules.document import read_yaml; from pcbrules.readers.board_yaml import board_of; "
            "board_of(read_yaml('board.yaml'))")
    imported, then = loaded(["import pcbrules", read], bench.folder)
    assert not (HEAVY | {"click"}) & imported
    assert "pydantic" in then and not NUMERICS & then


H100 = str(ROOT / "boards" / "hgx-h100-baseboard.yaml")
SKETCH = f"design --stackup {H100} --layer L5 --zdiff 92ohm"
WORDS = [
    "explain SIG003 -b board.yaml -p few.yaml -s links.a.path.via1.bottom",
    f"lines {H100}",
    f"lines {H100} --format json",
    f"{SKETCH} --gap 7mil",
    f"{SKETCH} --width 4.8mil --format json",
    f"channel {H100} nvl_l5 --format json",
    f"pdn {ROOT / 'boards' / 'hgx-b200-baseboard.yaml'} nvsw_core --optimize --format json",
]
AGAIN = """\
import contextlib, io, json, sys
from pcbrules.cli.main import main
made = []
for words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out):
        try: main()
        except SystemExit as end: assert not end.code
    out.flush()
    made.append(out.buffer.getvalue().decode("utf-8"))
print(json.dumps(made))"""


@pytest.mark.long
def test_another_process_gives_the_same_bytes(bench: Bench) -> None:
    """Another hash seed, another number of threads asked for, nothing solved before."""
    words = [shlex.split(line) for line in WORDS]
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    done = subprocess.run([sys.executable, "-c", AGAIN, json.dumps(words)], capture_output=True, cwd=bench.folder,
                          env=environment({"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "2"}), timeout=120, check=True)
    for one, there in zip(words, json.loads(done.stdout), strict=True):
        here = bench.run(*one)
        assert here.code == 0 and len(here.out) > 300 and here.out == there, one


@pytest.mark.skipif(os.name == "nt", reason="colons in file names")
def test_no_line_of_a_command_is_one_for_a_ci_system(bench: Bench, program: tuple[str, ...]) -> None:
    spell = "::error file=x::text.yaml"
    bench.put(spell, "schema: 1\nfoo: 1\n")
    for args in ((spell, "-p", "few.yaml"), ("board.yaml", "-p", "##vso[task.complete]"),
                 ("board.yaml", "-p", "few.yaml", "--format", "##[error]x")):
        done = bench.process("check", *args, program=program)
        lines = (done.out.decode() + done.err).splitlines()
        assert done.code == 2 and lines
        assert not [line for line in lines if line.strip().startswith("::") or "##[" in line or "##vso[" in line]
