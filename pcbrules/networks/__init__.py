# SPDX-License-Identifier: MIT
"""Circuit elements as two-ports, and their cascade by scikit-rf. One file per kind of element.

Every element takes the frequency grid of the whole channel and gives its scattering parameters referred to one real
impedance: that of the differential mode for a pair, of the line for a single-ended link. With a real reference
impedance travelling, pseudo and power waves are the same.
"""
