# SPDX-License-Identifier: MIT
"""The command line: parse, call the API, write, exit code."""
