# SPDX-License-Identifier: MIT
"""Rulesets: the shipped ones are whole, a user's own works the same way, and faults have a place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from pcbrules import library, rulesets
from pcbrules.errors import InputError
from pcbrules.library.shelf import LOADER
from pcbrules.model.ranges import bounds
from pcbrules.results.finding import Severity, Source
from pcbrules.results.limit import Limit
from pcbrules.results.profile import PUBLIC, WEAK
from pcbrules.rules import all_rules
from pcbrules.rulesets.limit_ranges import BY_DIMENSION, NARROWER, range_of
from pcbrules.units import UnitError

FOLDER = Path(__file__).resolve().parent.parent / "rulesets"
PROFILES = ("datacenter-inference", "edge", "training")
KIND_OF_TAG = {"standard": "links", "platform": "platforms", "form_factor": "form_factors"}


def test_three_profiles_are_shipped() -> None:
    assert rulesets.profiles() == PROFILES


@pytest.mark.parametrize("profile", PROFILES)
def test_every_rule_has_an_entry_and_every_limit_a_source(profile: str) -> None:
    loaded = rulesets.load(profile)
    assert set(loaded.rules) == set(all_rules())
    for rule, entries in loaded.rules.items():
        for entry in entries:
            assert entry.off or (entry.limits and entry.source.text), rule
            if entry.source.provenance in WEAK and not entry.off:
                assert entry.severity is not Severity.ERROR, rule


def test_a_profile_names_only_what_differs() -> None:
    """If this fails: what two profiles have alike belongs into rulesets/common.yaml, or stands there already."""
    raw = {path.stem: yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER) for path in FOLDER.glob("*.yaml")}
    loaded = {name: rulesets.load(name).rules for name in PROFILES}
    for rule in all_rules():
        naming = [name for name in PROFILES if rule in raw[name]["rules"]]
        heirs = [name for name in PROFILES if name not in naming][:1]
        assert len({repr(loaded[name][rule]) for name in naming + heirs}) == len(naming + heirs), rule
    for key in {key for tree in raw.values() for key in tree.get("conditions", {})}:
        values = [tree["conditions"][key] for tree in raw.values() if key in tree.get("conditions", {})]
        assert len(set(values)) == len(values), key


@pytest.mark.parametrize("profile", PROFILES)
def test_conditions_name_entries_of_the_library(profile: str) -> None:
    families = {library.entry("links", name).family for name in library.ids("links")}
    for rule, entries in rulesets.load(profile).rules.items():
        for entry in entries:
            for tag, words in entry.when.items():
                for word in words:
                    if tag in KIND_OF_TAG:
                        assert word in library.ids(KIND_OF_TAG[tag]), (rule, tag, word)
                    elif tag == "family":
                        assert word in families, (rule, word)
                    elif tag == "speed":
                        assert word in ("fast", "slow"), (rule, word)


@pytest.mark.parametrize("profile", PROFILES)
def test_choices_name_entries_of_the_library(profile: str) -> None:
    for entry in rulesets.load(profile).rules["MEC002"]:
        for word in entry.limits.get("form_factor", ()):
            assert word in library.ids("form_factors")


@pytest.mark.parametrize("profile", PROFILES)
def test_public_only_keeps_public_limits_and_names_the_rest(profile: str) -> None:
    loaded = rulesets.load(profile).public_only()
    assert any(text.startswith("MAT001 df") for text in loaded.dropped)
    for entries in loaded.rules.values():
        for entry in entries:
            assert entry.off or entry.left_out or entry.source.provenance in PUBLIC


def test_an_unknown_profile_names_the_nearest() -> None:
    with pytest.raises(InputError, match="write 'training'"):
        rulesets.load("trainning")
    with pytest.raises(InputError, match="unknown profile"):
        rulesets.load("../../etc/passwd")


def test_an_abstract_ruleset_is_no_profile() -> None:
    with pytest.raises(InputError, match="abstract"):
        rulesets.load("common")


def own(tmp_path: Path, text: str) -> str:
    path = tmp_path / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_an_own_ruleset_extends_a_profile(tmp_path: Path) -> None:
    text = """\
ruleset: house
title: House rules
extends: training
sources: {house: {provenance: practice, text: our own}}
rules:
  SIG003:
    - {limits: {stub: "< 8 mil"}, severity: warning, source: house}
