"""Labels of contestants that join."""

from __future__ import annotations

from ..model import Movement


def next_label(movement: Movement, field: int) -> str:
    """Return the label for a newcomer in a field: that of the missing pair, or the next one.

    In a movement with two winners, NS 7 is missing at seven tables if the labels end at 6. With one winner the lowest
    unused number is free.
    """
    numbers = {int(label) for label in movement.fields[field].labels if label.isdecimal()}
    return str(next(number for number in range(1, len(numbers) + 2) if number not in numbers))
