"""The values of a session: contestants, seats, games, and a contestant's part in a round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bridgebuddy.clubs.people.names import breakable_names, joined_names
from movements.engine.boards import board_ranges

from .substitutes import SubstituteRounds

LINES = ("ns", "ew")


@dataclass(frozen=True)
class TeamHalf:
    """The pair of a team that sits in one direction."""

    names: tuple[str, ...]
    last_names: tuple[str, ...]

    def __str__(self) -> str:
        return " & ".join(self.names)


@dataclass(frozen=True)
class Contestant:
    """A contestant of a section with the label, names and other texts that pages show."""

    number: int  # of their own, 1…n
    label: str  # "NS 3", or "3" with one winner; in the reader's language and the club's form
    short: str  # "3"; "103" where pairs are numbered in hundreds
    slug: str  # "NS3": the label as an address has it, the same in every language and club
    field: str  # "ns", "ew", "pairs" …
    names: str  # "Hanna Brandt & Karl Fischer"
    surnames: str  # "Brandt & Fischer"; for a team, its name
    players: tuple[str, ...]
    shorts: tuple[str, ...] = ()  # "Brandt", "Fischer": each for narrow spaces
    halves: tuple[TeamHalf, ...] = ()  # for a team: the people N-S, and E-W
    then_halves: tuple[TeamHalf, ...] = ()  # the same after half-time, if the line-up changes
    is_crossed: bool = False  # True if its pairs sit the other way than usual
    entry: int = 0  # the entry's key
    must_stay_seated: bool = False
    first_round: int = 1  # later if it came late
    left_after: int | None = None  # the last round before it left
    back_in: int | None = None  # the first round after its return
    substitutes: tuple[SubstituteRounds, ...] = ()

    @property
    def all_names(self) -> tuple[str, ...]:
        """Return the names of all people who play for the contestant in any round, the current ones first."""
        others = (name for stint in self.substitutes for name in (stint.name, stint.owner))
        return tuple(dict.fromkeys((*self.players, *others)))

    def first_round_of_person(self, name: str) -> int | None:
        """Return the first round in which the person of this name plays for the contestant, or None."""
        own = [stint for stint in self.substitutes if stint.name == name]
        if own:
            return max(self.first_round, min(stint.first for stint in own))
        begins: int | None = self.first_round
        for stint in self.substitutes:
            if stint.owner == name and begins is not None and stint.first <= begins:
                begins = stint.last + 1 if stint.last else None
        return begins

    def with_pairs_of_half(self, half: int) -> Contestant:
        """Return a team contestant with its pairs as they sit in half 1 or 2 of a round."""
        if not self.then_halves:
            return self
        return replace(self, halves=(self.halves, self.then_halves)[half - 1], then_halves=())

    @property
    def full_names(self) -> tuple[str, ...]:
        """Return the players' names, separate so that a line may break between them; a couple's surname once."""
        return tuple(breakable_names(self.players)) or tuple(self.names.split(" & "))

    @property
    def last_names(self) -> tuple[str, ...]:
        """Return the players' surnames, separate, for a small place."""
        if self.halves:
            return tuple(name for half in self.halves for name in half.last_names)
        return self.shorts or tuple(self.surnames.split(" & "))

    @property
    def members(self) -> str:
        """Return the names of a team's members for a small place below its name."""
        return ", ".join(" & ".join(half.last_names) for half in self.halves)

    @property
    def is_single(self) -> bool:
        """Return whether the contestant is a player of an individual."""
        return self.field in ("players", "n", "s", "e", "w")

    @property
    def has_left(self) -> bool:
        """Return whether the contestant has left during the session and not returned."""
        return self.left_after is not None and self.back_in is None

    def is_away(self, round: int) -> bool:
        """Return whether the contestant has left before a round and is not back by then."""
        return is_away(round, self.left_after, self.back_in)

    def is_present_in(self, round: int) -> bool:
        """Return whether the contestant has arrived by a round and has not left before it."""
        return self.first_round <= round and not self.is_away(round)


