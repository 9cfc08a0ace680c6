# SPDX-License-Identifier: MIT
"""`platform`: memory, rate and number of accelerators by arithmetic, and the board that a workload leads to."""

from __future__ import annotations

from inspect import Parameter, signature

import pytest
from cli_bench import Bench
from json_schemas import valid

import pcbrules
from pcbrules.errors import InputError
from pcbrules.library import load as library
from pcbrules.model.workload import Workload
from pcbrules.results.program_text import dump
from pcbrules.studies.platform import advice_text

SERVED = ("platform", "--model", "llama-3-70b", "--task", "serving", "--precision", "fp8", "--context", "8k")
GB = 1e9


def test_a_model_is_served(bench: Bench) -> None:
    done = bench.run(*SERVED, "--users", "32", "--format", "json")
    tree = valid(done.out, "platform")
    assert done.code == 0
    assert [part["part"] for part in tree["memory"]] == ["weights", "KV cache"]
    assert tree["memory_bytes"] == pytest.approx(70.55 * GB + 32 * 8192 * 320 * 1024)
    found = {one["accelerator"]: one for one in tree["accelerators"]}
    assert (found["h200-sxm"]["count"], found["b200-sxm"]["count"]) == (2, 1), "156 GB in 127 and 162 GB"
    assert found["b200-sxm"]["tokens_per_second"] == pytest.approx(8e12 / tree["memory_bytes"], rel=1e-3)
    assert found["b200-sxm"]["link_share"] is None and found["h200-sxm"]["host_share"] > found["h200-sxm"]["link_share"]
    assert (tree["profile"], tree["duty"], tree["loads_like_training"]) == ("datacenter-inference", 0.7, False)


def test_a_wanted_rate_takes_more_of_them(bench: Bench) -> None:
    words = (*SERVED, "--users", "32", "--format", "json")
    counts = {}
    for rate in ("30", "60"):
        tree = valid(bench.run(*words, "--tokens-per-second", rate).out, "platform")
        counts[rate] = next(one for one in tree["accelerators"] if one["accelerator"] == "b200-sxm")
    assert (counts["30"]["count"], counts["30"]["by_rate"]) == (1, False)
    assert (counts["60"]["count"], counts["60"]["by_rate"]) == (2, True), "51 tokens per second on one"


def test_405_b_in_16_bit_fits_eight_of_141_gb_and_not_of_80() -> None:
    found = pcbrules.platform(task="serving", model="llama-3.1-405b", context="1k")
    assert next(one.count for one in found.fleets if one.part.id == "h200-sxm") == 8
    assert 8 * 80 * GB < found.need.total < 0.9 * 8 * 141 * GB


def test_70_b_in_four_bit_with_adapters_fits_one_card_of_96_gb() -> None:
    found = pcbrules.platform(task="adapters", model="llama-3-70b", precision="int4", context="2k", recompute="full")
    assert next(one.count for one in found.fleets if one.part.id == "rtx-pro-6000-blackwell") == 1
    assert found.duty == 1 and found.row.profile == "datacenter-inference"


def test_training_time_and_what_links_take() -> None:
    given = {"task": "training", "model": "llama-3-70b", "context": "4k", "streams": 64, "recompute": "full",
             "state_bytes": 16.0}
    found = pcbrules.platform(**given, training_tokens="1T")
    one = next(one for one in found.fleets if one.part.id == "h100-sxm")
    assert one.count == 24 and one.boards == 3
    assert one.days == pytest.approx(6 * 70.55e9 * 1e12 / (24 * 0.4 * 989e12) / 86400)
    alone = 6 * 70.55e9 / (8 * 0.4 * 989e12)
    sent = 2 * 7 / 8 * 4 * 80 * 8192 * 2 / 450e9
    assert one.direct == pytest.approx(sent / alone)
    assert found.row.profile == "training"


