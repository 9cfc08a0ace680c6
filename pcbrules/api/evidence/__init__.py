# SPDX-License-Identifier: MIT
"""Evidence of a check that stands alone: an archive with all that went in and came out, and what checks it again."""

from __future__ import annotations

from pcbrules.api.evidence.again import EvidenceDifference, verify
from pcbrules.api.evidence.archive import digest_of
from pcbrules.api.evidence.making import evidence

__all__ = ["EvidenceDifference", "digest_of", "evidence", "verify"]