def is_away(round: int, left_after: int | None, back_in: int | None) -> bool:
    """Return whether a contestant is absent in a round, by the rounds of leaving and returning."""
    if left_after is None or round <= left_after:
        return False
    return back_in is None or round < back_in


@dataclass(frozen=True)
class TableSide:
    """One direction of a table in a round, with the contestant that sits there."""

    contestant: Contestant
    line: str  # "ns" or "ew"
    place: int = 0  # on that side: of single players two have one

    @property
    def chair(self) -> str:
        """Return the contestant's direction "ns" or "ew"; of a single player the seat "n", "s", "e" or "w"."""
        return self.line[self.place] if self.contestant.is_single else self.line

    @property
    def chip(self) -> str:
        """Return the short label shown next to a name: the number, and the direction only if it is unusual."""
        at_home = self.contestant.field == self.line
        return self.contestant.short if at_home else self.contestant.label

    @property
    def pair_after_half_time(self) -> TeamHalf | None:
        """Return the pair of the team that sits here after half-time; None if it is the same pair."""
        halves = self.contestant.then_halves
        then = halves[LINES.index(self.line)] if halves else None
        return then if then != self._half_team else None

    @property
    def _half_team(self) -> TeamHalf | None:
        """Return the pair of the team that sits in this direction; None if no teams play."""
        halves = self.contestant.halves
        return halves[LINES.index(self.line)] if halves else None

    @property
    def full_names(self) -> tuple[str, ...]:
        """Return the names of the people in this direction, for a team those of one pair."""
        return self._half_team.names if self._half_team else self.contestant.full_names

    @property
    def last_names(self) -> tuple[str, ...]:
        """Return the surnames of the people in this direction."""
        return self._half_team.last_names if self._half_team else self.contestant.last_names

    @property
    def names(self) -> str:
        """Return the names of the people in this direction as text: "Hanna Brandt & Karl Fischer"."""
        return " & ".join(self.full_names)

    @property
    def surnames(self) -> str:
        """Return the surnames of the people in this direction as text: "Brandt & Fischer", "R. & O. Klein"."""
        return (
            joined_names(self._half_team.names, self._half_team.last_names)
            if self._half_team
            else self._pair_names
        )

    @property
    def _pair_names(self) -> str:
        """Return the full names of the players who sit in this direction."""
        contestant = self.contestant
        return (
            joined_names(contestant.players, contestant.shorts)
            if contestant.shorts
            else " & ".join(contestant.last_names)
        )


