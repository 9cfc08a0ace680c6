# SPDX-License-Identifier: MIT
"""Cross-sections: fields, copper, roughness, dielectrics, and the closed forms beside them."""