"""
    loaded = rulesets.load(own(tmp_path, text))
    limit = loaded.rules["SIG003"][0].limits["stub"]
    assert isinstance(limit, Limit) and limit.high == pytest.approx(8 * 25.4e-6)
    assert loaded.rules["MAT001"] == rulesets.load("training").rules["MAT001"]
    assert [i.file for i in loaded.inputs][1:] == ["rulesets/training.yaml", "rulesets/common.yaml"]


FAULTS = {
    "rules: {SIG03: [{off: x}]}": "write 'SIG003'",
    'rules: {SIG003: [{limits: {stubb: "< 8 mil"}, severity: warning, source: S0}]}': "write 'stub'",
    'rules: {SIG003: [{limits: {stub: "< 8 GHz"}, severity: warning, source: S0}]}': "length",
    'rules: {SIG003: [{limits: {stub: "< 8 mil"}, severity: fatal, source: S0}]}': "unknown severity",
    'rules: {SIG003: [{limits: {stub: "< 8 mil"}, severity: error, source: S9}]}': "unknown source",
    'rules: {SIG003: [{limits: {stub: "< 8 mil"}, severity: error, source: practice}]}': "cannot be an error",
    'rules: {SIG003: [{limits: {stub: "9 mil .. 8 mil"}, severity: warning, source: S0}]}': "lower bound is above",
    "rules: {SIG003: [{when: {standrd: pcie5}, off: x}]}": "write 'standard'",
    "rules: {SIG003: []}": "list of entries",
    "rules: {SIG003: [7]}": "an entry is a mapping",
    "conditions: {hot: 85}": "temperature",
    "conditions: {hott: 85 degC}": "write 'hot'",
    "ruules: {}": "write 'rules'",
    "rules: 7": "must be a mapping",
    "extends: nothing": "unknown profile",
    "extends: own.yaml": "extends itself",
    "extends: [training]": "names one ruleset",
    # the traps of YAML 1.1, and values that only look right
    "rules: {SIG003: [{off: no}, {off: no}]}": "never reached",
    "rules: {SIG003: [{off: true}]}": "gives the reason",
    "rules: {SIG003: [{off: ' '}]}": "gives the reason",
    "rules: {SIG003: [{off: x, severity: error}]}": "stands without limits",
    "rules: {SIG003: [{off: x, note: [a]}]}": "must be a text",
    'rules: {SIG003: [{limits: {stub: "< 8 mil"}, severity: [error], source: S0}]}': "unknown severity",
    'rules: {SIG003: [{limits: {stub: "< 8 mil"}, severity: warning, source: [S0]}]}': "provenance",
    'rules: {SIG003: [{limits: {stub: "< 8 mil"}, severity: warning, source: S0, marginal: yes}]}': "unknown word",
    "rules: {SIG003: [{limits: {stub: 8}, severity: warning, source: S0}]}": "needs a unit",
    "rules: {SIG003: [{limits: {stub: true}, severity: warning, source: S0}]}": "length",
    "rules: {SIG003: [{limits: {stub: null}, severity: warning, source: S0}]}": "length",
    'rules: {SIG003: [{limits: {stub: "< 8 mil +- 1 mil"}, severity: warning, source: S0}]}': "no tolerance",
    'rules: {SIG003: [{limits: {stub: "from standrad"}, severity: warning, source: S0}]}': "write 'from standard'",
    "rules: {SIG003: [{limits: {}, severity: warning, source: S0}]}": "an entry has limits",
    "rules: {MEC002: [{limits: {form_factor: som-module}, severity: warning, source: S0}]}": "list of names",
    "rules: {MEC002: [{limits: {form_factor: []}, severity: warning, source: S0}]}": "list of names",
    # conditions that would never hold, or hold too often
    "rules: {SIG003: [{when: {speed: fats}, off: x}]}": "write 'fast'",
    "rules: {SIG003: [{when: {platform: hgx}, off: x}]}": "unknown platform",
    "rules: {SIG003: [{when: {speed: []}, off: x}]}": "a name or a list of names",
    "rules: {SIG003: [{when: {speed: {fast: 1}}, off: x}]}": "a name or a list of names",
    "rules: {SIG003: [{when: [speed], off: x}]}": "must be a mapping",
    "rules: {SIG003: [{when: {layer_role: signal}, off: x}]}": "unknown condition",
    'rules: {SIG003: [{limits: {stub: "< 8 mil"}, severity: warning, source: S0}, '
    '{when: {speed: fast}, limits: {stub: "< 5 mil"}, severity: warning, source: S0}]}': "never reached",
    "conditions: {hot: 85 degC +- 5 K}": "without a tolerance",
    "conditions: {load_step: 0 %}": "no `load_step` is this small",
    "conditions: {duty: 7}": "write '7 %' if that is meant",
    "conditions: {slew: 1e9 A/us}": "at most 300 A/ns",
    'rules: {SIG001: [{limits: {deviation: "<= 10"}, severity: warning, source: S0}]}': "write '10 %' if that is meant",
    'rules: {SIG003: [{limits: {stub: "< 10 m"}, severity: warning, source: S0}]}': "write '10 mil'",
    'rules: {MAT001: [{limits: {df: "<= 0.3"}, severity: warning, source: S0}]}': "write 0.003 if 0.3 % is meant",
    'rules: {MEC001: [{limits: {short: "40 m .. 60 m"}, severity: warning, source: S0}]}': "no `short` is this large",
    'rules: {THM001: [{limits: {air: "< 700 MW"}, severity: warning, source: S0}]}': "no `air` is this large",
    "conditions: {load_step_from: peak}": "unknown word",
    "conditions: {duty: 101 %}": "no `duty` is this large",
    "conditions: {duty: -1 %}": "no `duty` is this small",
    "conditions: {hot: 10 degC}": "`cold` is above `hot`",
    "conditions: {fabrication_class: advancd}": "write 'advanced'",
    "conditions: {fabrication_class: 3}": "unknown fabrication class",
    "sources: {S: {provenance: hearsay, text: t}}": "provenance",
    "sources: {S: {provenance: guide, text: ''}}": "provenance",
    "abstract: yes": "true or false",
    "version: [1]": "must be a text",
}


@pytest.mark.parametrize("line", FAULTS)
def test_a_fault_has_a_place_and_a_cure(tmp_path: Path, line: str) -> None:
    head = "" if line.startswith("extends") else "extends: training\n"
    path = own(tmp_path, f"ruleset: house\ntitle: t\n{head}{line}\n")
    with pytest.raises(InputError) as caught:
        rulesets.load(path)
    assert FAULTS[line] in str(caught.value)
    assert all(p.line > 0 for p in caught.value.problems) or "extends" in line


def test_an_unusual_limit_is_noted(tmp_path: Path) -> None:
    rules = 'rules: {SIG003: [{limits: {stub: "< 10 mm"}, severity: warning, source: S0}]}'
    loaded = rulesets.load(own(tmp_path, f"ruleset: r\ntitle: t\nextends: training\n{rules}\n"))
    assert any("own.yaml:4:" in note and "an unusual `stub`, < 10 mm: 10 um to 8 mm is usual" in note
               for note in loaded.notes)
    assert not any("unusual" in note for name in rulesets.profiles() for note in rulesets.load(name).notes)


def test_every_limit_has_a_range() -> None:
    """If this fails: a row in pcbrules/rulesets/limit_ranges.py, wide and with a reason."""
    limits = {(rule, name): dimension for rule, one in all_rules().items()
              for name, dimension in one.META.limits.items() if dimension not in ("choice", "foil_class")}
    assert {key: dimension for key, dimension in limits.items() if dimension not in BY_DIMENSION} == {}
    own = {(rule, name): band for rule, named in NARROWER.items() for name, band in named.items()}
    assert own.keys() <= limits.keys()
    for key, dimension in limits.items():
        band = range_of(*key, dimension)
        assert band is not None and band.dimension == dimension, key
        ends = bounds(band)
        assert ends.least <= ends.low < ends.high <= ends.most, key
        assert key not in own or band != BY_DIMENSION[dimension], f"{key} says what its dimension has"


def test_a_standard_that_no_library_knows_is_noted(tmp_path: Path) -> None:
    """Boards may define standards of their own, so it is no error; but it may be a slip."""
    rules = 'rules: {SIG003: [{when: {standard: [nvlnk4, pcie5]}, off: x}]}'
    note, *_ = rulesets.load(own(tmp_path, f"ruleset: r\ntitle: t\nextends: training\n{rules}\n")).notes
    assert "own.yaml:4:" in note and "no standard 'nvlnk4'" in note and "write 'nvlink4'?" in note


def test_conditions_must_be_whole(tmp_path: Path) -> None:
    lines = "\n".join(f"  {rule}: [{{off: x}}]" for rule in all_rules())
    with pytest.raises(InputError) as caught:
        rulesets.load(own(tmp_path, f"ruleset: bare\ntitle: t\nconditions: {{hot: 85 degC}}\nrules:\n{lines}\n"))
    missing = [p.message for p in caught.value.problems]
    assert missing == [f"`{name}` is missing" for name in ("cold", "duty", "load_step", "plane_temperature", "slew")]


def test_a_version_is_shown_as_it_is_written(tmp_path: Path) -> None:
    text = "ruleset: r\ntitle: t\nextends: training\nversion: 1.10\n"
    assert rulesets.load(own(tmp_path, text)).version == "1.10"


@pytest.mark.parametrize("name", ["training", "Training", "'edge '"])
def test_an_own_ruleset_cannot_pose_as_a_shipped_one(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="shipped profile's"):
        rulesets.load(own(tmp_path, f"ruleset: {name}\ntitle: t\nextends: training\nconditions: {{hot: 20 degC}}\n"))


def test_a_ruleset_that_extends_nothing_must_name_every_rule(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no entry for MAT001"):
        rulesets.load(own(tmp_path, "ruleset: bare\ntitle: t\nrules: {}\n"))


@pytest.mark.parametrize(
    ("text", "dimension", "low", "high", "strict"),
    [
        ("< 10 mil", "length", None, 254e-6, (False, True)),
        ("<= 0.003", "number", None, 0.003, (False, False)),
        (">= 170 degC", "temperature", 170, None, (False, False)),
        ("> 1", "number", 1, None, (True, False)),
        ("20 .. 24", "number", 20, 24, (False, False)),
        ("97 mm .. 107 mm", "length", 0.097, 0.107, (False, False)),
        ("100 ohm", "resistance", 100, 100, (False, False)),
        ("≤ 5 %", "ratio", None, 0.05, (False, False)),
        (">= vlp", "foil_class", 3, None, (False, False)),
    ],
)
def test_limit_grammar(
    text: str, dimension: str, low: float | None, high: float | None, strict: tuple[bool, bool]
) -> None:
    limit = rulesets.parse_limit(text, dimension)
    assert limit.low == (None if low is None else pytest.approx(low))
    assert limit.high == (None if high is None else pytest.approx(high))
    assert (limit.low_strict, limit.high_strict) == strict


NO_LIMITS = ("", "<", "< ten mil", "<< 5 mil", "5", "1e999 mil", "< nan mil", "< inf mil", "5 mil ..", "..", "<= -",
             "< 5 mil +- 1 mil", "<= 5 mil > 3 mil", "1 mil .. 2 mil .. 3 mil", "2 mil .. 1 mil",
             "< ٣ mil", "< 0x5 mil")


@pytest.mark.parametrize("text", NO_LIMITS)
def test_limit_grammar_refuses(text: str) -> None:
    with pytest.raises(UnitError):
        rulesets.parse_limit(text, "length")


SKEWED = """\
ruleset: house
version: "3"
title: House rules
extends: training
conditions: {{hot: 70 degC, cold: 20 degC}}
sources: {{house: {{provenance: datasheet, text: our own}}}}
rules:
  SIG002:
    - {{limits: {{skew: "{skew}"}}, severity: {severity}, source: {source}}}
  PDN007: [{{off: not here}}]
