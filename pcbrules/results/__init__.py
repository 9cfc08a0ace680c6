# SPDX-License-Identifier: MIT
"""What the tool found: measured numbers, judgements, findings, the report."""
