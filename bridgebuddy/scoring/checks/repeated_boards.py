"""Boards played twice: by Law 15B the second score does not count for either side.

A side that had not played the board before loses a score by it, and gets average plus until the director decides
otherwise. A side that had played it keeps its first score, and gets nothing for the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bridgebuddy.events.queries.plan.games import Contestant

from ..snapshot.lines import PlayLine

#: outcomes of a play without actual play
NOT_PLAYED = ("not_played", "pending")


@dataclass(frozen=True)
class RepeatedBoard:
    """A play of a board that a contestant had played before, the first play, and the outcome to set."""

    line: PlayLine
    first: PlayLine
    outcome: dict[str, Any]
    who: tuple[Contestant, ...]


def played_twice(lines: Iterable[PlayLine]) -> Iterator[RepeatedBoard]:
    """Yield the plays of a board that a pair or player had played before; teams play a board at two tables."""
    lines_by_place: dict[tuple[int, int, str | None], PlayLine] = {}
    for line in sorted(lines, key=lambda line: (line.round, line.part, line.play)):
        if line.section.contest.has_halves or not _was_played(line):
            continue
        places = {
            side: [(contestant.entry, line.board, line.group) for contestant in line.side(side)]
            for side in ("ns", "ew")
        }
        earlier = {
            side: [lines_by_place[place] for place in of if place in lines_by_place]
            for side, of in places.items()
        }
        had = set(lines_by_place)
        for place in (*places["ns"], *places["ew"]):
            lines_by_place.setdefault(place, line)
        before = [*earlier["ns"], *earlier["ew"]]
        if before and not _is_ruled(line):
            have = {side: len(earlier[side]) == len(of) for side, of in places.items()}
            again = (
                contestant
                for contestant in (*line.ns, *line.ew)
                if (contestant.entry, line.board, line.group) in had
            )
            yield RepeatedBoard(line, before[0], _uncounted_outcome(have), tuple(again))


def _was_played(line: PlayLine) -> bool:
    """Return whether cards were played on a board, whether or not the result counts."""
    outcome = line.outcome
    if not outcome or line.is_hidden or any(key in outcome for key in NOT_PLAYED):
        return False
    return "artificial" not in outcome or _is_ruled(line)


def _is_ruled(line: PlayLine) -> bool:
    """Return whether a director has given an artificial score to only one side of this play."""
    awards = (line.outcome or {}).get("artificial")
    return awards is not None and None in (awards.get("ns"), awards.get("ew"))


def _uncounted_outcome(have: dict[str, bool]) -> dict[str, Any]:
    """Return "cancelled", or average plus for each side without another score on the board (`have`)."""
    if all(have.values()):
        return {"not_played": "cancelled"}
    return {"artificial": {side: None if has else "AVE+" for side, has in have.items()}}
