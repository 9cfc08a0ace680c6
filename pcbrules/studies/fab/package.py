# SPDX-License-Identifier: MIT
"""The files of a fabrication package."""

from __future__ import annotations

from pcbrules.results.report import Report
from pcbrules.studies.fab.ipc2581 import ipc2581
from pcbrules.studies.fab.notes import notes
from pcbrules.studies.fab.order import FabOrder
from pcbrules.studies.fab.tables import backdrill_csv, drill_csv, impedance_csv, loss_csv, stackup_csv


def files(order: FabOrder, report: Report | None) -> dict[str, str | bytes]:
    """Names and contents; `report` is the verdict, None where the board was not judged."""
    return {
        "notes.md": notes(order, report),
        "stackup.csv": stackup_csv(order),
        "stackup.xml": ipc2581(order),
        "impedance.csv": impedance_csv(order),
        "loss.csv": loss_csv(order),
        "drill.csv": drill_csv(order),
        "backdrill.csv": backdrill_csv(order),
    }
