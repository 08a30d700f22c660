"""Play an invented evening with the services that a director's pages call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from functools import cached_property
from random import Random

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.deals.rules.hands import Seat, format_pbn
from bridgebuddy.director.club.session_defaults import apply_default_settings
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.services.lifecycle.sessions import open_session
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.events.services.play.changes import ArrivingEntry
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.events.services.setup.movement import BoardsWished
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.services import publishing, rulings
from bridgebuddy.scoring.services.cards.deals import store_deals
from bridgebuddy.scoring.services.draws.rehearsing import draw_as_proposed
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import PairArrives, PairLeaves
from movements.engine.contest import Contest

from .outcomes import deal_cards, invent_outcome

MINUTES_A_BOARD = 7
STARTS_AT = time(19, 0)
#: tricks a board by which each pair of the list is better than the one after it
STEP_OF_STRENGTH = 0.03
#: the rounds in which a pair comes late and another one goes home
LATE_IN, LEAVES_IN = 2, 5


@dataclass(frozen=True)
class EveningPlan:
    """The plan of a demo session: its movement, its contestants and its boards a round."""

    name: str
    family: str
    contestants: Sequence[tuple[str, ...]]
    boards: int
    rounds: int | None = None
    contest: Contest = Contest.PAIRS
    teams: Sequence[str] = ()
    method: str = ""
    has_deals: bool = False
    #: a pair that comes in round 2; then a pair leaves in round 5
    late: tuple[str, str] | None = None
    seed: int = 0


class DemoEvening:
    """Creates and plays one session of the demo club, step by step."""

    def __init__(self, club: Club, user: User, plan: EveningPlan, members: Sequence[str]) -> None:
        """Take the club's members by their strength, best first."""
        self.club, self.user, self.plan = club, user, plan
        self.rng = Random(plan.seed)
        self._strength = {name: -STEP_OF_STRENGTH * (i // 2) for i, name in enumerate(members)}
        self._dealt: dict[int, dict[Seat, frozenset[str]]] = {}

    @cached_property
    def section(self) -> Section:
        """Return the section of the session; call `open` before."""
        raise AssertionError("open it first")

    def open(self, on: date, starts_at: time = STARTS_AT) -> Section:
        """Create the session with its entries, and choose the movement."""
        plan, user = self.plan, self.user
        most = 2 if plan.contest.has_halves else plan.boards
        section = open_session(
            self.club,
            name=plan.name,
            date=on,
            starts_at=starts_at,
            fewest_boards=21,
            most_boards=28,
            minutes_per_board=MINUTES_A_BOARD,
            contest=plan.contest,
            by=user,
        )
        apply_default_settings(section, "phones", by=user)
        entries.add_pairs(section, plan.contestants, teams=plan.teams, by=user)
        matches = BoardsWished(segments=min(2, most)) if plan.contest.has_halves else None
        self.section = movement.choose_movement(
            section,
            plan.family,
            rounds=plan.rounds,
            boards_per_round=plan.boards,
            matches=matches,
            by=user,
        )
        if plan.method:
            publishing.set_scoring_profile(self.section, {"method": plan.method}, by=user)
        if plan.has_deals:
            boards = range(1, self.section.rounds * plan.boards + 1)
            written = {board: format_pbn(self._hands_of_board(board)) for board in boards}
            store_deals(self.section, written, by=user)
        return self.section

    def play(self, until: int | None = None) -> None:
        """Play rounds with invented results up to round `until`, or to the last one."""
        while self.section.round < (until or self.section.rounds):
            self.start_round()
            self._enter_results(self._missing_plays(), ResultSource.SLIP)

    def start_round(self) -> None:
        """Start the next round; if its pairings depend on results, draw it first."""
        section = Section.objects.get(pk=self.section.pk)
        if section.movement and section.next_round in section.movement.open_rounds:
            draw_as_proposed(section, by=self.user)
        section = rounds.start_next_round(section, after=section.round, by=self.user)
        if self.plan.late and section.round == LATE_IN:
            names = ArrivingEntry(names=self.plan.late)
            section = self._take_first_option(section, PairArrives(), newcomer=names)
        if self.plan.late and section.round == LEAVES_IN:
            last = section.entries.exclude(contestant=None).order_by("position")[3]
            section = self._take_first_option(section, PairLeaves(last.contestant or 0))
        self.section = Section.objects.get(pk=section.pk)

    def _take_first_option(
        self,
        section: Section,
        change: PairArrives | PairLeaves,
        newcomer: ArrivingEntry | None = None,
    ) -> Section:
        """Make a live change of the movement (a late or leaving pair) as the first proposal suggests."""
        section = Section.objects.get(pk=section.pk)
        way = changes.change_options(section, change)[0]
        return changes.take_proposal(
            section, way, change, plan=section.plan, by=self.user, newcomer=newcomer
        )

    def enter_first_boards(self) -> None:
        """Enter invented phone results of the current round for one or two boards of each table but the last."""
        plays = self._missing_plays()
        boards: dict[int, list[Play]] = {}
        for play in plays:
            boards.setdefault(play.table, []).append(play)
        last = max(boards)
        counts = {table: 0 if table == last else 2 - (table % 3 == 1) for table in boards}
        first = [play for table, played in boards.items() for play in played[: counts[table]]]
        self._enter_results(first, ResultSource.PHONE)

    def _missing_plays(self) -> list[Play]:
        """Return the started plays (of a board at a table) without a result."""
        with_result = Result.objects.filter(stands=True).exclude(outcome=None).values("play")
        plays = Play.objects.filter(section=self.section, taken_back_at=None)
        plays = plays.exclude(ns=None).exclude(ew=None).exclude(pk__in=with_result)
        people = plays.select_related("north", "south", "east", "west")
        return list(people.order_by("table", "pk"))

    def _enter_results(self, plays: Sequence[Play], source: ResultSource) -> None:
        """Enter an invented result for each play."""
        new_results = []
        for play in plays:
            hands = self._hands_of_board(play.board, play.round)
            new_results.append(
                EnteredResult(play.pk, invent_outcome(hands, self.rng, self._trick_advantage(play)))
            )
        enter_results(self.section, new_results, source=source, by=None)
        self.section = Section.objects.get(pk=self.section.pk)

    def finish_session(self) -> None:
        """End the session, confirm doubtful results, make the ranking final and publish it."""
        self.section = rounds.finish_session(self.section, round=self.section.round, by=self.user)
        for doubt in SectionDoubts(SessionSnapshot(self.section)).open_doubts:
            rulings.dismiss_doubt(self.section, doubt.key, by=self.user)
        publishing.make_list_final(self.section, by=self.user)
        publishing.publish_results(self.section, by=self.user)
        self.section = Section.objects.get(pk=self.section.pk)

    def _hands_of_board(self, board: int, round: int = 0) -> Mapping[Seat, frozenset[str]]:
        """Return the hands of a board; where matches deal boards anew each round, those of `round`."""
        of = (
            board
            if self.plan.has_deals or not self.plan.contest.has_halves
            else 100 * round + board
        )
        if of not in self._dealt:
            self._dealt[of] = deal_cards(Random(1000 * self.plan.seed + of))
        return self._dealt[of]

    def _trick_advantage(self, play: Play) -> float:
        """Return how many more tricks North-South take at a table because they are the stronger pair."""
        people = (play.north, play.south, play.east, play.west)
        north, south, east, west = (
            self._strength.get(person.name, 0.0) if person else 0.0 for person in people
        )
        return (north + south - east - west) / 2
