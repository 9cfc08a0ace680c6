# SPDX-License-Identifier: MIT
"""Answers as data frames of pandas, where that is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any


def frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> Any:
    """Return rows as a data frame of pandas.

    Raises
    ------
    ImportError
        If pandas is not installed: it is no part of pcbrules.
    """
    try:
        made = import_module("pandas").DataFrame
    except ImportError:
        raise ImportError("to_frame() needs pandas, not installed here: install it, or take to_rows()") from None
    return made(rows, columns=columns or None)
