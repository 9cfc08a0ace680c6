# SPDX-License-Identifier: MIT
"""`pcbrules platform`."""

from __future__ import annotations

from typing import Any

import click

from pcbrules.cli._studies import answer, format_option

EPILOG = """\b
Examples:
  pcbrules platform --model llama-3-70b --task serving --precision fp8 \\
      --context 8k --streams 32 --tokens-per-second 30
  pcbrules platform --params 70B --task training --context 4k --layers 80 \\
      --hidden 8192 --heads 64

\b
Exit codes:
  0  the workload has a board
  2  the command is wrong, or an input is missing
"""
TASKS = ("training", "fine-tuning", "adapters", "serving", "on-device")
PRECISIONS = ("fp32", "bf16", "fp16", "fp8", "int8", "fp4", "int4")


@click.command(epilog=EPILOG)
@click.option("--task", required=True, type=click.Choice(TASKS), metavar="TASK", help=f"One of {', '.join(TASKS)}.")
@click.option("--model", metavar="NAME", help="Model of the library: `pcbrules library models`.")
@click.option("--params", metavar="N", help="Parameters: 70B.")
@click.option("--active-params", metavar="N", help="Those that a token needs, with a mixture of experts.")
@click.option("--precision", type=click.Choice(PRECISIONS), metavar="FORMAT", default="bf16", show_default=True,
              help=f"Format of the weights: {', '.join(PRECISIONS)}.")
@click.option("--context", metavar="TOKENS", help="Tokens of a stream or sequence: 8k is 8,192.")
@click.option("--streams", "--users", "--batch", type=click.IntRange(1, 1_000_000), default=1, show_default=True,
              metavar="N", help="Streams or sequences at the same time.")
@click.option("--cache-precision", type=click.Choice(PRECISIONS), metavar="FORMAT",
              help="Format of keys and values [default: bf16].")
@click.option("--layers", type=click.IntRange(1, 1_000_000), metavar="N", help="Layers of the model.")
@click.option("--hidden", type=click.IntRange(1, 1_000_000), metavar="N", help="Its hidden size.")
@click.option("--heads", type=click.IntRange(1, 1_000_000), metavar="N", help="Heads of queries.")
@click.option("--kv-heads", type=click.IntRange(1, 1_000_000), metavar="N", help="Heads of keys and values.")
@click.option("--head-size", type=click.IntRange(1, 1_000_000), metavar="N", help="Values of a head.")
@click.option("--state-bytes", type=click.FloatRange(2, 40), metavar="N",
              help="Bytes of training a parameter [default: 12 to 20].")
@click.option("--adapter-params", metavar="N", help="Parameters of adapters.")
@click.option("--recompute", type=click.Choice(["none", "selective", "full"]),
              help="Activations that are computed again.")
@click.option("--tokens-per-second", type=click.FloatRange(0, 1e6, min_open=True), metavar="N",
              help="Wanted rate of a stream.")
@click.option("--training-tokens", metavar="N", help="Tokens that are trained on: 15T.")
@click.option("--reasoning", is_flag=True, help="Serving with long chains of thought.")
@click.option("--utilisation", metavar="SHARE", help="Share of the peak power that is drawn on average: 50 %.")
@format_option()
def command(style: str, **given: Any) -> None:
    """Find the accelerators, links and board that a model needs.

    Memory in parts, the ceiling of tokens per second, the number of accelerators, what their links take of a step, the
    electrical duty, and the profile and example board to start from. Each line has its formula or source.
    """
    from pcbrules import api
    from pcbrules.studies.platform import advice_text

    found = api.platform(**given)
    answer(advice_text.json_text(found) if style == "json" else advice_text.console(found), style, 0)
