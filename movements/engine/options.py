"""Options for any movement before it begins: a missing pair, fewer rounds, one field, arrow-switches.

These are options of families, not families of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from .errors import UnknownContestant, WrongRounds
from .model import Field, Movement, Seating, Side


def remove_contestant(movement: Movement, label: str) -> Movement:
    """Return the movement with the contestant of this label missing, so that its opponents sit out.

    Labels stay; numbers close up. Raises `UnknownContestant`.
    """
    gone = movement.contestant(label)
    if gone is None:
        raise UnknownContestant(movement.family, contestant=label)

    def renumbered(number: int) -> int:
        """Return the number without a gap."""
        return number - (number > gone)

    def side_without(old: Side) -> Side:
        """Return a side without the contestant."""
        if old is None:
            return None
        if isinstance(old, tuple):
            return None if gone in old else (renumbered(old[0]), renumbered(old[1]))
        return None if old == gone else renumbered(old)

    return replace(
        movement,
        fields=tuple(
            Field(
                field.name,
                tuple(
                    movement.number(number) for number in movement.members(field) if number != gone
                ),
            )
            for field in movement.fields
        ),
        seatings=tuple(
            replace(seating, ns=side_without(seating.ns), ew=side_without(seating.ew))
            for seating in movement.seatings
        ),
        exemptions=tuple(
            replace(item, contestants=tuple(renumbered(c) for c in item.contestants))
            for item in movement.exemptions
            if gone not in item.contestants
        ),
    )


def curtailed_movement(movement: Movement, rounds: int) -> Movement:
    """Return the first `rounds` rounds of a movement, without board sets that are no longer played.

    Raises `WrongRounds` if the movement has no such round.
    """
    if not 1 <= rounds <= movement.rounds:
        raise WrongRounds(
            movement.family,
            tables=movement.tables,
            rounds=rounds,
            allowed=range(1, movement.rounds + 1),
        )
    if rounds == movement.rounds:
        return movement
    seatings = tuple(seating for seating in movement.seatings if seating.round <= rounds)
    played = {name for seating in seatings for name in seating.sets}
    stands_left = tuple(
        replace(stand, sets=tuple(name for name in stand.sets if name in played))
        for stand in movement.stands
        if stand.round <= rounds
    )
    return replace(
        movement,
        rounds=rounds,
        sets=tuple(name for name in movement.sets if name in played),
        seatings=seatings,
        stands=tuple(stand for stand in stands_left if stand.sets),
        shared=tuple(share for share in movement.shared if share.round <= rounds),
        exemptions=tuple(
            item for item in movement.exemptions if all(r <= rounds for r in item.rounds)
        ),
    )


def merge_fields(movement: Movement) -> Movement:
    """Return a two-winner movement scored as one field: N-S keep their numbers, E-W k becomes T + k."""
    if movement.is_one_winner:
        return movement
    highest = max(
        (int(label) for label in movement.fields[0].labels if label.isdecimal()), default=0
    )
    base = max(highest, movement.tables)
    labels = movement.fields[0].labels + tuple(
        str(base + int(label)) for label in movement.fields[1].labels
    )
    return replace(movement, fields=(Field("pairs", labels),))


def arrow_switched(
    movement: Movement, rounds: Collection[int], tables: Collection[int] = ()
) -> Movement:
    """Return the movement arrow-switched in these rounds, at all tables or at some."""

    def turned_seating(seating: Seating) -> Seating:
        """Return a seating arrow-switched if it is meant."""
        is_turned = seating.round in rounds and (not tables or seating.table in tables)
        return seating.turned() if is_turned else seating

    return replace(movement, seatings=tuple(turned_seating(s) for s in movement.seatings))


def with_single_board_sets(movement: Movement, boards_per_set: int) -> Movement:
    """Return the movement with every board set divided into its boards: A becomes A1, A2, A3.

    All else stays; its balance is that of the sets with a given number of boards.
    """
    if boards_per_set == 1:
        return movement

    def board_names(names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the single boards of these sets."""
        return tuple(
            f"{name}.{number}" if name[-1:].isdigit() else f"{name}{number}"
            for name in names
            for number in range(1, boards_per_set + 1)
        )

    return replace(
        movement,
        sets=board_names(movement.sets),
        seatings=tuple(
            replace(seating, sets=board_names(seating.sets)) for seating in movement.seatings
        ),
        shared=tuple(replace(share, sets=board_names(share.sets)) for share in movement.shared),
        stands=tuple(replace(stand, sets=board_names(stand.sets)) for stand in movement.stands),
    )
