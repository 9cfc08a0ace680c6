# SPDX-License-Identifier: MIT
"""Record of the library for the shape of a model: what its memory and its rate follow from."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from pcbrules.model.amounts import Parameters
from pcbrules.model.catalogue.base import Entry, Sourced
from pcbrules.model.catalogue.fields import Count


class ModelShape(Entry, Sourced):
    """The shape of a transformer. ``active_params`` are those that a token needs, fewer with a mixture of experts.

    ``cache_values`` are the values of a layer and token that attention keeps where keys and values are stored as one
    (latent attention); else ``kv_heads`` and ``head_size`` say it.
    """

    params: Parameters
    active_params: Parameters | None = None
    layers: Count
    hidden: Count
    heads: Count
    kv_heads: Count | None = None
    head_size: Count | None = None
    cache_values: Count | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.cache_values is None) == (self.kv_heads is None or self.head_size is None):
            raise ValueError("needs either kv_heads and head_size, or cache_values")
        if self.active_params is not None and self.active_params > self.params:
            raise ValueError("more parameters are active than there are")
        return self
