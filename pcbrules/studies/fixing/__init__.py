# SPDX-License-Identifier: MIT
"""The cheapest set of changes after which nothing fails: search, proof, and what is said of it."""
