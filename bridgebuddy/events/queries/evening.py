"""The evening of a section as people see it: names, tables, boards, sit-outs.

Rounds that have begun come from the plays, those to come from the rows of the movement. A whole evening
costs four queries beside the section's own (plays, rows, entries, people), whatever the number of
tables; one contestant's evening the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

from django.db.models import Prefetch, Q

from bridgebuddy.clubs.models import Person
from movements.engine.boards import boards_of, ranges
from movements.engine.draws import LEFT
from movements.engine.model import Field, Movement, players_of
from movements.models import SeatingRow, StoredMovement
from movements.words.sentences import label_of

from ..models import Entry, EntryPerson, Play, Section, SectionMovement
from .substitutes import Stint, stints_of

LINES = ("ns", "ew")
DRAWN_AS_PLAYED = ("swiss", "knockout")  # of these some rounds may have no rows yet


@dataclass(frozen=True)
class Half:
    """The pair of a team that sits in a line."""

    names: tuple[str, ...]
    last_names: tuple[str, ...]


@dataclass(frozen=True)
class Contestant:
    """Somebody in the section, with everything a page writes about them."""

    number: int  # of their own, 1…n
    label: str  # "NS 3", or "3" with one winner; as the reader's language writes it
    short: str  # "3"
    field: str  # "ns", "ew", "pairs" …
    names: str  # "Hanna Brandt & Karl Fischer"
    surnames: str  # "Brandt & Fischer"; of a team, what it is called
    players: tuple[str, ...]
    halves: tuple[Half, ...] = ()  # of a team: who sits N-S, and who E-W
    is_crossed: bool = False  # whether its pairs sit the other way than usual
    entry: int = 0  # the entry's key
    must_stay_seated: bool = False
    first_round: int = 1  # later where it came late
    left_after: int | None = None  # the last round it was there
    back_in: int | None = None  # the first it is there again
    substitutes: tuple[Stint, ...] = ()

    @property
    def everybody(self) -> tuple[str, ...]:
        """The names of all who play for it in some round: those who play now come first."""
        others = (name for stint in self.substitutes for name in (stint.name, stint.owner))
        return tuple(dict.fromkeys((*self.players, *others)))

    def begins(self, name: str) -> int | None:
        """Return the first round in which one of everybody plays; None where in none."""
        own = [stint for stint in self.substitutes if stint.name == name]
        if own:
            return max(self.first_round, min(stint.first for stint in own))
        begins: int | None = self.first_round
        for stint in self.substitutes:
            if stint.owner == name and begins is not None and stint.first <= begins:
                begins = stint.last + 1 if stint.last else None
        return begins

    @property
    def full_names(self) -> tuple[str, ...]:
        """The players' names, for a place where a line should end between them."""
        return tuple(self.names.split(" & "))

    @property
    def last_names(self) -> tuple[str, ...]:
        """The players' surnames, for a small place."""
        if self.halves:
            return tuple(name for half in self.halves for name in half.last_names)
        return tuple(self.surnames.split(" & "))

    @property
    def is_single(self) -> bool:
        """Whether this is one player of an individual."""
        return self.field in ("players", "n", "s", "e", "w")

    @property
    def has_left(self) -> bool:
        """Whether they went home and have not come back."""
        return self.left_after is not None and self.back_in is None

    def is_away(self, round: int) -> bool:
        """Whether they have left before a round, and are not back by then."""
        if self.left_after is None or round <= self.left_after:
            return False
        return self.back_in is None or round < self.back_in

    def is_there(self, round: int) -> bool:
        """Whether they have come by a round, and not left."""
        return self.first_round <= round and not self.is_away(round)

    @property
    def slug(self) -> str:
        """The label as an address has it, the same in every language: "NS3"."""
        return f"{Field(self.field, ()).prefix}{self.short}".replace(" ", "")


