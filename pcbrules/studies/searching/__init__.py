# SPDX-License-Identifier: MIT
"""A design space of stackups: candidates, what cuts them, and those that give most margin for their cost."""
