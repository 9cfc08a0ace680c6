# SPDX-License-Identifier: MIT
"""Formulas: keyword-only functions of SI numbers and numpy arrays, each with the card of its range and accuracy."""