@dataclass(frozen=True)
class Sitting:
    """A side of a table: who sits there in which line. The chip says the line when it is not theirs."""

    contestant: Contestant
    line: str  # "ns" or "ew"
    place: int = 0  # on that side: of single players two have one

    @property
    def chair(self) -> str:
        """Where exactly: the line, or a single player's "n", "s", "e" or "w"."""
        return self.line[self.place] if self.contestant.is_single else self.line

    @property
    def chip(self) -> str:
        at_home = self.contestant.field == self.line
        return self.contestant.short if at_home else self.contestant.label

    @property
    def _half(self) -> Half | None:
        halves = self.contestant.halves
        return halves[LINES.index(self.line)] if halves else None

    @property
    def full_names(self) -> tuple[str, ...]:
        """The names of those who sit there: of a team one of its pairs."""
        return self._half.names if self._half else self.contestant.full_names

    @property
    def last_names(self) -> tuple[str, ...]:
        """The same for a small place."""
        return self._half.last_names if self._half else self.contestant.last_names

    @property
    def names(self) -> str:
        """Those who sit there in a line: "Hanna Brandt & Karl Fischer"."""
        return " & ".join(self.full_names)

    @property
    def surnames(self) -> str:
        """The same for a small place: "Brandt & Fischer"."""
        return " & ".join(self.last_names)


@dataclass(frozen=True)
class Game:
    """A table in a round (or a part of it): the two sides and the boards."""

    round: int
    table: int
    part: int
    parts: int
    ns: tuple[Sitting, ...]
    ew: tuple[Sitting, ...]
    sets: tuple[str, ...]
    boards: tuple[int, ...]
    shared_with: tuple[int, ...] = ()
    exchanges_with: int = 0  # of a match: the table whose boards come here at half-time

    @property
    def is_played(self) -> bool:
        return bool(self.ns and self.ew)

    @property
    def board_text(self) -> str:
        """The boards as ranges: "1–3"."""
        return board_text(self.boards)

    @property
    def board_halves(self) -> tuple[tuple[int, ...], ...]:
        """The boards in the order in which they are played, the second half coming from the other table."""
        if not self.exchanges_with:
            return (self.boards,)
        middle = (len(self.boards) + 1) // 2
        halves = self.boards[:middle], self.boards[middle:]
        return halves if self.table < self.exchanges_with else (halves[1], halves[0])

    @property
    def half_texts(self) -> tuple[str, ...]:
        """The same as ranges: "1–6" and "7–12"."""
        return tuple(board_text(half) for half in self.board_halves)

    def side_of(self, number: int) -> str:
        """Return the line in which a contestant sits at this table."""
        return "ns" if any(s.contestant.number == number for s in self.ns) else "ew"

    def chair_of(self, number: int) -> str:
        """Return where somebody sits: "ns" or "ew", in an individual "n", "s", "e" or "w"."""
        line = self.side_of(number)
        side = self.ns if line == "ns" else self.ew
        place = [s.contestant.number for s in side].index(number)
        return line[place] if side[place].contestant.is_single else line

    def opponents_of(self, number: int) -> tuple[Sitting, ...]:
        return self.ew if self.side_of(number) == "ns" else self.ns

    def partner_of(self, number: int) -> Sitting | None:
        """Return a player's partner in an individual; None where the contestant is a pair."""
        side = self.ns if self.side_of(number) == "ns" else self.ew
        return next((s for s in side if s.contestant.number != number), None)


@dataclass(frozen=True)
class Trio:
    """A triangle of teams in a round: each plays both others at once, with half a team each.

    Every team's N-S stay at its own table; E-W go to the next team's in the first half of the
    triangle, to the one after that in the second. The halves are two rounds, or two parts of one.
    """

    teams: tuple[Contestant, ...]
    halves: tuple[int, ...]  # 1, 2 or both: what of it is played in this round

    def visitor(self, host: int, half: int) -> Contestant:
        """Return whose E-W come to a team's table; both are known by their numbers."""
        return self.teams[(self._place(host) - half) % 3]

    def host(self, visitor: int, half: int) -> Contestant:
        """Return to whose table a team's E-W go."""
        return self.teams[(self._place(visitor) + half) % 3]

    def _place(self, number: int) -> int:
        return [one.number for one in self.teams].index(number)


