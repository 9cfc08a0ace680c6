# SPDX-License-Identifier: MIT
"""Hand-made reports for the tests of the formats."""

from __future__ import annotations

from typing import Any

from pcbrules.results.finding import Finding, Severity, Source, Status, Waiver
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.place import Location
from pcbrules.results.report import InputFile, Profile, Report

MIL = 25.4e-6
ARTICLE = Source(
    "NextPCB, 'AI Training vs AI Inference: Why They Need Different PCB Designs' (2026)", "guide"
)
PRACTICE = Source("established engineering practice, no public standard", "practice")

NASTY = {
    "script": "<script>alert('x')</script><img src=x onerror=y>",
    "pipes": "a|b||c \\| d",
    "ticks": "`code` ``two`` ```three```",
    "ansi": "\x1b[31mred\x1b[0m\x07\x9b1m\x00",
    "lines": "one\ntwo\r\n\n# heading\n- item\n\u2028three\x0b",
    "letters": "Prüfling für 東京 e\u0301 𝔘 😀",
    "links": "[click](https://e.example) ![p](http://e/x.png) www.e.example me@e.example @cat #12 GH-7 a/b#3",
    "emphasis": "**bold** __u__ ~~s~~ $x^2$ {0} {1}",
    "unseen": "a\u202eb\u200bc\ufeffd\ud800e\uffff",
    "long": "links." + "x" * 294,
    "xml": "]]> &amp; <!-- --> \"quotes\" 'single'",
}
"""Texts that somebody could put into a board file."""


def finding(status: Status = Status.FAIL, **changes: Any) -> Finding:
    """A finding about a via stub, with some of its fields replaced."""
    fields: dict[str, Any] = {
        "rule": "SIG003",
        "title": "Residual via stub after backdrill",
        "subject": "links.nvl0.path.via2.stub_bottom",
        "status": status,
        "severity": Severity.ERROR,
        "message": "residual stub of 11.8 mil below layer L14",
        "where": Location("boards/x.yaml", 41, 7),
        "measured": stub(11.83, 9.04, 14.61),
        "limit": Limit(None, 10 * MIL, "mil", "< 10 mil", high_strict=True),
        "source": ARTICLE,
    }
    return Finding(**fields | changes)


def stub(value: float, lo: float, hi: float) -> Measured:
    """A stub length in mil."""
    return Measured(
        value=value * MIL,
        lo=lo * MIL,
        hi=hi * MIL,
        model="layer heights and drill depth, worst case of the drill tolerance",
        assumptions=("drill depth tolerance 4 mil (fabrication class standard)",),
    )


def temperature() -> Finding:
    """A limit in degrees Celsius, whose margin is in kelvin."""
    return finding(
        Status.MARGINAL,
        rule="THM002",
        title="Glass transition above the solder profile",
        subject="materials.core1",
        severity=Severity.WARNING,
        message="Tg of the laminate is 172 degC",
        measured=Measured(value=172.0, lo=168.0, hi=176.0, model="data sheet, DSC", basis="table"),
        limit=Limit(170.0, None, "degC", ">= 170 degC"),
        source=PRACTICE,
        note="The method (DSC, TMA, DMA) moves Tg by up to 20 K.",
        where=Location("boards/x.yaml", 12, 5),
    )


def foil() -> Finding:
    """A limit that is a word."""
    return finding(
        rule="MAT002",
        title="Copper foil class",
        subject="links.nvl0.path.t1.foil",
        message="foil rtf (Rz 4 um) on layer L3",
        measured=Measured(value=1.0, lo=1.0, hi=1.0, model="foil of the layer", basis="declared"),
        limit=Limit(3.0, None, "", ">= vlp"),
        fix="order foil vlp or smoother for L3",
        note="Foil class names are not standardised: the effective roughness Rz is printed.",
        where=Location("boards/x.yaml", 20, 11),
    )


