"""A rover's path: a table in every round, so that the rover meets everybody and everything once.

A rover takes the place of one pair of a line at a table. Its path is a partial transversal of the
movement: tables, opponents and sets all different. One path serves a North-South rover (it meets the
East-West pairs), an East-West rover, and half and half a two-way rover.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..model import Field, Movement, Seating, Side

MOST_STEPS = 400_000
"""After so many steps a search gives up; every path of the catalogue is found long before."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """One table at which the rover could play in a round."""

    table: int
    ns: int
    ew: int
    sets: tuple[str, ...]


def rover_path(
    movement: Movement,
    first_round: int,
    last_round: int | None = None,
    steps: int = MOST_STEPS,
    *,
    bumps_twice: bool = False,
) -> dict[int, int] | None:
    """Return the rover's table in every round from first to last, or None where there is no path.

    No North-South pair, no East-West pair and no set occurs twice on it. Deterministic: rounds with
    the fewest possibilities are decided first, lower tables before higher ones. Gives up after
    `steps` steps and returns None then too. With `bumps_twice` the East-West pair of the first round may
    come again: a two-way rover that displaces it there displaces it once more.
    """
    last_round = last_round or movement.rounds
    stops = {
        round: [
            _Stop(s.table, s.ns, s.ew, s.sets)
            for s in movement.in_round(round)
            if isinstance(s.ns, int)
            and isinstance(s.ew, int)
            and len(movement.at_table(round, s.table)) == 1
        ]
        for round in range(first_round, last_round + 1)
    }
    if bumps_twice:
        stops[first_round] = [replace(stop, ew=-1) for stop in stops[first_round]]
    path: dict[int, int] = {}
    return path if _search(stops, path, [steps]) else None


def _search(stops: Mapping[int, list[_Stop]], path: dict[int, int], left: list[int]) -> bool:
    if not stops:
        return True
    if left[0] <= 0:
        return False
    round = min(stops, key=lambda round: (len(stops[round]), round))
    for stop in stops[round]:
        left[0] -= 1
        rest = {
            other: [one for one in possible if not _clash(one, stop)]
            for other, possible in stops.items()
            if other != round
        }
        if all(rest.values()):
            path[round] = stop.table
            if _search(rest, path, left):
                return True
            del path[round]
    return False


def _clash(one: _Stop, other: _Stop) -> bool:
    return one.ns == other.ns or one.ew == other.ew or bool(set(one.sets) & set(other.sets))


def is_path(movement: Movement, path: Mapping[int, int]) -> bool:
    """Whether a sequence of tables is a rover's path."""
    seen: list[_Stop] = []
    for round, table in path.items():
        seating = movement.at(round, table)
        if not isinstance(seating.ns, int) or not isinstance(seating.ew, int):
            return False
        stop = _Stop(table, seating.ns, seating.ew, seating.sets)
        if any(_clash(stop, other) for other in seen):
            return False
        seen.append(stop)
    return True


def with_contestant(movement: Movement, field: int, label: str) -> tuple[Movement, int]:
    """Return the movement with one contestant more at the end of a field, and its number.

    The numbers of later fields move up by one; nobody's seats change.
    """
    added = movement.members(movement.fields[field]).stop

    def moved(side: Side) -> Side:
        if side is None:
            return None
        if isinstance(side, tuple):
            return (side[0] + (side[0] >= added), side[1] + (side[1] >= added))
        return side + (side >= added)

    fields = list(movement.fields)
    fields[field] = Field(fields[field].name, (*fields[field].labels, label))
    return (
        replace(
            movement,
            fields=tuple(fields),
            seatings=tuple(replace(s, ns=moved(s.ns), ew=moved(s.ew)) for s in movement.seatings),
            exemptions=tuple(
                replace(e, contestants=tuple(c + (c >= added) for c in e.contestants))
                for e in movement.exemptions
            ),
        ),
        added,
    )


def with_rover(movement: Movement, line: str, path: Mapping[int, int]) -> Movement:
    """Return a two-winner movement with a rover in a line, at the tables of its path.

    The rover gets the next number of its line; whoever sits there in that round sits out.
    """
    index = next(i for i, field in enumerate(movement.fields) if field.name == line)
    label = str(max(int(label) for label in movement.fields[index].labels) + 1)
    grown, rover = with_contestant(movement, index, label)

    def seated(seating: Seating) -> Seating:
        if path.get(seating.round) != seating.table:
            return seating
        return replace(seating, ns=rover) if line == "ns" else replace(seating, ew=rover)

    return replace(grown, seatings=tuple(seated(s) for s in grown.seatings))


def as_path(tables: Sequence[int], first_round: int = 2) -> dict[int, int]:
    """Return a printed list of tables as a path that begins in a round."""
    return {first_round + index: table for index, table in enumerate(tables)}