@dataclass(frozen=True)
class Turn:
    """What one contestant does in one round: a game, several in parts, or a sit-out."""

    round: int
    games: tuple[Game, ...]  # only those that are played
    waits_at: int = 0  # the table at which a sit-out is spent, if any
    triangle: Trio | None = None
    is_open: bool = False  # drawn only when results are in
    has_left: bool = False  # lost its match in a knock-out, or went home
    has_come: bool = True  # False in the rounds before somebody arrived late
    number: int = 0  # whose turn it is

    @property
    def sits_out(self) -> bool:
        is_away = self.has_left or not self.has_come
        return not (self.games or self.triangle or self.is_open or is_away)

    @property
    def game(self) -> Game | None:
        return self.games[0] if self.games else None


def board_text(boards: Iterable[int]) -> str:
    """Write board numbers as people do.

    >>> board_text((1, 2, 3, 7))
    '1–3, 7'
    """
    return ", ".join(
        str(first) if first == last else f"{first}–{last}" for first, last in ranges(tuple(boards))
    )


def rows_of(movement: int, only: int | None = None, after: int = 0) -> list[SeatingRow]:
    """Return the rows of a stored movement (by its key) after a round, or those of one contestant."""
    rows = SeatingRow.objects.filter(movement_id=movement, round__gt=after)
    if only is not None:
        rows = rows.filter(Q(ns=only) | Q(ns2=only) | Q(ew=only) | Q(ew2=only))
    return list(rows)


@dataclass
class _Sitting:
    """Boards that the same two sides play at a table, one after the other."""

    part: int
    parts: int
    ns: tuple[int | None, int | None]  # entries' keys
    ew: tuple[int | None, int | None]
    shares_with: str
    boards: list[int]


def _sittings(plays: list[tuple[Any, ...]], as_they_sit: bool) -> list[_Sitting]:
    """Return who sat at a table in a round, part by part.

    As they sit, boards that are turned move nobody: they are no part of their own.
    """
    turned = as_they_sit and any(play[5] for play in plays)
    found: list[_Sitting] = []
    for _, _, part, parts, board, is_turned, shares_with, ns, ns2, ew, ew2 in plays:
        sides = ((ns, ns2), (ew, ew2))
        if turned and is_turned:
            sides = (sides[1], sides[0])
        last = found[-1] if found else None
        is_same = last is not None and (last.ns, last.ew) == sides and (turned or last.part == part)
        if last is None or not is_same:
            last = _Sitting(part, parts, *sides, shares_with, [])
            found.append(last)
        last.boards.append(board)
    if turned:
        for place, sitting in enumerate(found, start=1):
            sitting.part, sitting.parts = place, len(found)
            sitting.boards.sort()
    return found


def _named(people: Sequence[Person]) -> dict[str, Any]:
    """How people are written on a page."""
    return {
        "names": " & ".join(person.name for person in people),
        "surnames": " & ".join(person.surname for person in people),
        "players": tuple(person.name for person in people),
    }


def _as_team(entry: Entry, round: int) -> dict[str, Any]:
    """How a team is written, where that is not how others are."""
    return {
        "surnames": entry.team_name,
        "is_crossed": round in entry.crossed_in,
        "halves": tuple(
            Half(
                tuple(person.name for person in half),
                tuple(person.surname for person in half),
            )
            for half in entry.halves_in(round)
        ),
    }


