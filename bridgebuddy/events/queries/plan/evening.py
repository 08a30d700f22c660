"""A section's session as people see it: names, tables, boards and sit-outs.

Rounds that have begun come from plays, later ones from the movement's rows. A session needs four queries (plays, rows,
entries, people) beside the section's own. For one contestant they read only the people that it meets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import Any

from bridgebuddy.clubs.people.names import distinct_names
from bridgebuddy.events.models import Entry, EntryPerson, Section, SectionMovement
from movements.engine.boards import boards_of_sets
from movements.engine.drawing.open_rounds import LEFT
from movements.engine.model import Movement, players_of
from movements.engine.plays import triangle_halves
from movements.models import StoredMovement

from .contestant_names import labels_of_contestant, names_of_people, prefetch_people, team_fields
from .games import Contestant, ContestantDirectory, RoundTurn, TableGame, TableSide, TriangleGame
from .rows import PLAYS, MovementRow, TableSitting, movement_rows, table_sides
from .substitutes import substitute_rounds


class SessionEvening:
    """A section's games in all rounds, read once: past rounds from stored plays, later ones from the movement."""

    def __init__(
        self,
        section: Section,
        *,
        only: int | None = None,
        version: SectionMovement | None = None,
        played: StoredMovement | None = None,
    ) -> None:
        """Read the session of a section; with `only`, the rows of one contestant.

        With `version`, read it as planned in that version. `played` is another movement of the same contestants, by
        which people sit down if boards are turned.
        """
        self.section = section
        self.only = only
        self.seats = version.seats if version else {}
        if version:
            section.movement = version.movement
        self.played = played or section.movement
        self.is_as_they_sit = played is not None
        #: number of rounds that have begun; 0 for a mere plan
        self.begun = 0 if version else section.round
        self._same: dict[int, bool] = {}

    @cached_property
    def contestants(self) -> Mapping[int, Contestant]:
        """Return the contestants that have a seat, by number."""
        if self.section.movement is None:
            return {}
        if self.only is not None:
            return ContestantDirectory(self._seated_entries, self._new_contestant)
        return {number: self._new_contestant(number) for number in self._seated_entries}

    @cached_property
    def _seated_entries(self) -> dict[int, Entry]:
        """Return the entries that have a seat, by contestant number."""
        seated = {entry.contestant: entry for entry in self.entries if entry.contestant is not None}
        return dict(sorted(seated.items()))

    def _new_contestant(self, number: int) -> Contestant:
        """Return the contestant with a number, built from its entry with all texts that pages show."""
        entry = self._seated_entries[number]
        return Contestant(
            number=number,
            **labels_of_contestant(self.section.stored.without_seatings, number),
            **self._names_in_round(entry, self.section.shown_round),
            entry=entry.pk,
            must_stay_seated=entry.must_stay_seated,
            first_round=entry.first_round,
            left_after=entry.left_after,
            back_in=entry.back_in,
            substitutes=tuple(substitute_rounds(entry)),
        )

    def _names_in_round(self, entry: Entry, round: int) -> dict[str, Any]:
        """Return the name fields of an entry's contestant for the people who play for it in a round."""
        if not entry.are_links_read:
            prefetch_people(self._entries_met if entry.pk in self._met_ids else self.entries)
        written = names_of_people(entry.people_in(round), self._short_names)
        if not self.section.contest.has_halves:
            return written
        written |= team_fields(entry, round, self._short_names)
        has_half_time = self.section.movement is not None and self.section.movement.is_draw
        return written if has_half_time else written | {"then_halves": ()}

    @cached_property
    def _short_names(self) -> dict[str, str]:
        """Return the short name for each full name, unique among all people of the session's sections."""
        read = [entry for entry in self.entries if entry.are_links_read]
        names = [link.person.name for entry in read for link in entry.links]
        if self.only is None and self.section.letter:
            others = EntryPerson.objects.filter(
                entry__section__session=self.section.session_id
            ).exclude(entry__section=self.section.pk)
            names.extend(others.values_list("person__name", flat=True))
        return distinct_names(names)

    def contestant_in(self, number: int, round: int) -> Contestant:
        """Return a contestant with the names of the people who play for it in a round."""
        contestant = self._contestant_by_number(number)
        entry = self._seated_entries.get(number)
        if entry is None or self._is_always_the_same(entry):
            return contestant
        return replace(contestant, **self._names_in_round(entry, round))

    def _is_always_the_same(self, entry: Entry) -> bool:
        """Return whether an entry has the same people in the same seats in all rounds."""
        is_same = self._same.get(entry.pk)
        if is_same is None:
            changes = entry.crossed_in or entry.second_halves
            is_same = not changes and all(link.is_all_evening for link in entry.links)
            self._same[entry.pk] = is_same
        return is_same

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the section's entries in order, with their people unless the session is read for one contestant."""
        entries = list(self.section.entries.all())
        if self.only is None:
            prefetch_people(entries)
        if self.seats:
            for entry in entries:
                entry.take_seat(*self.seats.get(str(entry.pk), ()))
        return entries

    @cached_property
    def _entries_met(self) -> list[Entry]:
        """Return the entry of the only contestant read, and those of its opponents and partners."""
        numbers = {self.only}
        for row in self._future_rows:
            numbers |= {row.ns, row.ns2, row.ew, row.ew2}
        numbers.discard(None)
        keys = {key for play in self._past_plays for key in play[-4:]}
        return [entry for entry in self.entries if entry.contestant in numbers or entry.pk in keys]

    @cached_property
    def _met_ids(self) -> frozenset[int]:
        """Return the primary keys of the entries that the only contestant read meets."""
        return frozenset(meeting.pk for meeting in self._entries_met)

    @cached_property
    def games(self) -> dict[int, tuple[TableGame, ...]]:
        """Return who plays whom at each table (the games) by round, part by part, in all rounds."""
        rounds: defaultdict[int, list[TableGame]] = defaultdict(list)
        for game in (*self._played_games(), *self._games_to_come()):
            rounds[game.round].append(game)
        return {number: tuple(games) for number, games in rounds.items()}

    def _games_to_come(self) -> Iterator[TableGame]:
        """Yield the games (one table in one round) of rounds that have not begun, from the movement."""
        for row in self._future_rows:
            if row.round > self.rounds:
                continue
            sets = tuple(row.sets.split())
            yield TableGame(
                round=row.round,
                table=row.table,
                part=row.part,
                parts=row.parts,
                ns=self._table_side("ns", row.round, row.ns, row.ns2),
                ew=self._table_side("ew", row.round, row.ew, row.ew2),
                sets=sets,
                boards=boards_of_sets(sets, self.numbers),
                shared_with=tuple(int(table) for table in row.shares_with.split()),
            )

    @cached_property
    def _future_rows(self) -> list[MovementRow]:
        """Return the movement's stored seatings in rounds that have not begun."""
        return movement_rows(self.played.pk, self.only, after=self.begun) if self.played else []

    def _played_games(self) -> Iterator[TableGame]:
        """Yield the games (one table in one round) that have begun, from stored plays; each drawn match once."""
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

    def games_at_tables(self) -> Iterator[TableGame]:
        """Yield the games at every table in rounds that have begun, from the stored plays only."""
        if not self.begun or self.played is None:
            return
        number = {entry.pk: entry.contestant for entry in self.entries}
        names = {board: name for name, boards in self.numbers.items() for board in boards}
        tables = groupby(self._past_plays, key=lambda play: play[:2])
        for (round, table), plays in tables:
            for sitting in table_sides(list(plays), self.is_as_they_sit):
                boards = tuple(sitting.boards)
                yield TableGame(
                    round=round,
                    table=table,
                    part=sitting.part,
                    parts=sitting.parts,
                    ns=self._table_side("ns", round, *(number.get(key or 0) for key in sitting.ns)),
                    ew=self._table_side("ew", round, *(number.get(key or 0) for key in sitting.ew)),
                    sets=tuple(dict.fromkeys(names[board] for board in boards if board in names)),
                    boards=boards,
                    shared_with=tuple(int(table) for table in sitting.shares_with.split()),
                    extra=self._extra_boards(round, sitting),
                )

    def _extra_boards(self, round: int, sitting: TableSitting) -> tuple[tuple[int, ...], ...]:
        """Return the boards added to a tied team match at a table in a round, decision by decision."""
        if not self.section.extra_boards:
            return ()
        teams = {key for key in sitting.ns + sitting.ew if key is not None}
        return tuple(tuple(boards) for boards in self.section.extra_boards_of(round, teams))

    @cached_property
    def _past_plays(self) -> Sequence[tuple[Any, ...]]:
        """Return the stored plays of rounds that have begun, board by board, as tuples."""
        if not self.begun:
            return ()
        if self.only is None:
            return PLAYS.rows(self.section.pk, self.begun)
        entry_key = next((entry.pk for entry in self.entries if entry.contestant == self.only), 0)
        return PLAYS.rows(self.section.pk, self.begun, entry_key)

    def _table_side(self, line: str, round: int, *numbers: int | None) -> tuple[TableSide, ...]:
        """Return the contestants with these numbers as one side of a table in a round."""
        return tuple(
            TableSide(self.contestant_in(number, round), line, place)
            for place, number in enumerate(numbers)
            if number is not None
        )

    def _contestant_by_number(self, number: int) -> Contestant:
        """Return the contestant with a number; with its label only if its entry no longer exists."""
        if number in self.contestants:
            return self.contestants[number]
        labels = self.section.stored.without_seatings
        return Contestant(
            number=number,
            **labels_of_contestant(labels, number),
            names="",
            surnames="",
            players=(),
        )

    @property
    def numbers(self) -> dict[str, range]:
        """Return the board numbers of every board set."""
        return self.played.numbers if self.played else {}

    @property
    def rounds(self) -> int:
        """Return the number of rounds; if the session ended early, the number of rounds begun."""
        return self.section.rounds

    @cached_property
    def _drawn_movement(self) -> Movement | None:
        """Return the engine's movement for team matches and draws, which stored seatings cannot fully describe."""
        stored = self.section.movement
        if stored and (stored.contest.has_halves or stored.is_drawn_as_played):
            return stored.movement
        return None

    def triangles(self, round: int) -> tuple[TriangleGame, ...]:
        """Return the three-way team matches of a round."""
        triangles = self._drawn_movement.triangles if self._drawn_movement else ()
        return tuple(
            TriangleGame(
                teams=tuple(self.contestant_in(team, round) for team in triangle.teams),
                halves=triangle_halves(triangle, round),
                boards=self.section.boards_of_matches.boards_in_triangle(triangles, triangle),
            )
            for triangle in triangles
            if round in triangle.rounds
        )

    def _eliminated_contestants(self, round: int) -> set[int]:
        """Return the numbers of contestants that lost a knockout match before a round."""
        exemptions = self._drawn_movement.exemptions if self._drawn_movement else ()
        return {
            number
            for item in exemptions
            if item.why == LEFT and any(since <= round for since in item.rounds)
            for number in item.contestants
        }

    def absent_contestants(self, round: int) -> tuple[int, ...]:
        """Return the numbers of contestants absent in a round, because they have left or not yet arrived."""
        return tuple(
            n for n, contestant in self.contestants.items() if not contestant.is_present_in(round)
        )

    def sit_outs(self, round: int) -> tuple[Contestant, ...]:
        """Return the contestants that sit out in a round; empty if the round has not been drawn."""
        if round in self.open_rounds:
            return ()
        busy = self._eliminated_contestants(round)
        busy |= {team.number for trio in self.triangles(round) for team in trio.teams}
        busy |= {
            sitting.contestant.number
            for game in self.games.get(round, ())
            if game.is_played
            for sitting in game.ns + game.ew
        }
        return tuple(
            self.contestant_in(number, round)
            for number, contestant in self.contestants.items()
            if number not in busy and contestant.is_present_in(round)
        )

    @cached_property
    def open_rounds(self) -> frozenset[int]:
        """Return the rounds whose pairings have not been drawn yet."""
        return frozenset(self._drawn_movement.open_rounds if self._drawn_movement else ())

    def round_turn(self, number: int, round: int) -> RoundTurn:
        """Return a contestant's part in a round: its games, its sit-out or its three-way match."""
        contestant = self.contestants[number]
        games = self._games_by_contestant.get((number, round), ())
        return RoundTurn(
            round=round,
            games=tuple(game for game in games if game.is_played),
            waits_at=next((game.table for game in games if not game.is_played), 0),
            triangle=next(
                (
                    trio
                    for trio in self.triangles(round)
                    if number in [team.number for team in trio.teams]
                ),
                None,
            ),
            is_open=round in self.open_rounds,
            has_left=contestant.is_away(round) or number in self._eliminated_contestants(round),
            has_come=contestant.first_round <= round,
            number=number,
        )

    @cached_property
    def _games_by_contestant(self) -> Mapping[tuple[int, int], list[TableGame]]:
        """Return the games by contestant number and round."""
        games_of_round: defaultdict[tuple[int, int], list[TableGame]] = defaultdict(list)
        for round, games in self.games.items():
            for game in games:
                for number in dict.fromkeys(s.contestant.number for s in game.ns + game.ew):
                    games_of_round[number, round].append(game)
        return games_of_round

    def schedule(self, number: int) -> tuple[RoundTurn, ...]:
        """Return what a contestant does in every round, a game or a sit-out, in order."""
        return tuple(self.round_turn(number, round) for round in range(1, self.rounds + 1))

    def next_game(self, number: int, after: int) -> RoundTurn | None:
        """Return a contestant's first round after round `after` in which it plays."""
        turns = (self.round_turn(number, round) for round in range(after + 1, self.rounds + 1))
        return next((turn for turn in turns if turn.games), None)

    # ── the same people in another movement, without reading them again ──

    def with_movement(self, movement: StoredMovement) -> SessionEvening:
        """Return the same contestants' session under another stored movement."""
        evening = SessionEvening(self.section, only=self.only, played=movement)
        evening.entries = self.entries
        return evening

    def with_directions_of(self, plain: Movement) -> SessionEvening:
        """Return the session with contestants in the directions of `plain`, the movement before arrow-switches."""
        return _SeatedEvening(self, plain)

    def plan_in_version(self, version: SectionMovement) -> SessionEvening:
        """Return the session as an earlier version of the movement planned it, for the same contestants."""
        entries = [copy(entry) for entry in self.entries]
        for entry in entries:
            entry.take_seat(*self._seat_in_version(version, entry))
        only = None if self.only is None else self._number_among(entries, self.only)
        evening = SessionEvening(copy(self.section), only=only, version=version)
        evening.entries = entries
        return evening

    def _seat_in_version(self, version: SectionMovement, entry: Entry) -> Iterable[int | None]:
        """Return an entry's number and rounds of presence in a version of the movement."""
        if version.seats:
            seat: list[int | None] = version.seats.get(str(entry.pk), [])
            return seat
        if entry.contestant is None:
            return ()
        label = self.section.stored.without_seatings.label(entry.contestant)
        return version.movement.without_seatings.contestant(label), *entry.times

    def _number_among(self, entries: Iterable[Entry], contestant: int) -> int:
        """Return the number that `contestant` has among these entries of another version; 0 if it has no seat."""
        entry_key = self.contestants[contestant].entry
        return next((entry.contestant for entry in entries if entry.pk == entry_key), None) or 0


