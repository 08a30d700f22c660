"""A session as it was and will be played: contestants, every board at every table, and rulings.

The past comes from plays with their results, the future from the plan without outcomes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from bridgebuddy.clubs.people.public_names import reads_for_public, text_with_public_names
from bridgebuddy.events.models import Play, Section, Session
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.games import Contestant, TableGame
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.scoring.models import FouledBoard, MatchRuling, Penalty, Result, ScoringSettings
from bridgebuddy.scoring.rules.profile import usual_method
from movements.engine.board_copies.borrowed_sets import borrowed_set
from movements.engine.contest import Contest

from .departures import lost_boards
from .kinds import is_swiss_of_pairs
from .knocked_out import last_rounds
from .lines import PlayLine


class PlayedSession:
    """All sections of a session with their plays and results, read once.

    `section` is the page's subject; the others play beside it.
    """

    def __init__(self, section: Section) -> None:
        found_sections = sections_of_session(section) or [section]
        self.section = next(
            (
                session_section
                for session_section in found_sections
                if session_section.pk == section.pk
            ),
            section,
        )
        self.sections = [
            session_section
            for session_section in found_sections
            if session_section.movement_id is not None
        ]
        self.session: Session = section.session
        self.plans = {section.pk: SectionPlan.of(section) for section in self.sections}
        self.scoring = ScoringSettings.objects.filter(
            session=section.session_id
        ).first() or ScoringSettings(session=section.session)

    @property
    def contest(self) -> Contest:
        """Return the kind of contest: pairs, teams or individual."""
        return self.sections[0].contest if self.sections else self.section.contest

    @property
    def method(self) -> str:
        """Return the name of the scoring method."""
        return str(self.scoring.profile.get("method") or usual_method(self.contest))

    @property
    def has_several(self) -> bool:
        """Return whether the session has more than one section."""
        return len(self.sections) > 1

    def has_same_cards(self, section: Section) -> bool:
        """Return whether all drawn matches of a round have the same deals."""
        return section.has_duplicated_matches or self.scoring.same_cards

    # ── people ──

    @cached_property
    def contestants(self) -> dict[tuple[str, str], Contestant]:
        """Return all contestants by section name and label."""
        return {
            (section.name, person.slug): person
            for section in self.sections
            for person in self.people_of(section).values()
        }

    def people_of(self, section: Section) -> Mapping[int, Contestant]:
        """Return the contestants of a section by number."""
        return self.plans[section.pk].drawn.contestants

    def contestant(self, section: str, label: str) -> Contestant | None:
        """Return a contestant by section and label; None if there is none."""
        return self.contestants.get((section, label))

    def reason_for_reader(self, line: PlayLine) -> str:
        """Return the reason of the ruling on a play; on public pages with the public form of players' names."""
        reason = line.ruling_reason
        if not reason or not reads_for_public():
            return reason
        people = (
            link.person
            for section in self.sections
            for entry in self.plans[section.pk].drawn.entries
            for link in entry.links
        )
        return text_with_public_names(reason, people)

    def find(self, section: Section, slug: str) -> Contestant | None:
        """Return the contestant of a section with this slug (its label in addresses); None if there is none."""
        return self.contestant(section.name, slug)

    # ── past and coming plays ──

    def section_named(self, name: str) -> Section:
        """Return a section by its name."""
        return next(section for section in self.sections if section.name == name)

    def owner_of(self, section: Section, board: int) -> str:
        """Return the name of the section whose board it is, also if `section` played it by mistake."""
        return self._owners_of_borrowed_boards.get((section.pk, board), section.name)

    @cached_property
    def _owners_of_borrowed_boards(self) -> dict[tuple[int, int], str]:
        """Return the sections whose boards another section played by mistake, by section and board."""
        return {
            (section.pk, board): of_others.owner
            for section in self.sections
            for name, boards in section.stored.numbers.items()
            if (of_others := borrowed_set(name))
            for board in boards
        }

    @cached_property
    def lines(self) -> list[PlayLine]:
        """Return all plays with two sides, past and planned, in the order of the scoring document."""
        past_and_coming: list[PlayLine] = []
        for section in self.sections:
            past_and_coming += self._past_lines(section)
            past_and_coming += self._future_lines(section)
        return [replace(line, index=index) for index, line in enumerate(past_and_coming)]

    @cached_property
    def unplayable_lines(self) -> list[PlayLine]:
        """Return the boards not played because a contestant left; they follow all plays in the document."""
        without_result = [
            PlayLine(
                0, section, board.round, board.table, board.board, board.ns, board.ew, is_lost=True
            )
            for section in self.sections
            for board in lost_boards(
                section,
                self.plans[section.pk],
                [
                    (line.round, line.board, line.ns + line.ew)
                    for line in self.lines_of_section(section)
                ],
            )
        ]
        return [
            replace(line, index=index) for index, line in enumerate(without_result, len(self.lines))
        ]

    def lost_lines_of_section(self, section: Section) -> list[PlayLine]:
        """Return the boards of a section not played because a contestant left, in begun rounds."""
        return [
            line
            for line in self.unplayable_lines
            if line.section.pk == section.pk and line.round <= section.round
        ]

    def lines_of_section(self, section: Section) -> list[PlayLine]:
        """Return the plays of a section."""
        return [line for line in self.lines if line.section.pk == section.pk]

    def lines_of_board(self, section: Section, board: int) -> list[PlayLine]:
        """Return the plays of a board (one for each table that plays it) in a section."""
        return [line for line in self.lines_of_section(section) if line.board == board]

    def in_round(self, section: Section, round: int) -> list[PlayLine]:
        """Return the plays of a round in a section."""
        return [line for line in self.lines_of_section(section) if line.round == round]

    def line_of(self, play: int) -> PlayLine | None:
        """Return the play with this primary key; None if there is none."""
        return self._by_play.get(play)

    @cached_property
    def _by_play(self) -> dict[int, PlayLine]:
        """Return the plays by their primary keys."""
        return {line.play: line for line in self.lines if line.play}

    def plays_of(self, section: Section) -> list[Play]:
        """Return the stored plays of a section, including those at tables with only one pair."""
        return self._plays_by_section[section.pk]

    @cached_property
    def _plays_by_section(self) -> dict[int, list[Play]]:
        """Return the stored plays by the primary key of the section."""
        plays: defaultdict[int, list[Play]] = defaultdict(list)
        rows = Play.objects.filter(section__in=self.sections, taken_back_at=None)
        for play in rows.select_related("north", "east", "south", "west"):
            plays[play.section_id].append(play)
        return plays

    @cached_property
    def _results(self) -> dict[int, Result]:
        """Return the valid results by the primary key of the play."""
        standing = Result.objects.filter(play__section__in=self.sections, stands=True)
        return {correction.play_id: correction for correction in standing.select_related("by")}

    @cached_property
    def fouled(self) -> list[FouledBoard]:
        """Return the fouled boards of the session."""
        return list(FouledBoard.objects.filter(section__in=self.sections, taken_back_at=None))

    @cached_property
    def penalties(self) -> list[Penalty]:
        """Return the valid penalties and bonuses."""
        in_force = Penalty.objects.filter(entry__section__in=self.sections, taken_back_at=None)
        return list(in_force.select_related("by"))

    @cached_property
    def last_knockout_rounds(self) -> dict[int, int]:
        """Return the last knockout round reached by each entry (by its key)."""
        return last_rounds(self.sections)

    @cached_property
    def match_rulings(self) -> list[MatchRuling]:
        """Return the valid rulings on whole matches, the newest last."""
        in_force = MatchRuling.objects.filter(section__in=self.sections, taken_back_at=None)
        has_matches = self.contest.has_halves or any(map(is_swiss_of_pairs, self.sections))
        return list(in_force.select_related("by")) if has_matches else []

    def _past_lines(self, section: Section) -> Iterator[PlayLine]:
        """Yield a section's plays in rounds that have begun."""
        by_entry = {person.entry: person for person in self.people_of(section).values()}
        for play in self.plays_of(section):
            if play.ns_id is None or play.ew_id is None:
                continue
            ns = contestants_of(by_entry, play.ns_id, play.ns2_id)
            ew = contestants_of(by_entry, play.ew_id, play.ew2_id)
            if not ns or not ew:
                continue  # an entry that is off the list
            chairs = (play.north, play.east, play.south, play.west)
            yield PlayLine(
                0,
                section,
                play.round,
                play.table,
                play.board,
                ns,
                ew,
                play.pk,
                play.part,
                play.turned,
                tuple(person.name if person else "" for person in chairs),
                self._results.get(play.pk),
                self._fouled_group(play),
            )

    def _fouled_group(self, play: Play) -> str | None:
        """Return the key of the fouled-board ruling that concerns a play; None if it had the cards as dealt."""
        groups = [
            fouled_board
            for fouled_board in self.fouled
            if fouled_board.section_id == play.section_id
            and fouled_board.board == play.board
            and fouled_board.holds(play.round, play.table)
        ]
        return str(groups[-1].pk) if groups else None

    def _future_lines(self, section: Section) -> Iterator[PlayLine]:
        """Yield a section's planned plays in rounds to come."""
        evening = self.plans[section.pk].evening
        for round in range(section.round + 1, section.rounds + 1):
            for game in evening.games.get(round, ()):
                if game.is_played:
                    yield from _planned_lines(section, game)


def contestants_of(by_entry: dict[int, Contestant], *keys: int | None) -> tuple[Contestant, ...]:
    """Return the contestants of these entries; empty if one of them is unknown."""
    wanted = [key for key in keys if key is not None]
    present = tuple(by_entry[key] for key in wanted if key in by_entry)
    return present if len(present) == len(wanted) else ()


def _planned_lines(section: Section, game: TableGame) -> Iterable[PlayLine]:
    """Return the planned plays, one for each board, of a table in a round that has not begun."""
    ns, ew = (tuple(sitting.contestant for sitting in side) for side in (game.ns, game.ew))
    return [
        PlayLine(0, section, game.round, game.table, board, ns, ew, part=game.part)
        for board in game.boards
    ]
