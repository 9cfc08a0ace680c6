# SPDX-License-Identifier: MIT
"""KiCad boards, formats of KiCad 5 to 10, with the project and the custom rules beside them."""
