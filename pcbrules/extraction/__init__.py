# SPDX-License-Identifier: MIT
"""What a layout means for a check: figures that are measured on its copper, whatever format it came from."""
