# SPDX-License-Identifier: MIT
"""Fixtures of the command-line tests."""

from cli_bench import bench, edited, program

__all__ = ["bench", "edited", "program"]
