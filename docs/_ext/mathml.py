# SPDX-License-Identifier: MIT
"""Equations as MathML, which browsers draw themselves: no script and no network. docutils brings the translation."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

LOG = logging.getLogger(__name__)


def setup(app: Any) -> dict[str, Any]:
    """Offer the renderer under the name `mathml`."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _inline(writer: Any, node: Any) -> None:
    writer.body.append(_translated(node, block=False))
    raise nodes.SkipNode


def _block(writer: Any, node: Any) -> None:
    writer.body.append(f'<div class="equation">{_translated(node, block=True)}</div>\n')
    raise nodes.SkipNode


def _translated(node: Any, *, block: bool) -> str:
    try:
        return str(tex2mathml(node.astext(), as_block=block))
    except MathError as error:  # a warning, and warnings end the build
        LOG.warning("equation: %s", error, location=node)
        return ""
