# SPDX-License-Identifier: MIT
"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
from markup import code, plain, table

from pcbrules.cli.main import cli

LEAD = """# Command line

`pcbrules COMMAND [OPTIONS]`. `pcbrules COMMAND --help` prints what stands here. Results go to standard output,
everything else to standard error. Files are written beside their place and renamed into it; an input is never
overwritten.

Completion of commands and options in bash (`zsh_source` and `fish_source` do it elsewhere), in `~/.bashrc`:

```sh
eval "$(_PCBRULES_COMPLETE=bash_source pcbrules)"
```
"""


def pages() -> dict[str, str]:
    """The page of all commands."""
    top = click.Context(cli, info_name="pcbrules", **cli.context_settings)
    parts = [LEAD, *_epilog(cli.epilog or "", "##")]
    for name in cli.list_commands(top):
        command = cli.get_command(top, name)
        if command is not None:
            parts += _command(command, click.Context(command, info_name=name, parent=top))
    return {"reference/command-line.md": "\n".join(parts)}


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f"## pcbrules {context.info_name}\n"
    for paragraph in (command.help or "").split("\n\n"):
        yield f"{plain(paragraph)}\n"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```\n"
    rows = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            rows.append([code(record[0]), plain(record[1])])
    yield table(["Option", "Meaning"], rows)
    yield from _epilog(command.epilog or "", "###")


def _epilog(text: str, heading: str) -> Iterator[str]:
    """Blocks of the text below a help: commands as a console block, pairs as a table."""
    for block in re.split(r"\n*\x08\n", text):
        title, _, body = block.strip().partition("\n")
        if not title:
            continue
        body = re.sub(r"\n {4,}(?=\S)", " ", body) if re.match(r" *\d+  ", body) else body
        lines = [line.strip() for line in body.splitlines() if line.strip()]
        yield f"{heading} {title.rstrip(':')}\n"
        if all(re.match(r"\d+  ", line) for line in lines):
            pairs = [line.split("  ", 1) for line in lines]
            yield table(["Code", "Meaning"], [[number, plain(meaning)] for number, meaning in pairs])
        else:
            yield "```console\n" + "\n".join(map(_shell, lines)) + "\n```\n"


def _shell(line: str) -> str:
    """A command, or the rest of one; a remark behind it becomes a comment."""
    text = re.sub(r"\s{2,}\((.*)\)$", r"   # \1", line)
    return f"$ {text}" if re.match(r"(pcbrules|cat) ", text) else f"    {text}"