@pytest.mark.parametrize(
    ("given", "profile", "board"),
    [({"task": "training", "params": "7B"}, "training", "hgx-h100-baseboard"),
     ({"task": "fine-tuning", "params": "13B"}, "datacenter-inference", "workstation-card"),
     ({"task": "fine-tuning", "params": "14B"}, "training", "hgx-h100-baseboard"),
     ({"task": "adapters", "params": "70B"}, "datacenter-inference", "workstation-card"),
     ({"task": "serving", "params": "34B"}, "datacenter-inference", "l40s-pcie-card"),
     ({"task": "serving", "params": "70B"}, "datacenter-inference", "workstation-card"),
     ({"task": "serving", "params": "70B", "streams": 9}, "datacenter-inference", "oam-universal-baseboard"),
     ({"task": "serving", "params": "180B"}, "datacenter-inference", "oam-universal-baseboard"),
     ({"task": "on-device", "params": "8B", "precision": "int4"}, "edge", "jetson-orin-carrier")],
)
def test_a_workload_leads_to_a_board(given: dict[str, object], profile: str, board: str) -> None:
    shape = {"layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "head_size": 128}
    found = pcbrules.platform(**shape, context="2k", **given)
    assert (found.row.profile, next(iter(found.row.boards))) == (profile, board)


def test_every_name_of_the_table_is_there() -> None:
    table = library.workload_boards()
    for row in table.rows:
        assert row.source in table.sources
        for form in row.boards.values():
            library.form_factor(form)
        for name in row.accelerators:
            part = library.accelerator(name)
            assert part.memory and part.memory_bandwidth, name
    assert set(table.links) <= set(library.ids("links"))


def test_reasoning_and_experts_load_a_board_like_training() -> None:
    for given in ({"model": "llama-3-70b", "reasoning": True}, {"model": "mixtral-8x7b"}):
        found = pcbrules.platform(task="serving", context="8k", **given)
        assert found.duty == 1 and "Write it as `workload:`" in " ".join(advice_text.console(found).split())
    assert pcbrules.platform(task="serving", context="8k", model="mixtral-8x7b", utilisation="40 %").duty == 0.4


def test_latent_attention_stores_576_values_a_layer() -> None:
    found = pcbrules.platform(task="serving", model="deepseek-v3", precision="fp8", context="128k")
    assert found.need.cache == 61 * 576 * 131072 * 2
    assert found.need.read == pytest.approx(37 * GB)


def test_the_page_fits_the_terminal_and_names_its_formulas(bench: Bench) -> None:
    done = bench.run(*SERVED, "--users", "32")
    assert done.code == 0 and all(len(line) <= 80 for line in done.out.splitlines())
    for words in ("8192 tokens", "NextPCB", "pcbrules init --example oam-universal-baseboard", "172 GB are right"):
        assert words in " ".join(done.out.split()), words


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--params", "70B", "--context", "8x"), "--context: this is no count"),
     (("--params", "70Q", "--context", "8k"), "--params: this is no count"),
     (("--params", "1", "--context", "8k"), "--params: this count is not possible"),
     (("--context", "8k"), "give --params, or --model"),
     (("--model", "llama-3-70b"), "give --context\n"),
     (("--params", "70B", "--context", "8k"), "give --layers, or --model\n"),
     (("--model", "llama-33", "--context", "8k"), "no 'llama-33' among the models"),
     (("--model", "llama-3-8b", "--context", "8k", "--utilisation", "50 V"), "--utilisation")],
)
def test_what_is_wrong_is_told(bench: Bench, words: tuple[str, ...], said: str) -> None:
    done = bench.run("platform", "--task", "serving", *words)
    assert done.code == 2 and said in done.err


def test_an_unknown_key_is_told() -> None:
    with pytest.raises(TypeError, match="modle"):
        pcbrules.platform(task="serving", modle="llama-3-8b")  # type: ignore[call-arg]
    with pytest.raises(InputError) as told:
        pcbrules.platform(task="serving", model="llama-3-8b", context="8x")
    assert told.value.problems[0].file == "context"


def test_the_call_has_the_keys_of_the_board_file() -> None:
    given = signature(pcbrules.platform).parameters
    assert list(given) == list(Workload.model_fields)
    assert all(one.kind is one.KEYWORD_ONLY and one.annotation != "Any" for one in given.values())
    for name, field in Workload.model_fields.items():
        assert given[name].default == (Parameter.empty if field.is_required() else field.default), name


def test_one_stream_of_70_b_has_modules_and_cards_each_with_its_board(bench: Bench) -> None:
    done = bench.run("platform", "--model", "llama-3-70b", "--task", "serving", "--context", "8k")
    page = " ".join(done.out.split())
    assert "sxm-module: h200-sxm, b200-sxm pcbrules init --example hgx-h100-baseboard" in page
    assert "oam-module: mi300x pcbrules init --example oam-universal-baseboard" in page
    assert "160 sums of 2 hops wait for each other, so 1 µs a hop adds 0.32 ms to a token" in page
    for row in library.workload_boards().rows:
        forms = {library.accelerator(name).form_factor or "" for name in row.accelerators}
        assert all(any(form.startswith(one) for one in row.boards.values()) for form in forms), row.boards


def test_what_nobody_asked_for_has_no_column(bench: Bench) -> None:
    words = ("platform", "--model", "llama-3-70b", "--task", "training", "--context", "4k")
    done = bench.run(*words)
    assert "days" not in done.out and "the time of training is not known without --training-tokens" in (
        " ".join(done.out.split()))
    assert "days" in bench.run(*words, "--training-tokens", "1T").out
    small = bench.run("platform", "--model", "llama-3-8b", "--task", "on-device", "--context", "2k",
                      "--precision", "int4")
    assert " 15 W " in small.out and "0.0" not in small.out.split("Accelerators")[1].split("Load")[0]


def test_json_is_plain() -> None:
    text = advice_text.json_text(pcbrules.platform(task="serving", model="llama-3-8b", context="8k"))
    assert dump(valid(text, "platform"), ascii_only=False) == text
