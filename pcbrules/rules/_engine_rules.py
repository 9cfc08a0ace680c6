# SPDX-License-Identifier: MIT
"""Findings that the engine itself makes: title and page of each."""

from __future__ import annotations

from pcbrules.results.finding import LOST_MARGIN
from pcbrules.rules._over_spec import OVER_SPEC

ENGINE_RULES = {
    "PCB001": (
        "A rule or an analysis crashed",
        "Shown as status `crashed` on the rule that could not answer. It is a fault of pcbrules, not of the board: "
        "please report it with the board file. The other rules still report; the exit code is 3 unless something "
        "failed.",
    ),
    "PCB002": (
        "Waiver or acceptance that covers nothing",
        "An entry of the waiver file names a rule and a subject for which there is nothing to waive: the fault is "
        "cured, the subject was renamed, the measured value is beyond the entry's bound, or the bound has another unit "
        "than the limit. Remove or correct it. With `--held-waivers` an entry that the target branch does not have "
        "covers nothing either: merge it first. Where such an entry covers nothing because the fault is still to come, "
        "it is advice. An entry that may be of a board of `--unchecked` is not judged.",
    ),
    "PCB003": (
        "Waiver or acceptance past its date",
        "The entry's `expires` lies before today (`--today`, else SOURCE_DATE_EPOCH, else the system's date). The "
        "finding it covered counts again. Review it, then renew or remove the entry.",
    ),
    "PCB004": (
        "Two methods disagree",
        "A number was computed by two independent methods, an impedance by the field solver and by a published closed "
        "form inside its range, and they differ by more than the sum of both error bounds. Look at width, gap and "
        "heights of the segment for a slip of the unit; if they are as meant, it is a fault of pcbrules: please report "
        "it with the board file. Shown only where it happens.",
    ),
    "PCB005": (
        "Margin lost against the baseline",
        "With `--baseline`: a finding has lost more of its margin than `--regression` allows, although it may still "
        "pass. Without that option a loss counts where it is larger than the model error of the number and less than "
        "20 % of the limit is left. All losses of a link or a rail are one finding, the one furthest beyond its bound "
        "first; each has a waiver of its own. The margin is taken at the nominal value and at the unfavourable end of "
        "the interval, and where the limit itself has moved also under the limit of today, so that a relaxed limit "
        "hides no loss. It is also lost where a number became weaker: computed then, declared now (where a value of "
        "the board file is the cause of several, such as the tolerance of the impedance class, PCB010 tells them). It "
        "is an error even where the source of the limit allows a warning only, since the bound is your own; of an "
        "advised limit it is advice. Undo the change that costs it; or, once a review has accepted it, waive it with a "
        "bound (`rule: PCB005`, `at_most: 0.5 dB`) or make the baseline anew. A loss without a number is taken by an "
        "acceptance with `subject`, `board` and `change`. The report prints the entry.",
    ),
    "PCB006": (
        "Gone since the baseline",
        "With `--baseline`: something was judged in the baseline and is not any more, because it was removed, or "
        "because the rule does not apply to it now. A link or rail that only got another name is compared under it; "
        "one that was altered too counts as new, and a margin that it lost is not seen. A board file that is gone "
        "(`--gone`) has a report of its own with this finding; with `--hold-checks` so has a board of the baseline "
        "that is not checked now. A warning, so that it shows and fails only with `--fail-on warning`; with "
        "`--hold-checks` an error. What was meant to go is taken by an acceptance of PCB006 with `subject` and "
        "`board`, which the report prints; where checks are held it is merged first, in a change of its own.",
    ),
    "PCB007": (
        "Waiver or acceptance that runs long or covers much",
        "An entry of the waiver file ends more than two years after today: by then the review is forgotten, so it "
        "is a warning. One that ends more than five years after today covers nothing. Give it a nearer date and renew "
        "it after a review. A bound that lies more than ten times the measured value and the limit away (20 dB for "
        "levels) is a warning: it holds nothing, and the board may get worse unseen. Set it a little beyond the "
        "measured value. An acceptance without `subject` that covers several findings is advice which counts them: "
        "what comes to the rule later is accepted unseen too. Name the subjects.",
    ),
    "PCB008": (
        "Part of a layout that a check needs and that was not read",
        "The overlay asks for a link whose nets have no path that can be followed, whose path ends at a series part or "
        "goes through a part that is not modelled; or for a rail whose copper cannot be read: a zone of it is not "
        "filled, or no copper joins its source to a load. What was read of the board is judged, but the check is "
        "incomplete: exit code 3. Write the path of the link into the overlay by hand (`path:` in place of `nets:`), "
        "fill the zones, or leave the link or the `net` of the rail out.",
    ),
    "PCB009": (
        "Required rule that judged nothing",
        "`--require SIG001` (or the policy of the gate) asks that the rule judges something on each board. It did not: "
        "the board lacks what it needs, the ruleset switches it off, `--ignore` leaves it out, or all that it could "
        "not evaluate is accepted. The check is incomplete: exit code 3, also with `--allow-incomplete`. A required "
        "rule that fails counts as any other fail. `--require SIG001:links.up` asks it of one part of the board.",
    ),
    "PCB010": (
        "Relaxed since the baseline",
        "With `--baseline`: a rule judges by a weaker limit than in the baseline, or its findings weigh less; or the "
        "board file sets a limit, a bound or a condition otherwise (a budget, a target, a crosstalk bound, an ambient"
        " temperature, a current, a tolerance, a document of `evidence`). Each side is judged by its own limit, so a "
        "relaxed one hides no loss today; the next baseline has it, and then it does. A warning, so that it shows and"
        " fails only with `--fail-on warning`. With `--hold-checks` it is an error where the change makes the check "
        "easier, and stays a warning where that is not known (another document, other data of a Touchstone file, a "
        "value that was not declared before), and where the rating of a part is higher: confirm that the part has it."
        " A value that a finding of the baseline asked for, because it was missing, is a note. A change that is meant"
        " is taken by an acceptance of PCB010 with `subject`, `board` and `change`, which the report prints and which"
        " holds for this change alone; where checks are held it is merged first.",
    ),
    "PCB011": (
        "Build-up that the CAD program put in",
        "A layout has the build-up that KiCad gives every board: equal sheets of FR4 with Dk 4.5 and Df 0.02 (0.48 mm "
        "on four layers), or prepregs of 0.1 mm and equal cores where its dialog shares out a thickness. No file says "
        "what will be built. No fabricator builds equal sheets: what their heights decide (impedance, "
        "reflections, crosstalk) is *not evaluated*, and losses are *assumed*. Prepregs of 0.1 mm may be built: all "
        "numbers are judged and *assumed*. Enter the fabricator's build-up in the layout, or in the overlay: "
        "`stackup: {'dielectric 1': {thickness: 0.21 mm}}`. A thickness of one sheet in the overlay counts as entered.",
    ),
    "PCB012": (
        "Unlikely input",
        "A value that may be, and is most often a slip: beyond the usual range of its key (a width of 6 mm, an Rz of "
        "18 um), a tolerance as large as its value, a trace longer than width and height of the board together, legs "
        "or lanes that differ by more than a tenth from the trace, layers that do not add up to the board; or values "
        "that are unlikely together: a Df twice that of the library's laminate of the same name, nothing beside a "
        "trace of a link of 16 lanes, a core rail that delivers more than its accelerators are rated for. The ranges "
        "are wide and are practice; the page of the board file shows them with every key. What is impossible is "
        "refused. A warning: it shows, and fails only with `--fail-on warning`. Correct number or unit; if the value "
        "is meant, accept it (`acceptances` of the waiver file).",
    ),
    **OVER_SPEC,
}

NOT_READ, UNJUDGED, RELAXED, DEFAULTED, UNLIKELY = "PCB008", "PCB009", "PCB010", "PCB011", "PCB012"

AS_IS = (DEFAULTED, UNLIKELY)
"""Warnings without a number that a waiver could bound: an acceptance takes them as they are."""

GONE = "PCB006"
PLANNED = (GONE, RELAXED)
"""What a change takes away or relaxes: an acceptance of one board and of exactly this takes it."""

COMPARED = (LOST_MARGIN, GONE)
"""Rules that compare two reports: they say nothing of a board alone."""
