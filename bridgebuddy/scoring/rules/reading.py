"""Strict reading of JSON: every wrong value is reported with its path, and unknown keys are refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any, NoReturn, TypeVar

from .errors import ScoringError

T = TypeVar("T")

#: most digits: more are no score but a mistake or an attack
MOST_DIGITS = 40
_TOO_MUCH = 10**MOST_DIGITS
#: a number before rounding, as results documents write it; sums of many boards have many digits
_RATIO = re.compile(r"-?\d{1,400}(/0*[1-9]\d{0,400})?", re.ASCII)


def load_document(text: str) -> DocumentNode:
    """Parse a JSON text; numbers are read exactly, as decimals instead of floats."""

    def refuse_double_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Return an object; raise `ScoringError` if a key stands there twice."""
        seen = dict(pairs)
        if len(seen) < len(pairs):
            keys = [key for key, _ in pairs]
            raise ScoringError("", f"{next(key for key in keys if keys.count(key) > 1)!r} twice")
        return seen

    def refuse_constant(name: str) -> NoReturn:
        """Raise `ScoringError` for NaN and Infinity."""
        raise ScoringError("", f"{name} is no number")

    try:
        value = json.loads(
            text.removeprefix("\ufeff"),
            parse_float=_read_decimal,
            parse_int=_read_whole_number,
            parse_constant=refuse_constant,
            object_pairs_hook=refuse_double_keys,
        )
    except json.JSONDecodeError as error:
        raise ScoringError("", f"no JSON: {error}") from error
    except RecursionError:
        raise ScoringError("", "no JSON: nested too deep") from None
    return DocumentNode(value, "")


def _read_decimal(digits: str) -> Decimal:
    """Return a number; raise `ScoringError` if it is too large."""
    value = Decimal(digits)
    if len(digits) > MOST_DIGITS or (value and abs(value.adjusted()) > MOST_DIGITS):
        raise ScoringError("", f"{digits[:20]}… is no number anybody scores with")
    return value


def _read_whole_number(digits: str) -> int:
    """Return a whole number; raise `ScoringError` if it is too large."""
    return int(digits if len(digits) <= MOST_DIGITS else _read_decimal(digits))


