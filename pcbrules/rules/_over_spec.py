# SPDX-License-Identifier: MIT
"""Rules that say what is dearer than a profile needs: title, page and the changes of each.

They are advice and are judged when they are asked for alone (``pcbrules check --over-spec``): each saving takes a check
of the changed board.
"""

from __future__ import annotations

TOTAL = "OVR001"
"""What all savings that go together save."""

FAMILIES = {
    "laminate": "OVR002",
    "foil": "OVR003",
    "bond": "OVR003",
    "layers": "OVR004",
    "copper-weight": "OVR005",
    "via-kind": "OVR006",
    "via-escape": "OVR006",
    "backdrill": "OVR007",
    "supply": "OVR008",
    "bulk-capacitor": "OVR008",
    "mid-capacitor": "OVR008",
    "small-capacitor": "OVR008",
    "impedance-control": "OVR009",
    "fabrication-class": "OVR009",
}
"""Rule of each family of changes."""

WITNESSES = {
    "laminate": ("CHN001", "CHN002"),
    "foil": ("CHN001", "CHN002"),
    "bond": ("CHN001", "CHN002"),
    "layers": ("STK001",),
    "copper-weight": ("PDN006", "STK003"),
    "via-escape": ("STK004",),
    "backdrill": ("CHN003",),
    "supply": ("PDN008",),
    "bulk-capacitor": ("PDN001", "PDN005"),
    "mid-capacitor": ("PDN001", "PDN005"),
    "small-capacitor": ("PDN001", "PDN005"),
    "impedance-control": ("SIG001",),
}
"""Rules of which one must have judged something: without them nothing says that less would do."""

HOW = (
    " Every saving is a change of the board file, judged by a full check: it counts if no finding of severity error "
    "or warning gets a worse status, no fail loses margin, and the rule that guards against the saving judged "
    "something. The message names the finding that loses most margin. Costs are "
    "an index, 1 is one per cent of the price of the bare board: practice, to be replaced by your own (`pcbrules fix "
    "--cheaper --costs FILE`). Severity advice: it never decides the exit code, unless `--fail-on advice` asks for "
    "that. Without `--over-spec` the rule is not asked."
)

OVER_SPEC = {
    TOTAL: (
        "Cost beyond what the profile needs",
        "All savings of OVR002 to OVR009 that hold together, in sum. A training board that is judged as one "
        "for inference spends this for nothing. `pcbrules fix --cheaper --patch FILE` writes the changes." + HOW,
    ),
    "OVR002": (
        "Laminate beyond what the profile needs",
        "A laminate of a lower class throughout, in place of one laminate, or around one signal layer. Widths "
        "of the traces beside it are solved anew for the impedance of their links." + HOW,
    ),
    "OVR003": (
        "Foil or bond treatment smoother than the profile needs",
        "A rougher foil on one layer, or a cheaper bond treatment." + HOW,
    ),
    "OVR004": (
        "Layers that nothing needs",
        "Two inner layers of copper, one on each side of the middle, which no link, via, rail or other key of "
        "the board file names: their copper goes and their dielectrics become one, so that the board keeps "
        "its thickness and its symmetry. Ground planes that traces refer to are such layers too: without them "
        "impedance, crosstalk and return paths are judged anew." + HOW,
    ),
    "OVR005": (
        "Heavier copper than the profile needs",
        "A plane of a lighter foil that is sold (1, 2, 3 or 4 oz)." + HOW,
    ),
    "OVR006": (
        "Via technology beyond what the profile needs",
        "Blind, buried or laser-drilled vias that the board can do without: links with vias of such a type "
        "take a through type of the board, parts that escape through it do not, and the sequential lamination "
        "is saved. STK004 says whether a fine-pitch part needs it." + HOW,
    ),
    "OVR007": (
        "Backdrill that the profile does not need",
        "A via type without its backdrill." + HOW,
    ),
    "OVR008": (
        "Supplies or capacitors beyond what the profile needs",
        "Fewer power supplies, down to one more than the redundant ones, or fewer pieces in a bank of "
        "capacitors (half, three quarters)." + HOW,
    ),
    "OVR009": (
        "Fabrication or impedance class beyond what the profile needs",
        "A lower fabrication class, or no impedance class with coupons. Both are ordered, not built: where no judged "
        "number depends on one, whether the board can do without it is not known." + HOW,
    ),
}
"""Title and page by id."""