"""


@pytest.mark.parametrize(
    ("skew", "severity", "source", "says", "provenance"),
    [
        ("<= 50 ps", "error", "S0", "loosened from < 5 ps (NextPCB", "derived"),
        ("< 1 ps", "error", "S0", "tightened from < 5 ps (NextPCB", "derived"),
        ("<= 5 ps", "error", "S0", "changed from < 5 ps (NextPCB", "derived"),
        ("<= 50 ps", "warning", "practice", "loosened from < 5 ps (established", "practice"),
        ("<= 50 ps", "error", "house", "our own; loosened from < 5 ps (NextPCB", "datasheet"),
    ],
)
def test_a_changed_limit_says_from_what_and_no_source_of_another_stands_behind_it(
    tmp_path: Path, skew: str, severity: str, source: str, says: str, provenance: str
) -> None:
    path = own(tmp_path, SKEWED.format(skew=skew, severity=severity, source=source))
    loaded = rulesets.load(path)
    found = loaded.rules["SIG002"][0].source
    assert says in found.text and found.provenance == provenance
    assert (path in found.text) is (source != "house")
    (note,) = loaded.notes
    weaker = ", other severity" if severity == "warning" else ""
    told = f"1 limit, limits left out{weaker}: SIG002; switched off: PDN007; conditions: hot"
    assert note == f"{path} changes training 1.0: {told}"
    assert note.count("SIG002") == 1


def test_a_limit_that_is_not_changed_keeps_its_source_in_any_unit(tmp_path: Path) -> None:
    text = SKEWED.format(skew="< 0.005 ns", severity="error", source="S0").replace("  PDN007: [{off: not here}]\n", "")
    loaded = rulesets.load(own(tmp_path, text.replace("conditions: {hot: 70 degC, cold: 20 degC}\n", "")))
    assert loaded.rules["SIG002"][0].source == rulesets.load("training").rules["SIG002"][0].source
    assert [note.endswith(" changes training 1.0: limits left out: SIG002") for note in loaded.notes] == [True]


def test_a_class_of_source_may_be_lowered_but_never_raised() -> None:
    before = rulesets.load("training")
    after = before.lowered({"guide": Severity.WARNING, "practice": Severity.ERROR})
    for rule, entries in before.rules.items():
        for old, new in zip(entries, after.rules[rule], strict=True):
            lower = old.source.provenance == "guide" and old.severity is Severity.ERROR
            assert new.severity is (Severity.WARNING if lower else old.severity)
            assert new.weight(Source("offered", "guide")) is not Severity.ERROR


def test_what_a_file_of_a_file_changes_is_told_of_each(tmp_path: Path) -> None:
    own(tmp_path, SKEWED.format(skew="<= 7 ps", severity="error", source="S0"))
    top = tmp_path / "top.yaml"
    text = SKEWED.format(skew="<= 9 ps", severity="error", source="S0").replace("training", "own.yaml")
    top.write_text(text.replace("house", "top").replace("\n  PDN007: [{off: not here}]", ""), encoding="utf-8")
    loaded = rulesets.load(str(top))
    assert "loosened from <= 7 ps" in loaded.rules["SIG002"][0].source.text
    assert [note.partition(": ")[2].partition(";")[0] for note in loaded.notes] == [
        "1 limit, limits left out: SIG002", "1 limit: SIG002"]
    assert "changes house 3" in loaded.notes[1]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_copy_of_a_profile_changes_nothing_of_it(tmp_path: Path, profile: str) -> None:
    text = (rulesets.folder() / f"{profile}.yaml").read_text(encoding="utf-8")
    text = re.sub("(?m)^ruleset:.*", "ruleset: copy", re.sub("(?m)^extends:.*", f"extends: {profile}", text))
    loaded, shipped = rulesets.load(own(tmp_path, text)), rulesets.load(profile)
    assert loaded.notes == shipped.notes
    assert [[one.source for one in entries] for entries in loaded.rules.values()] == [
        [one.source for one in entries] for entries in shipped.rules.values()]


ENTRY = """\
ruleset: house
version: "3"
title: House rules
extends: training
rules:
  {rule}:
    - {{when: {{{when}}}, limits: {{{limits}}}, severity: {severity}, source: S0}}
