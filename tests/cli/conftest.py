# SPDX-License-Identifier: MIT
"""Fixtures of the command-line tests."""

from cli_bench import bench, edited

__all__ = ["bench", "edited"]
