# SPDX-License-Identifier: MIT
"""The self-test: what this version computes beside golden reference values that were computed without it."""