@dataclass(frozen=True)
class TableGame:
    """A game: one table in a round, or in a part of it, with the two sides and their boards."""

    round: int
    table: int
    part: int
    parts: int
    ns: tuple[TableSide, ...]
    ew: tuple[TableSide, ...]
    sets: tuple[str, ...]
    boards: tuple[int, ...]
    shared_with: tuple[int, ...] = ()
    exchanges_with: int = 0  # for a match: the table whose boards come here at half-time
    segments: int = 2  # for a match whose boards are exchanged: see `board_segments`
    boards_to: int = 0  # for a triangle's first half: the next table of the boards
    boards_from: int = 0  # for its second half: the previous table of the boards
    extra: tuple[tuple[int, ...], ...] = ()  # for a level match: the extra boards, each time

    @property
    def is_played(self) -> bool:
        """Return whether contestants sit on both sides, so that the game is played."""
        return bool(self.ns and self.ew)

    @property
    def board_text(self) -> str:
        """Return the boards of the game as ranges: "1–3"."""
        return board_text(self.boards)

    @property
    def board_halves(self) -> tuple[tuple[int, ...], ...]:
        """Return the boards of a team match in segments, in the order in which this table plays them."""
        if not self.exchanges_with:
            return (self.boards,)
        extra = (half for boards in self.extra for half in self._boards_by_segment(boards))
        return (*self._boards_by_segment(self.boards_without_extension, self.segments), *extra)

    @property
    def first_half(self) -> tuple[int, ...]:
        """Return the boards of a team match that this table plays before half-time."""
        begins_low = not self.exchanges_with or self.table < self.exchanges_with
        return first_half(
            self.boards_without_extension, begins_low=begins_low, segments=self.segments
        )

    @property
    def boards_without_extension(self) -> tuple[int, ...]:
        """Return the boards of a team match without those added to decide a tie."""
        extra = {board for boards in self.extra for board in boards}
        return tuple(board for board in self.boards if board not in extra)

    def _boards_by_segment(
        self, boards: Sequence[int], segments: int = 2
    ) -> tuple[tuple[int, ...], ...]:
        """Return the boards that this table plays in each segment of a team match."""
        begins_low = self.table < self.exchanges_with
        return tuple(x for x in board_segments(boards, segments, begins_low=begins_low) if x)

    @property
    def half_texts(self) -> tuple[str, ...]:
        """Return the boards of each segment of a team match as ranges: "1–6" and "7–12"."""
        return tuple(board_text(half) for half in self.board_halves)

    @property
    def current_range_texts(self) -> tuple[str, ...]:
        """Return the board ranges to play now: all segments, or only the extra boards of an extended match."""
        if not self.extra:
            return self.half_texts
        newest = self.extra[-1]
        halves = self._boards_by_segment(newest) if self.exchanges_with else (newest,)
        return tuple(board_text(half) for half in halves)

    @property
    def is_in_quarters(self) -> bool:
        """Return whether the two tables of a team match exchange boards within each half instead of at half-time."""
        return len(self.board_halves) > 2 and not self.extra

    @property
    def later_board_ranges_text(self) -> str:
        """Return the board ranges that follow the first one: "7–12"; in quarters "3–4, 5–6, 7–8"."""
        return ", ".join(self.current_range_texts[1:])

    def side_of(self, number: int) -> str:
        """Return the direction "ns" or "ew" in which a contestant, by number, sits in this game."""
        return "ns" if any(s.contestant.number == number for s in self.ns) else "ew"

    def chair_of(self, number: int) -> str:
        """Return the seat of a contestant in this game: "ns" or "ew", in an individual "n", "s", "e" or "w"."""
        line = self.side_of(number)
        side = self.ns if line == "ns" else self.ew
        place = [s.contestant.number for s in side].index(number)
        return line[place] if side[place].contestant.is_single else line

    def opponents_of(self, number: int) -> tuple[TableSide, ...]:
        """Return the opponents of a contestant, by number, in this game."""
        return self.ew if self.side_of(number) == "ns" else self.ns

    def partner_of(self, number: int) -> TableSide | None:
        """Return a player's partner in a game of an individual; None if pairs play."""
        side = self.ns if self.side_of(number) == "ns" else self.ew
        return next((s for s in side if s.contestant.number != number), None)


@dataclass(frozen=True)
class TriangleGame:
    """A three-way team match in a round: each team plays both others at once, with one pair against each.

    Every team's N-S stay at their own table. E-W go to the next team's table in the first half of the triangle, and
    to the following one in the second half. The halves are two rounds, or two parts of one.
    """

    teams: tuple[Contestant, ...]
    halves: tuple[int, ...]  # halves played in this round: 1, 2 or both
    #: the boards of the matches 1 v 2, 2 v 3 and 3 v 1
    boards: tuple[range, range, range]

    def boards_of(self, host: int, guest: int) -> tuple[int, ...]:
        """Return the boards of the match in which team `host` receives team `guest`."""
        one, other = self._position_of_team(host), self._position_of_team(guest)
        return tuple(self.boards[one if (one + 1) % 3 == other else other])

    def teams_present(self, round: int) -> tuple[Contestant, ...]:
        """Return the teams that are present in a round."""
        return tuple(team for team in self.teams if team.is_present_in(round))

    def visitor(self, host: int, half: int) -> Contestant:
        """Return the team whose E-W pair visits the table of the team numbered `host` in a half."""
        return self.teams[(self._position_of_team(host) - half) % 3]

    def host(self, visitor: int, half: int) -> Contestant:
        """Return the team to whose table the E-W pair of the team numbered `visitor` goes in a half."""
        return self.teams[(self._position_of_team(visitor) + half) % 3]

    def _position_of_team(self, number: int) -> int:
        """Return the position of the team with this number among the three."""
        return [team.number for team in self.teams].index(number)


