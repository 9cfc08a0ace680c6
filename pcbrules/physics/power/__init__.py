# SPDX-License-Identifier: MIT
"""Power rails: planes, mounted capacitors, regulators in time, direct current in sheets."""
