"""Strict JSON: no repeated keys, and no values such as NaN."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, NoReturn


class KeyTwice(ValueError):
    """Raised if a JSON object has a key twice."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def load_json(text: str) -> Any:
    """Return the value of a JSON text. Raises `KeyTwice`, and `ValueError` or `RecursionError` for invalid JSON."""
    return json.loads(
        text,
        object_pairs_hook=_refuse_repeated_keys,
        parse_constant=_refuse_constant,
        parse_float=_finite_number,
    )


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object's keys and values as a dictionary; raise `KeyTwice` for a repeated key."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise KeyTwice(key)
        found[key] = value
    return found


def _refuse_constant(name: str) -> NoReturn:
    """Raise `ValueError` for NaN and Infinity."""
    raise ValueError(f"{name} is no number")


def _finite_number(digits: str) -> float:
    """Return the number in JSON digits; raise `ValueError` if it is infinite."""
    return value if isfinite(value := float(digits)) else _refuse_constant(digits)
