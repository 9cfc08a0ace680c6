# SPDX-License-Identifier: MIT
"""`--format`: its help names the formats that are found, which are imported for that alone."""

from __future__ import annotations

import click


class FormatOption(click.Option):
    """An option whose value is the name of a report format."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help."""
        from pcbrules.reports import text_formats

        self.help = f"What is printed: {', '.join(text_formats())}."
        return super().get_help_record(ctx)
