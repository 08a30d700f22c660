"""Declarations of a movement besides its seatings: shares, stands, triangles and exemptions from laws."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """Tables that share the boards of a set in one round by passing them (round 0: in every round)."""

    round: int
    tables: tuple[int, ...]
    sets: tuple[str, ...] = ()  # empty: any sets in common


@dataclass(frozen=True, slots=True)
class Stand:
    """Board sets that wait in one round on a stand after a table: a relay in Britain, a bye-stand in America."""

    round: int
    after_table: int
    sets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Triangle:
    """Three teams that play each other in a draw, over one or two rounds (an interleaved match).

    Two rounds as a rule; one round, each match of half the length, is the short form.
    """

    rounds: tuple[int, ...]
    teams: tuple[int, int, int]


#: reason why a team of a draw has no opponents in a round: they have left since the draw
OPPONENTS_LEFT = "the opponents have left"

EXEMPTIONS = (
    "board-once",
    "copies",
    "draw",
    "field",
    "meet-once",
    "present",
    "structure",
    "tables",
)
"""Kinds of exemptions."""


@dataclass(frozen=True, slots=True)
class Exemption:
    """A law that the movement breaks on purpose, with contestants, rounds and reason.

    Empty `contestants` means all; empty `rounds` means any. Rounds exempt from "structure" have no seatings yet: they
    are drawn when results are in (Swiss, knock-out). A draw of teams exempt from "draw" is not all-play-all: two meet
    at most `limit` times. Teams named in such an exemption have left in its rounds. Contestants exempt from "present"
    are absent in the rounds named (they came late, or have left): they do not sit out. In rounds exempt from "tables"
    only `limit` tables play. Contestants exempt from "field" may sit out every round: this happened, or the session was
    shortened.
    """

    law: str
    limit: int
    why: str
    contestants: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