class Evening:
    """A section's evening, read once and asked often: the past from plays, the future from the movement."""

    def __init__(
        self,
        section: Section,
        *,
        only: int | None = None,
        version: SectionMovement | None = None,
        played: StoredMovement | None = None,
    ) -> None:
        """Read the evening of a section; with `only`, the rows of one contestant alone.

        With `version`, as it was planned in that version. `played` is another movement of the same
        contestants, by which people sit down where boards are turned.
        """
        self.section = section
        self.only = only
        self.seats = version.seats if version else {}
        if version:
            section.movement = version.movement
        self.played = played or section.movement
        self.is_as_they_sit = played is not None
        #: the rounds that have begun; none of them where a plan is looked at
        self.begun = 0 if version else section.round

    @cached_property
    def contestants(self) -> dict[int, Contestant]:
        """Everybody with a seat, by number."""
        movement = self.section.movement
        if movement is None:
            return {}
        labels = movement.labels
        found = {}
        for entry in sorted(self.entries, key=lambda entry: entry.contestant or 0):
            if entry.contestant is not None:
                number = entry.contestant
                found[number] = Contestant(
                    number=number,
                    label=label_of(labels, number),
                    short=labels.number(number),
                    field=labels.field_of(number).name,
                    **self._written(entry, self.section.shown_round),
                    entry=entry.pk,
                    must_stay_seated=entry.must_stay_seated,
                    first_round=entry.first_round,
                    left_after=entry.left_after,
                    back_in=entry.back_in,
                    substitutes=tuple(stints_of(entry)),
                )
        return found

    def _written(self, entry: Entry, round: int) -> dict[str, Any]:
        """How an entry is written in a round."""
        written = _named(entry.people_in(round))
        return written | _as_team(entry, round) if self.section.contest.has_halves else written

    @cached_property
    def _substituted(self) -> dict[int, Entry]:
        """The entries that are not the same people, or in the same chairs, all evening, by number."""
        return {
            entry.contestant: entry
            for entry in self.entries
            if entry.contestant is not None
            and (
                entry.crossed_in
                or not all(link.is_all_evening for link in entry.entry_people.all())
            )
        }

    def contestant_in(self, number: int, round: int) -> Contestant:
        """Return a contestant with the people who play for it in a round."""
        one = self._with_number(number)
        entry = self._substituted.get(number)
        return replace(one, **self._written(entry, round)) if entry else one

    @cached_property
    def entries(self) -> list[Entry]:
        """The entries in order of entry, with their people."""
        people = EntryPerson.objects.select_related("person", "plays_for")
        found = list(self.section.entries.prefetch_related(Prefetch("entry_people", people)))
        if self.seats:
            for entry in found:
                entry.take_seat(*self.seats.get(str(entry.pk), ()))
        return found

    @cached_property
    def games(self) -> dict[int, tuple[Game, ...]]:
        """Every table of every round, in the order of tables and parts."""
        rounds: defaultdict[int, list[Game]] = defaultdict(list)
        for game in (*self._played_games(), *self._games_to_come()):
            rounds[game.round].append(game)
        return {number: tuple(games) for number, games in rounds.items()}

    def _games_to_come(self) -> Iterator[Game]:
        """What the movement says of the rounds that have not begun."""
        if self.played is None:
            return
        for row in rows_of(self.played.pk, self.only, after=self.begun):
            if row.round > self.rounds:
                continue
            sets = tuple(row.sets.split())
            yield Game(
                round=row.round,
                table=row.table,
                part=row.part,
                parts=row.parts,
                ns=self._side("ns", row.round, row.ns, row.ns2),
                ew=self._side("ew", row.round, row.ew, row.ew2),
                sets=sets,
                boards=boards_of(sets, self.numbers),
                shared_with=tuple(int(table) for table in row.shares_with.split()),
            )

    def _played_games(self) -> Iterator[Game]:
        """What the plays say of the rounds that have begun; of a draw its matches, once each."""
        if self.played is None or not self.played.is_draw:
            yield from self.games_at_tables()
            return
        seen = set()
        for game in self.games_at_tables():
            teams = frozenset(sitting.contestant.number for sitting in game.ns + game.ew)
            in_triangle = any(
                teams <= {team.number for team in trio.teams} for trio in self.triangles(game.round)
            )
            if not in_triangle and (game.round, teams) not in seen:
                seen.add((game.round, teams))
                yield game

    def games_at_tables(self) -> Iterator[Game]:
        """Yield what was played at every table in the rounds that have begun, by the plays alone."""
        if not self.begun or self.played is None:
            return
        number = {entry.pk: entry.contestant for entry in self.entries}
        names = {board: name for name, boards in self.numbers.items() for board in boards}
        tables = groupby(self._plays(), key=lambda play: play[:2])
        for (round, table), plays in tables:
            for sitting in _sittings(list(plays), self.is_as_they_sit):
                boards = tuple(sitting.boards)
                yield Game(
                    round=round,
                    table=table,
                    part=sitting.part,
                    parts=sitting.parts,
                    ns=self._side("ns", round, *(number.get(key or 0) for key in sitting.ns)),
                    ew=self._side("ew", round, *(number.get(key or 0) for key in sitting.ew)),
                    sets=tuple(dict.fromkeys(names[board] for board in boards if board in names)),
                    boards=boards,
                    shared_with=tuple(int(table) for table in sitting.shares_with.split()),
                )

    def _plays(self) -> Iterable[tuple[Any, ...]]:
        plays = Play.objects.filter(section=self.section, taken_back_at=None, round__lte=self.begun)
        if self.only is not None:
            mine = next((e.pk for e in self.entries if e.contestant == self.only), 0)
            plays = plays.filter(Q(ns=mine) | Q(ns2=mine) | Q(ew=mine) | Q(ew2=mine))
        return plays.values_list(
            *("round", "table", "part", "parts", "board", "turned", "shares_with"),
            *("ns_id", "ns2_id", "ew_id", "ew2_id"),
        )

    def _side(self, line: str, round: int, *numbers: int | None) -> tuple[Sitting, ...]:
        return tuple(
            Sitting(self.contestant_in(number, round), line, place)
            for place, number in enumerate(numbers)
            if number is not None
        )

    def _with_number(self, number: int) -> Contestant:
        """Whoever has a number; of those who are off the list by now only that is known."""
        if number in self.contestants:
            return self.contestants[number]
        labels = self.section.stored.labels
        return Contestant(
            number=number,
            label=label_of(labels, number),
            short=labels.number(number),
            field=labels.field_of(number).name,
            names="",
            surnames="",
            players=(),
        )

    @property
    def numbers(self) -> dict[str, range]:
        """The board numbers of every set."""
        return self.played.numbers if self.played else {}

    @property
    def rounds(self) -> int:
        """How many rounds there are: none to come where the session was ended early."""
        return self.section.rounds

    @cached_property
    def _draw(self) -> Movement | None:
        """The engine's movement, where rows cannot say everything: teams, and draws on results."""
        stored = self.section.movement
        if stored and (stored.contest.has_halves or stored.family in DRAWN_AS_PLAYED):
            return stored.movement
        return None

    def triangles(self, round: int) -> tuple[Trio, ...]:
        """Return the triangles of teams in a round."""
        triangles = self._draw.triangles if self._draw else ()
        return tuple(
            Trio(
                teams=tuple(self.contestant_in(team, round) for team in one.teams),
                halves=(1, 2) if len(one.rounds) == 1 else (one.rounds.index(round) + 1,),
            )
            for one in triangles
            if round in one.rounds
        )

    def _have_left(self, round: int) -> set[int]:
        """Who plays no more by a round: lost a match in a knock-out, or went home."""
        exemptions = self._draw.exemptions if self._draw else ()
        lost = {
            number
            for item in exemptions
            if item.why == LEFT and round in item.rounds
            for number in item.contestants
        }
        return lost | {n for n, one in self.contestants.items() if one.is_away(round)}

    def away(self, round: int) -> tuple[int, ...]:
        """Return the numbers of those who are not there in a round: left, or not come yet."""
        return tuple(n for n, one in self.contestants.items() if not one.is_there(round))

    def sit_outs(self, round: int) -> tuple[Contestant, ...]:
        """Return who plays nothing at all in a round; of one not yet drawn nothing can be said."""
        if round in self.open_rounds:
            return ()
        busy = self._have_left(round)
        busy |= {one.number for trio in self.triangles(round) for one in trio.teams}
        busy |= {
            sitting.contestant.number
            for game in self.games.get(round, ())
            if game.is_played
            for sitting in game.ns + game.ew
        }
        return tuple(
            self.contestant_in(number, round)
            for number, one in self.contestants.items()
            if number not in busy and one.is_there(round)
        )

    @cached_property
    def open_rounds(self) -> frozenset[int]:
        """The rounds not yet drawn, so that nobody knows who plays whom."""
        return frozenset(self._draw.open_rounds if self._draw else ())

    def turn(self, number: int, round: int) -> Turn:
        """Return what a contestant does in a round."""
        mine = [
            game
            for game in self.games.get(round, ())
            if any(s.contestant.number == number for s in game.ns + game.ew)
        ]
        return Turn(
            round=round,
            games=tuple(game for game in mine if game.is_played),
            waits_at=next((game.table for game in mine if not game.is_played), 0),
            triangle=next(
                (
                    trio
                    for trio in self.triangles(round)
                    if number in [team.number for team in trio.teams]
                ),
                None,
            ),
            is_open=round in self.open_rounds,
            has_left=number in self._have_left(round),
            has_come=self.contestants[number].first_round <= round,
            number=number,
        )

    def schedule(self, number: int) -> tuple[Turn, ...]:
        """Return a contestant's whole evening, round by round."""
        return tuple(self.turn(number, round) for round in range(1, self.rounds + 1))

    def next_game(self, number: int, after: int) -> Turn | None:
        """Return the next round in which a contestant plays."""
        turns = (self.turn(number, round) for round in range(after + 1, self.rounds + 1))
        return next((turn for turn in turns if turn.games), None)

    # ── the same people in another movement; they are not read again ──

    def playing(self, movement: StoredMovement) -> Evening:
        """Return the evening if another movement of the same contestants was played."""
        evening = Evening(self.section, only=self.only, played=movement)
        evening.entries = self.entries
        return evening

    def as_they_sit(self, plain: Movement) -> Evening:
        """Return the evening as people sit down, where the movement itself has its boards turned."""
        return _AsTheySit(self, plain)

    def as_in(self, version: SectionMovement) -> Evening:
        """Return the evening as it was planned in a version; of one contestant, of the same one."""
        entries = [copy(entry) for entry in self.entries]
        for entry in entries:
            entry.take_seat(*self._seat_in(version, entry))
        only = None if self.only is None else self._number_in(entries, self.only)
        evening = Evening(copy(self.section), only=only, version=version)
        evening.entries = entries
        return evening

    def _seat_in(self, version: SectionMovement, entry: Entry) -> Iterable[int | None]:
        """An entry's number and times in a version; one without seats is read by the labels."""
        if version.seats:
            seat: list[int | None] = version.seats.get(str(entry.pk), [])
            return seat
        if entry.contestant is None:
            return ()
        label = self.section.stored.labels.label(entry.contestant)
        return version.movement.labels.contestant(label), *entry.times

    def _number_in(self, entries: Iterable[Entry], only: int) -> int:
        """The number that the one whose evening it is has among other seats; 0: none."""
        mine = self.contestants[only].entry
        return next((one.contestant for one in entries if one.pk == mine), None) or 0


