# SPDX-License-Identifier: MIT
"""`python -m pcbrules`."""

from pcbrules.cli.main import main

if __name__ == "__main__":
    main()