class DocumentNode:
    """A value in a JSON document with its path, read strictly; errors name the path."""

    def __init__(self, value: Any, path: str) -> None:
        self.value = value
        self.path = path

    def raise_error(self, problem: str) -> NoReturn:
        """Raise `ScoringError` with the path of this value."""
        raise ScoringError(self.path or "document", problem)

    def __getitem__(self, key: str) -> DocumentNode:
        return DocumentNode(self.value.get(key), f"{self.path}.{key}" if self.path else key)

    @property
    def is_absent(self) -> bool:
        """Return whether the document has no such value."""
        return self.value is None

    def __iter__(self) -> Iterator[DocumentNode]:
        if self.value is None:
            return
        if not isinstance(self.value, list | tuple):
            self.raise_error("is no list")
        for index, value in enumerate(self.value):
            yield DocumentNode(value, f"{self.path}[{index}]")

    def keys(self, *known: str) -> DocumentNode:
        """Check that the value is an object with only these keys, and return the node. Raises `ScoringError`."""
        if not isinstance(self.value, dict):
            self.raise_error("is no object")
        if unknown := [key for key in self.value if key not in known]:
            self[unknown[0]].raise_error("is not known")
        return self

    # ── kinds of values; absent and null are the default ──

    def text(self, default: str | None = None) -> str:
        """Return the value as a text; raise `ScoringError` for others."""
        return self._read_as(
            "a text", default, lambda value: value if isinstance(value, str) else None
        )

    def optional_text(self) -> str | None:
        """Return the value as a text; None without a value."""
        return None if self.is_absent else self.text()

    def label(self, default: str | None = None) -> str:
        """Return the value of this node, a label: text that is not empty. Raises `ScoringError` for other values."""
        text = self.text(default)
        if not text:
            self.raise_error("is empty")
        return text

    def number(self, default: Fraction | None = None) -> Fraction:
        """Return the value as an exact number; raise `ScoringError` for others."""
        return self._read_as("a number", default, _exact_fraction)

    def ratio(self) -> Fraction:
        """Return the value as an exact number; a text may give a fraction: "375/8"."""
        if isinstance(self.value, str) and _RATIO.fullmatch(self.value):
            return Fraction(self.value)
        return self.number()

    def optional_number(self) -> Fraction | None:
        """Return the value as an exact number; None without a value."""
        return None if self.is_absent else self.number()

    def whole(self, default: int | None = None, *, minimum: int | None = None) -> int:
        """Return the value as a whole number of at least `minimum`."""
        value = self.value
        if type(value) is not int:
            value = self._read_as("a whole number", default, _as_whole)
        if abs(value) >= _TOO_MUCH:
            self.raise_error("is no number anybody scores with")
        if minimum is not None and value < minimum:
            self.raise_error(f"{value} is less than {minimum}")
        return value

    def optional_whole_number(self, *, minimum: int | None = None) -> int | None:
        """Return the value as a whole number; None without a value."""
        return None if self.is_absent else self.whole(minimum=minimum)

    def boolean(self, default: bool = False) -> bool:
        """Return the value as true or false; raise `ScoringError` for others."""
        return self._read_as("true or false", default, lambda v: v if isinstance(v, bool) else None)

    def one_of(self, *choices: Any, default: Any = None) -> Any:
        """Return the value if it is one of `choices`; if absent, the default or the first choice."""
        if self.is_absent:
            return choices[0] if default is None else default
        value = self.value
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, Decimal) and value == value.to_integral_value():
            value = int(value)
        if isinstance(value, bool) or value not in choices:
            names = [str(choice) for choice in choices if choice is not None]
            *most, last = names
            self.raise_error(f"{_value_text(self.value)} is not {', '.join(most)} or {last}")
        return value

    def optional_one_of(self, *choices: Any) -> Any:
        """Return the value if it is one of `choices`; None without a value."""
        return None if self.is_absent else self.one_of(*choices)

    def texts(self) -> tuple[str, ...]:
        """Return a list of non-empty texts; raise `ScoringError` for others."""
        return tuple(node.label() for node in self)

    def numbers(self) -> tuple[Fraction, ...]:
        """Return a list of exact numbers; raise `ScoringError` for others."""
        return tuple(node.number() for node in self)

    def whole_numbers(self, *, minimum: int | None = None) -> tuple[int, ...]:
        """Return a list of whole numbers; raise `ScoringError` for others."""
        return tuple(node.whole(minimum=minimum) for node in self)

    def _read_as(self, kind: str, default: T | None, convert: Callable[[Any], T | None]) -> T:
        """Return the value converted by `convert`, or the default; raise `ScoringError` that it is not `kind`."""
        if self.is_absent:
            if default is None:
                self.raise_error("is missing")
            return default
        value = convert(self.value)
        if value is None:
            self.raise_error(f"{_value_text(self.value)} is not {kind}")
        return value


def _exact_fraction(value: Any) -> Fraction | None:
    """Return a number as a fraction; None for other values."""
    if isinstance(value, float):  # of a document that did not come from text
        return Fraction(repr(value)) if isfinite(value) else None
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return Fraction(value) if is_number and abs(value) < _TOO_MUCH else None


def _as_whole(value: Any) -> int | None:
    """Return a number as an integer; None if it is not whole."""
    exact = _exact_fraction(value)
    return int(exact) if exact is not None and exact.denominator == 1 else None


def _value_text(value: Any) -> str:
    """Return a value as error messages show it."""
    if isinstance(value, dict | list | tuple):
        return "this"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value!r}" if isinstance(value, str) else str(value)


def first_repeated_value(values: Sequence[Any]) -> Any:
    """Return the first value that occurs a second time; None if there is none."""
    seen = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None