class _AsTheySit(Evening):
    """An evening in which the sides of a table where the boards are turned are as people sit there."""

    def __init__(self, turned: Evening, plain: Movement) -> None:
        super().__init__(turned.section, only=turned.only, played=turned.played)
        self.begun = turned.begun
        self.turned, self.plain = turned, plain

    @cached_property
    def entries(self) -> list[Entry]:
        """The entries, which are not read again."""
        return self.turned.entries

    @cached_property
    def contestants(self) -> dict[int, Contestant]:
        """Everybody with a seat, by number."""
        return self.turned.contestants

    @cached_property
    def games(self) -> dict[int, tuple[Game, ...]]:
        """Every table of every round, with those in North-South who sit there."""
        north = {(s.round, s.table, who) for s in self.plain.seatings for who in players_of(s.ns)}

        def as_they_sit(game: Game) -> Game:
            ns = [s.contestant.number for s in game.ns]
            ew = [s.contestant.number for s in game.ew]
            sit_ns = any((game.round, game.table, who) in north for who in ns)
            sit_ew = any((game.round, game.table, who) in north for who in ew)
            if sit_ns or not (sit_ew or (ns and not ew)):
                return game
            return replace(
                game,
                ns=tuple(replace(s, line="ns") for s in game.ew),
                ew=tuple(replace(s, line="ew") for s in game.ns),
            )

        return {r: tuple(map(as_they_sit, games)) for r, games in self.turned.games.items()}
