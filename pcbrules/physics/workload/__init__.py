# SPDX-License-Identifier: MIT
"""What a model asks of accelerators: memory, rate and traffic, by arithmetic."""