"""


@pytest.mark.parametrize(
    ("rule", "when", "limits", "severity", "says", "source"),
    [
        # of two standards by their family, which the profile names one by one
        ("SIG003", "family: nvlink", "stub: < 50 mil", "error",
         "1 limit, entries left out, other severity: SIG003", "loosened from < 10 mil / < 5 mil"),
        # of one standard, which the profile judges with all others
        ("SIG002", "standard: nvlink4", "skew: < 5 ps", "advice",
         "entries left out, limits left out, other severity: SIG002",
         ""),
        ("SIG002", "speed: fast", "skew: < 6 ps", "error",
         "1 limit, entries left out, limits left out: SIG002",
         "loosened from < 5 ps"),
        # one limit of four
        ("PDN006", "", "drop: <= 1 %", "warning", "limits left out: PDN006", ""),
        # of another standard than those of the profile's limit
        ("SIG003", "standard: nvlink4", "stub: < 10 mil", "error", "entries left out: SIG003", ""),
    ],
)
def test_a_change_is_told_whichever_tags_name_the_facts(
    tmp_path: Path, rule: str, when: str, limits: str, severity: str, says: str, source: str
) -> None:
    loaded = rulesets.load(own(tmp_path, ENTRY.format(rule=rule, when=when, limits=limits, severity=severity)))
    (note,) = loaded.notes
    assert note.endswith(f"changes training 1.0: {says}")
    found = loaded.rules[rule][0].source
    assert source in found.text
    assert (found.provenance == "derived") is bool(source)


@pytest.mark.parametrize("profile", PROFILES)
def test_what_shipped_profiles_make_of_common_limits_is_no_change(profile: str) -> None:
    loaded = rulesets.load(profile)
    assert loaded.notes == ()
    texts = " ".join(entry.source.text for entries in loaded.rules.values() for entry in entries)
    assert "loosened from" not in texts and "tightened from" not in texts
