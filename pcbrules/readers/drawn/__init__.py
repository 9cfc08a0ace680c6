# SPDX-License-Identifier: MIT
"""What is drawn of pads and holes, and which hole belongs to what: shared by readers of CAM files."""
