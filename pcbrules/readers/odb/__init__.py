# SPDX-License-Identifier: MIT
"""ODB++ product models, versions 7 and 8: a folder, a tar archive (plain or gzip) or a ZIP archive."""
