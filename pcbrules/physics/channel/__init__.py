# SPDX-License-Identifier: MIT
"""A link as a whole: the step that comes back, crosstalk as noise."""
