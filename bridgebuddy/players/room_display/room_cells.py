"""The parts of the room display's pages: seats, tables, matches, and the pages themselves."""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.events.queries.plan.games import Contestant, TableSide

FEW_CELLS = 9  # cells that fit in large type
FEW_MATCHES = 6  # matches that fit in large type
LINE_OF = {"n": "ns", "s": "ns", "e": "ew", "w": "ew"}


@dataclass(frozen=True)
class NextPlace:
    """A contestant's next seat on the room display; in a team match each half of a team has its own."""

    contestant: Contestant
    place: str  # the next seat, "ns" or "n"; in a sit-out the seat that is left
    table: int  # 0: sits out
    note: str = ""  # "line" if the line must be named, "back" after a sit-out
    is_unusual: bool = False

    @property
    def line(self) -> str:
        """Return the direction of the next seat, which gives the colour."""
        return LINE_OF.get(self.place, self.place)


@dataclass(frozen=True)
class TableSeats:
    """A table on the room display with the contestants that sit there."""

    table: int
    ns: tuple[TableSide, ...]
    ew: tuple[TableSide, ...]


@dataclass(frozen=True)
class TeamMatch:
    """A match of teams on the room display: both teams, and the home tables where they play."""

    teams: tuple[Contestant, ...]
    tables: tuple[int, ...]
    boards: str


@dataclass(frozen=True)
class StayingPairs:
    """The part of the room display that names all contestants who keep their seats."""

    line: str


Cell = NextPlace | TableSeats | TeamMatch | StayingPairs


@dataclass(frozen=True)
class BracketColumn:
    """A round of a knock-out on the room display: its matches, grouped by event, and the teams that go on."""

    name: str
    groups: tuple[tuple[str, tuple[TeamMatch, ...]], ...]
    through: frozenset[int]


@dataclass(frozen=True)
class RoomScreen:
    """One page of the room display below the clock: moves, boards, tables, seats or matches."""

    # "moves", "boards", "plan" of the tables, "seats" and "picture" before the start, "matches"
    kind: str
    cells: tuple[Cell, ...]
    number: int
    of: int  # the number of pages of this kind

    @property
    def is_dense(self) -> bool:
        """Return whether the page has so many cells that the type must be smaller."""
        most = {"seats": 8, "plan": 12, "matches": FEW_MATCHES}
        return len(self.cells) > most.get(self.kind, 16)

    @property
    def is_few(self) -> bool:
        """Return whether the page has so few cells that the type can be larger."""
        return self.kind in ("moves", "plan") and len(self.cells) <= FEW_CELLS