def everything() -> Report:
    """A report with every status and every kind of number."""
    waived = finding(
        Status.WAIVED,
        subject="links.pcie0.path.via1.stub_top",
        waiver=Waiver("prototype run, measured 6 dB on coupon", "J. Müller", "2027-03-31", "<= 14 mil"),
        waived_from=Status.FAIL,
        where=Location("boards/x.yaml", 77, 7),
    )
    gap = finding(
        Status.NOT_EVALUATED,
        rule="PDN003",
        title="Target impedance",
        subject="rails.vdd_core",
        message="no capacitor bank is given",
        measured=None,
        limit=None,
        fix="give `rails.vdd_core.banks`",
        where=Location("boards/x.yaml", 101, 3),
    )
    crash = finding(
        Status.CRASHED,
        rule="CHN002",
        title="Return loss",
        subject="CrosstalkFact",
        message="analysis crosstalk failed: ZeroDivisionError: x. This is a fault of pcbrules.",
        measured=None,
        limit=None,
        source=Source("pcbrules", "derived"),
        where=Location("boards/x.yaml", 2, 1),
    )
    passed = [
        finding(
            Status.PASS,
            rule="MAT001",
            title="Dissipation factor",
            subject=f"links.nvl{i}",
            message="Df 0.0021 at 26.6 GHz",
            measured=Measured(value=0.0021, lo=0.0020, hi=0.0022, model="causal fit", basis="table"),
            limit=Limit(None, 0.003, "", "<= 0.003"),
        )
        for i in range(4)
    ]
    passed.append(finding(Status.PASS, subject="links.nvl1.path.via2.stub_bottom", measured=stub(7, 5, 9)))
    off = finding(
        Status.NOT_APPLICABLE,
        rule="THM009",
        title="Thermal interface",
        subject="thermal",
        message="the board declares no heat source",
        measured=None,
        limit=None,
        source=None,
    )
    loss = finding(
        rule="CHN001",
        title="Insertion loss budget",
        subject="links.eth0",
        severity=Severity.WARNING,
        message="14.6 dB at 26.6 GHz and 85 degC, of which 0.9 dB in two vias",
        measured=Measured(value=14.6, lo=13.9, hi=15.5, model="field solver, Huray roughness"),
        limit=Limit(None, 14.0, "dB", "<= 14 dB"),
        source=Source("IEEE 802.3ck, annex 162A", "standard"),
        fix="shorten the route by 0.7 in, or use a foil of Rz 1 um",
        where=Location("boards/x.yaml", 66, 3),
    )
    fixed = finding(fix="drill to layer L15 (`links.nvl0.path.via2.backdrill.to: L15`)")
    return report(fixed, loss, foil(), crash, gap, temperature(), waived, *passed, off, exit_code=1)


def report(*findings: Finding, board: str = "baseboard-8x", exit_code: int = 0, **changes: Any) -> Report:
    """A report with these findings."""
    fields: dict[str, Any] = {
        "board": board,
        "profile": Profile(
            "training", "1.0", "AI training (SXM/OAM baseboards and modules, NVSwitch boards)"
        ),
        "inputs": (
            InputFile("board", "boards/x.yaml", "a1" * 32),
            InputFile("ruleset", "training.yaml", "b2" * 32),
        ),
        "conditions": (("cold", "20 degC"), ("hot", "85 degC"), ("slew", "1000 A/us"), ("duty", "100 %")),
        "findings": tuple(sorted(findings, key=Finding.sort_key)),
        "notes": ("waiver of THM001 expires in 12 days",),
        "exit_code": exit_code,
        "libraries": (("numpy", "2.1.3"),),
    }
    return Report(**fields | changes)


def nasty() -> Report:
    """A report in which every text of the board file is hostile."""
    findings = []
    for name, text in NASTY.items():
        for status in Status:
            findings.append(
                finding(
                    status,
                    rule="SIG003",
                    subject=f"{name} {status}: {text}",
                    message=f"message {text}",
                    note=f"note {text}",
                    fix=text,
                    source=Source(text, "guide"),
                    where=Location(f"boards/{name} {text[:30]}.yaml", 3, 2),
                    waiver=Waiver(text, text, "2027-01-01", text) if status is Status.WAIVED else None,
                    waived_from=Status.FAIL if status is Status.WAIVED else None,
                )
            )
    every = " ".join(NASTY.values())
    return report(
        *findings,
        board=every,
        conditions=((every, every),),
        notes=(every, NASTY["lines"]),
        inputs=(InputFile("board", f"boards/{every}", "0" * 64),),
        exit_code=1,
    )


def all_samples() -> dict[str, tuple[Report, ...]]:
    """Every sample by name."""
    return {
        "everything": (everything(),),
        "empty": (report(),),
        "nasty": (nasty(),),
        "two boards": (everything(), report(finding(Status.PASS), board="edge", exit_code=0)),
        "none": (),
    }
