# SPDX-License-Identifier: MIT
"""What was drawn: one model of a layout, whatever CAD file it was read from, and what is measured in it.

Lengths are in metres; points are (x, y) in the system of the CAD file, its origin and the sense of its y axis
(`Layout.y_down`). Layers are named as the file's objects name them.
"""
