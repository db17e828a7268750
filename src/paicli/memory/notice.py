"""Notice: something to tell the user that is no error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should hear of that is no error: a code and values, worded by the interface."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)