@dataclass(frozen=True)
class RoundTurn:
    """A contestant's part in one round: a game at a table, several games in parts of the round, or a sit-out."""

    round: int
    games: tuple[TableGame, ...]  # only those played
    waits_at: int = 0  # the table of a sit-out, if any
    triangle: TriangleGame | None = None
    is_open: bool = False  # drawn only after the results are in
    has_left: bool = False  # lost its match in a knock-out, or went home
    has_come: bool = True  # False in the rounds before a late arrival
    number: int = 0  # the next one's number

    @property
    def sits_out(self) -> bool:
        """Return whether the contestant has no game in the round although it is present."""
        is_away = self.has_left or not self.has_come
        return not (self.games or self.triangle or self.is_open or is_away)

    @property
    def game(self) -> TableGame | None:
        """Return the contestant's first game of the round; None in a sit-out."""
        return self.games[0] if self.games else None


def board_halves(
    boards: Sequence[int], *, begins_low: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the boards that a table of a team match plays before half-time, and those after it.

    >>> board_halves((1, 2, 3), begins_low=False)
    ((3,), (1, 2))
    """
    middle = (len(boards) + 1) // 2
    first, then = tuple(boards[:middle]), tuple(boards[middle:])
    return (first, then) if begins_low else (then, first)


def board_segments(
    boards: Sequence[int], segments: int, *, begins_low: bool
) -> tuple[tuple[int, ...], ...]:
    """Return the boards that a table of a team match plays in each segment, in order.

    >>> board_segments((1, 2, 3, 4, 5, 6, 7, 8), 4, begins_low=False)
    ((3, 4), (1, 2), (7, 8), (5, 6))
    """
    if segments == 1:
        return (tuple(boards),)
    if segments == 2 or len(boards) < segments:
        return board_halves(boards, begins_low=begins_low)
    halves = board_halves(boards, begins_low=True)
    return tuple(part for half in halves for part in board_halves(half, begins_low=begins_low))


def first_half(boards: Sequence[int], *, begins_low: bool, segments: int) -> tuple[int, ...]:
    """Return the boards that a table of a team match plays before half-time.

    >>> first_half((1, 2, 3, 4), begins_low=False, segments=4), first_half((1, 2), begins_low=False, segments=2)
    ((1, 2), (2,))
    """
    exchanges_then = segments == 2 or 1 < len(boards) < segments
    return board_halves(boards, begins_low=begins_low or not exchanges_then)[0]


def board_text(boards: Iterable[int]) -> str:
    """Format board numbers as ranges: "1–3, 7".

    >>> board_text((1, 2, 3, 7))
    '1–3, 7'
    """
    return ", ".join(
        str(first) if first == last else f"{first}–{last}"
        for first, last in board_ranges(tuple(boards))
    )


class ContestantDirectory(Mapping[int, Contestant]):
    """A mapping of contestants by number that builds each when it is first used."""

    def __init__(self, numbers: Iterable[int], make: Callable[[int], Contestant]) -> None:
        self._made: dict[int, Contestant | None] = dict.fromkeys(numbers)
        self._make = make

    def __getitem__(self, number: int) -> Contestant:
        contestant = self._made[number]
        if contestant is None:
            contestant = self._made[number] = self._make(number)
        return contestant

    def __iter__(self) -> Iterator[int]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def __contains__(self, number: object) -> bool:
        return number in self._made
