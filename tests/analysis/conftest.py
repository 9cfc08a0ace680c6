# SPDX-License-Identifier: MIT
"""Samples and helpers that the rooms of this folder share are found here."""
