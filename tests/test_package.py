# SPDX-License-Identifier: MIT
"""What `import pcbrules` offers."""

from __future__ import annotations

from pathlib import Path

import pytest

import pcbrules

BOARD = Path(__file__).resolve().parent.parent / "boards" / "jetson-orin-carrier.yaml"


def test_load_and_check() -> None:
    report = pcbrules.check(pcbrules.load(str(BOARD)), "edge", pcbrules.Options(select=("SIG",)))
    assert report.exit_code == 0
    assert {f.rule[:3] for f in report.findings} == {"SIG"}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        pcbrules.chek  # noqa: B018
