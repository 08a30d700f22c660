"""Breaks between two rounds: where they part the boards, and what they cost elsewhere.

A break is best where every board is played by all before it, or by all after it: players may then talk about the
boards (catalogue 2.7, the two stanzas). Elsewhere some boards have been played at some tables and are still to come at
others.
"""

from __future__ import annotations

from collections import Counter

from .model import Movement

#: a break that parts the boards is preferred if it is at most this share of the rounds from the middle
NEAR_HALF = 0.25


def sets_on_both_sides(movement: Movement, after_round: int) -> tuple[str, ...]:
    """Return the board sets that are played both up to `after_round` and later.

    >>> from movements.engine.families.mitchells.stanzas import two_stanza
    >>> sets_on_both_sides(two_stanza(6), 3), sets_on_both_sides(two_stanza(6), 4)
    ((), ('D', 'E', 'F'))
    """
    before = {
        name
        for seating in movement.seatings
        if seating.round <= after_round
        for name in seating.sets
    }
    later = {
        name
        for seating in movement.seatings
        if seating.round > after_round
        for name in seating.sets
    }
    return tuple(name for name in movement.sets if name in before and name in later)


def parting_rounds(movement: Movement) -> tuple[int, ...]:
    """Return the rounds after which all boards are new, so that a break there keeps results comparable."""
    return tuple(
        after for after in range(1, movement.rounds) if not sets_on_both_sides(movement, after)
    )


def round_before_break(*movements: Movement) -> int | None:
    """Return the round after which a break suits several movements best; None if one has only one round.

    That is the round nearest to the middle, of those near it that part the boards in the most movements, if there is
    one. Of two equally near the later one.

    >>> from movements.engine.families.mitchells.mitchell import mitchell
    >>> from movements.engine.families.mitchells.stanzas import two_stanza
    >>> round_before_break(two_stanza(6)), round_before_break(mitchell(7))
    (3, 4)
    """
    rounds = min(movement.rounds for movement in movements)
    middle = rounds / 2
    parting = Counter(
        after
        for movement in movements
        for after in parting_rounds(movement)
        if abs(after - middle) <= max(0.5, NEAR_HALF * rounds)
    )
    return min(
        range(1, rounds),
        key=lambda after: (-parting[after], abs(after - middle), -after),
        default=None,
    )


def moved_break(movement: Movement, after_round: int) -> int | None:
    """Return the round after which an already planned break takes place when the movement is replaced.

    It stays after its round if it parts the boards there, or if no round does. Otherwise it goes where it is best.
    """
    parting = parting_rounds(movement)
    if after_round in parting or (not parting and after_round < movement.rounds):
        return after_round
    return round_before_break(movement)