class _SeatedEvening(SessionEvening):
    """A session with contestants in the directions they really sit in, even where boards are arrow-switched."""

    def __init__(self, evening: SessionEvening, plain: Movement) -> None:
        super().__init__(evening.section, only=evening.only, played=evening.played)
        self.begun = evening.begun
        self.turned, self.plain = evening, plain

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the entries of the original session."""
        return self.turned.entries

    @cached_property
    def contestants(self) -> Mapping[int, Contestant]:
        """Return all contestants with a seat, by number."""
        return self.turned.contestants

    @cached_property
    def games(self) -> dict[int, tuple[TableGame, ...]]:
        """Return the games of every round, with the contestants that physically sit North-South as `ns`."""
        north = {
            (s.round, s.table, contestant)
            for s in self.plain.seatings
            for contestant in players_of(s.ns)
        }

        def game_as_seated(game: TableGame) -> TableGame:
            ns = [s.contestant.number for s in game.ns]
            ew = [s.contestant.number for s in game.ew]
            sit_ns = any((game.round, game.table, contestant) in north for contestant in ns)
            sit_ew = any((game.round, game.table, contestant) in north for contestant in ew)
            if sit_ns or not (sit_ew or (ns and not ew)):
                return game
            return replace(
                game,
                ns=tuple(replace(s, line="ns") for s in game.ew),
                ew=tuple(replace(s, line="ew") for s in game.ns),
            )

        return {r: tuple(map(game_as_seated, games)) for r, games in self.turned.games.items()}
