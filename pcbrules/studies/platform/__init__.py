# SPDX-License-Identifier: MIT
"""From a workload to a board: memory, rate, number of accelerators, links between them, profile and starting board."""
