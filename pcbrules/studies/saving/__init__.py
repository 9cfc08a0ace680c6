# SPDX-License-Identifier: MIT
"""What is dearer than a profile needs: changes that save cost, each judged."""
