"""Exact numbers until they are printed; an exact half moves away from the average of its quantity."""

from __future__ import annotations

from fractions import Fraction


def away(value: Fraction, places: int, middle: Fraction | int = 0) -> Fraction:
    """Return the value to so many places, an exact half away from the middle.

    >>> away(Fraction(145, 10), 0, 10), away(Fraction(55, 10), 0, 10), away(Fraction(-15, 10), 0)
    (Fraction(15, 1), Fraction(5, 1), Fraction(-2, 1))
    """
    return half_down(value, places) if value < middle else half_up(value, places)


def half_up(value: Fraction, places: int) -> Fraction:
    """Return the value to so many places, an exact half upwards."""
    unit = 10**places
    return Fraction(
        (2 * value.numerator * unit + value.denominator) // (2 * value.denominator), unit
    )


def half_down(value: Fraction, places: int) -> Fraction:
    """Return the value to so many places, an exact half downwards."""
    return -half_up(-value, places)


def halves_up_in_size(value: Fraction, places: int) -> Fraction:
    """Return the value to so many places, an exact half away from 0."""
    return away(value, places)
