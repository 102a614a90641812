"""Metadata as pairs of a key and its value: bytes under a key that ends in -bin, printable ASCII under any other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Union

Pair = tuple[str, Union[str, bytes]]
Metadata = Union[Mapping[str, Union[str, bytes]], Iterable[Pair]]
LARGEST = 16_384
"""All metadata of one side of a call; of each pair its key and its value count, and 32."""


def checked(entries: Metadata) -> tuple[Pair, ...]:
    """The pairs of what a program gives as metadata; a value of the wrong kind is refused by the name of its key, and
    more than may travel by its size."""
    given = entries.items() if isinstance(entries, Mapping) else entries
    pairs = tuple((key, _value(key, value)) for key, value in given)
    size = sum(len(key.encode()) + len(value) + 32 for key, value in pairs)
    if size > LARGEST:
        raise ValueError(f"metadata weighs {size} bytes; at most {LARGEST} may travel")
    return pairs


def _value(key: str, value: Any) -> str | bytes:
    if key.lower().endswith("-bin"):
        if not isinstance(value, bytes):
            raise ValueError(f"metadata '{key}' ends in -bin and so takes bytes")
    # The value itself may be a secret, and stays out of the words.
    elif not isinstance(value, str) or not value.isascii() or not value.isprintable():
        raise ValueError(f"metadata '{key}' has a value that is not printable ASCII; bytes go under a key in -bin")
    return value
