"""Random Swisses, knock-outs, round robins and leagues, played on the services that the pages call.

Results come late and are corrected, teams and pairs come late, leave and come back, draws use the results at hand,
are changed by hand and undone. The referee checks the stored rows after every step. A seed gives the same
contests again. It needs a database of its own: see `manage.py simulate --contests`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, time
from fractions import Fraction
from random import Random
from typing import Any

from django.db import transaction

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.services.lifecycle.copies_of_sessions import copy_session
from bridgebuddy.events.services.lifecycle.sessions import open_session
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.events.services.setup import movement
from bridgebuddy.scoring.draws.drawing import CannotDraw, DrawWishes, RoundDraw
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.draws.stage import draw_round as draw_of_document
from bridgebuddy.scoring.rules.reports.results import RankedLine
from bridgebuddy.scoring.rules.reports.results_document import results_document
from bridgebuddy.scoring.services.draws.drawing import publish_draw, take_back_draw
from bridgebuddy.scoring.services.draws.extra_boards import add_extra_boards, take_back_extra_boards
from bridgebuddy.scoring.services.publishing import set_scoring_profile
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import Change, LengthChanges, PairArrives, PairLeaves, PairReturns
from movements.engine.contest import Contest

from .contests_referee import Referee, is_there
from .contests_rulings import Rulings
from .documents import as_json
from .referee import Broken

KINDS = ("swiss of pairs", "swiss of teams", "knock-out", "round robin", "league")
#: of these kinds all matches are known from the start
ALL_KNOWN = ("round robin", "league")
FEWEST_THAT_STAY = 4
METHODS = ("matchpoints", "cross-imps", "butler")
#: what can be had at any vulnerability
SCORES = (-800, -500, -200, -170, -140, -110, -100, 90, 100, 110, 120, 140, 170, 200, 500, 800)
AWARDS = ({"ns": "AVE+", "ew": "AVE-"}, {"ns": "AVE", "ew": "AVE"}, {"ns": "AVE-", "ew": "AVE+"})
#: outcomes that are compared with no others
NOT_COMPARED = {"artificial", "not_played"}
WEIGHTS = ([100], [40, 60], [25, 25, 50], [20, 20, 20, 20, 20])
TUESDAY = {"date": date(2026, 11, 24), "starts_at": time(19)}
CHAIRS = ("North", "East", "South", "West")


@dataclass
class Counts:
    """Counts of the events in all contests."""

    contests: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)

    def table(self) -> str:
        kinds = [f"{kind:<28}{self.contests[kind]:>8}" for kind in KINDS if self.contests[kind]]
        done = [f"{what:<28}{count:>8}" for what, count in sorted(self.done.items())]
        total = f"{sum(self.contests.values())} contests, the referee agrees with all of them"
        return "\n".join([*kinds, "", *done, total])


#: is shown the sections of a contest when they are over: a league has two, one an evening
Witness = Callable[[str, Section], None]


def simulated(
    contests: int,
    seed: int,
    counts: Counts,
    first: int = 0,
    witness: Witness | None = None,
    *,
    has_leavers: bool = False,
) -> Iterator[str]:
    """Play random contests, and yield the name of each when it is over. Raises `Broken`.

    Nothing of them is kept in the database. With `has_leavers` a contestant leaves in each: from one contest of a kind
    to the next a round later, and in turn before and after the draw.
    """
    for index in range(first, first + contests):
        rng = Random(f"{seed}-{index}")
        kind = KINDS[index % len(KINDS)]
        name = f"contest {index} of seed {seed}, {kind}"
        with transaction.atomic():
            turn = index // len(KINDS) if has_leavers else None
            played(rng, name, kind, counts, witness, turn=turn)
            transaction.set_rollback(True)
        yield name


def _is_lawful(drawing: RoundDraw) -> bool:
    try:
        return bool(drawing.movement_after_draw)
    except CannotDraw:
        return False


def _of_two(play: Play) -> tuple[frozenset[int | None], int]:
    """Return the opponents and the board of a play: tables of a triangle are in two rounds."""
    return frozenset((play.ns_id, play.ew_id)), play.board


def played(
    rng: Random,
    name: str,
    kind: str,
    counts: Counts,
    witness: Witness | None = None,
    *,
    turn: int | None = None,
) -> Section:
    """Play one contest to its end; of a league, both its evenings.

    With `turn`, a number from 0, a contestant leaves: the number says in which round, and on which side of the draw.
    """
    contest = Played(rng, name, kind, counts)
    contest.turn = turn
    contest.to_its_end()
    if witness:
        witness(name, contest.section)
    if kind == "league":
        contest = contest.second_evening()
        contest.to_its_end()
        if witness:
            witness(f"{name}, second evening", contest.section)
    counts.contests[kind] += 1
    return contest.section


class Played:
    """One evening of a contest."""

    #: by which a contestant leaves (see `played`); None: only by chance
    turn: int | None = None

    def __init__(
        self, rng: Random, name: str, kind: str, counts: Counts, section: Section | None = None
    ) -> None:
        self.rng, self.name, self.kind, self.counts = rng, name, kind, counts
        self.by = User.objects.create(
            email=f"{name}{section is None}@example.org".replace(" ", "-")
        )
        self.method = rng.choice(METHODS) if kind == "swiss of pairs" else "team-imps"
        self.section = section or self._opened()
        self.late: set[tuple[int, int]] = set()  # rounds and tables whose results are not in
        self.referee = Referee(name, self.section, self.method)
        self.rulings = Rulings(rng, self.section, kind, self.method, self.referee, counts.done)
        self.newcomers = 0

    # ── before the start ──

    def _opened(self) -> Section:
        rng = self.rng
        contest, family, many, planned, options = self._choice()
        people = 2 if contest == Contest.PAIRS else 4
        names = [
            tuple(f"{CHAIRS[i]} {number}" for i in range(people)) for number in range(1, many + 1)
        ]
        section = open_session(
            Club.objects.create(name=self.name),
            name="League" if self.kind == "league" else "Contest",
            **TUESDAY,  # type: ignore[arg-type]
            fewest_boards=12,
            most_boards=48,
            minutes_per_board=7,
            contest=contest,
            pairs=names,
            by=self.by,
        )
        section = movement.choose_movement(
            section,
            family,
            rounds=planned,
            boards_per_round=rng.choice([2, 2, 3, 4]),
            options=options,
            by=self.by,
        )
        if contest == Contest.PAIRS and rng.random() < 0.5:
            stay = rng.sample(list(section.entries.values_list("pk", flat=True)), rng.randint(1, 2))
            section.entries.filter(pk__in=stay).update(must_stay_seated=True)
            movement.reseat_entries(section)
        profile: dict[str, Any] = {} if self.kind == "knock-out" else {"vp": "wbf-continuous"}
        if contest == Contest.PAIRS:
            profile = {"method": self.method}
        set_scoring_profile(section, profile, by=self.by)
        section.refresh_from_db()
        return section

    def _choice(self) -> tuple[Contest, str, int, int | None, dict[str, Any]]:
        rng = self.rng
        options: dict[str, Any]
        match self.kind:
            case "swiss of pairs":
                many = rng.randint(8, 15)
                first = rng.choice(["slide", "fold", "random"])
                options = {"contest": "pairs", "first": first, "behind": rng.random() < 0.3}
                return Contest.PAIRS, "swiss", many, rng.randint(3, min(5, many // 2)), options
            case "swiss of teams":
                many = rng.randint(6, 13)
                odd = rng.choice(["triangle", "long-triangle", "bye"])
                planned = rng.randint(2, many // 2)
                first = rng.choice(["slide", "fold", "random"])
                options = {"first": first, "odd": odd, "behind": rng.random() < 0.3}
                is_long = odd == "long-triangle"
                return (
                    Contest.TEAMS,
                    "swiss",
                    many,
                    planned // 2 * 2 if is_long else planned,
                    options,
                )
            case "knock-out":
                many = rng.choice([*range(4, 17), 18, 20])
                options = {"seeded": rng.random() < 0.5}
                if many <= 16 and rng.random() < 0.4:
                    options["compact"] = True
                return Contest.TEAMS, "knockout", many, None, options
        return Contest.TEAMS, "team-round-robin", rng.choice([4, 6, 7, 8]), None, {}

    # ── round by round ──

    def to_its_end(self) -> None:
        section = self.section
        while section.round < section.rounds:
            rounds.start_next_round(section, after=section.round, by=self.by)
            self.refresh()
            self.referee.begins()
            self._results()
            is_turn = self._leaves_now(is_drawn=False)
            if not is_turn and (self.turn is None or self.kind not in ALL_KNOWN):
                self._perhaps_change()
            self._perhaps_correct()
            self.rulings.perhaps()
            if self._is_over():
                self._end_now()
            if section.round + 1 in section.stored.open_rounds:
                self._draw()
                self._perhaps_correct()
                if not self._leaves_now(is_drawn=True) and self.rng.random() < 0.1:
                    self._perhaps_change()
            self._late_ones(0.5)
        self._late_ones(1)
        self._perhaps_correct()
        if self.kind == "knock-out":
            self._perhaps_more_boards()
        else:
            self.rulings.perhaps(is_end=True)
        rounds.finish_session(section, round=section.round, by=self.by)
        self.refresh()
        self.referee.standings(results_document(self.scored().results))
        self.referee.over()
        self.counts.done.update(self.referee.done)

    def _is_over(self) -> bool:
        """Return whether a knock-out has no opponents left to play."""
        if (
            self.kind != "knock-out"
            or self.section.round + 1 not in self.section.stored.open_rounds
        ):
            return False
        self._late_ones(1)
        return KnockOut(self.scored(), self.section).is_over

    def _end_now(self) -> None:
        """End the session after the round that was played."""
        change = LengthChanges(self.section.round)
        [way, *_] = changes.change_options(self.section, change)
        changes.take_proposal(self.section, way, change, plan=self.section.plan, by=self.by)
        self.refresh()
        self.did("knock-outs over early")

    def refresh(self) -> None:
        self.section.refresh_from_db()

    def scored(self) -> ScoredSession:
        found = ScoredSession(SessionSnapshot(self.section))
        if found.problem:
            raise Broken(f"{self.name}: {found.problem}")
        return found

    def did(self, what: str) -> None:
        self.counts.done[what] += 1

    # ── results ──

    def _results(self) -> None:
        """Enter the results of this round, except at some tables."""
        round = self.section.round
        tables = sorted({play.table for play in self._plays(round)})
        late = [table for table in tables if self.rng.random() < 0.15]
        self.late |= {(round, table) for table in late}
        self._enter([play for play in self._plays(round) if play.table not in late])

    def _plays(self, round: int) -> list[Play]:
        plays = self.section.plays.filter(round=round, taken_back_at=None)
        return list(plays.exclude(ns=None).exclude(ew=None))

    def _enter(self, plays: list[Play]) -> None:
        """Enter random results; incomparable ones come from one table of a board alone."""
        entered = []
        ruled = self._ruled()
        for play in plays:
            outcome = self._outcome(may_be_ruled=_of_two(play) not in ruled)
            if outcome.keys() & NOT_COMPARED:
                ruled.add(_of_two(play))
            entered.append(EnteredResult(play.pk, outcome))
        before = (self.section.plan, self.section.results)
        enter_results(self.section, entered, by=self.by)
        self.refresh()
        if (self.section.plan, self.section.results) != (before[0], before[1] + bool(entered)):
            raise Broken(f"{self.name}: results count as {before} and then {self.section.plan}")
        for result in entered:
            self.referee.entered(result.play, dict(result.outcome or {}))

    def _ruled(self) -> set[tuple[frozenset[int | None], int]]:
        """Boards of two contestants that have a ruling at some table."""
        found = Result.objects.filter(play__section=self.section, stands=True).select_related(
            "play"
        )
        return {
            _of_two(result.play) for result in found if (result.outcome or {}).keys() & NOT_COMPARED
        }

    def _outcome(self, *, may_be_ruled: bool) -> dict[str, Any]:
        chance = self.rng.random()
        if may_be_ruled and chance < 0.02:
            return {"artificial": dict(self.rng.choice(AWARDS))}
        if may_be_ruled and chance < 0.03:
            return {"not_played": "time"}
        if chance > 0.95:
            return {"assigned": self._weighted()}
        return {"score": self.rng.choice(SCORES)}

    def _weighted(self) -> dict[str, Any]:
        """Return a director's assigned score: weighted, sometimes different for each side."""

        def parts() -> list[list[int]]:
            return [[weight, self.rng.choice(SCORES)] for weight in self.rng.choice(WEIGHTS)]

        self.did("weighted scores")
        return {"ns": parts()} | ({"ew": parts()} if self.rng.random() < 0.3 else {})

    def _late_ones(self, chance: float) -> None:
        """Enter missing results of some tables; with certainty of all, including contestants who joined a round."""
        if chance == 1:
            missing = self.section.plays.filter(taken_back_at=None, results=None)
            self.late |= {
                (play.round, play.table) for play in missing.exclude(ns=None).exclude(ew=None)
            }
        for round, table in sorted(self.late):
            if self.rng.random() < chance:
                self.late.discard((round, table))
                self._enter([play for play in self._plays(round) if play.table == table])
                self.did("late tables")

    def _perhaps_correct(self) -> None:
        """Sometimes correct a result of any round; no draw and no plan changes by it."""
        if self.rng.random() < 0.5:
            return
        standing = Result.objects.filter(play__section=self.section, stands=True)
        scores = [
            result
            for result in standing.select_related("play")
            if "score" in (result.outcome or {})
        ]
        if not scores:
            return
        play = self.rng.choice(scores).play
        now = self.rng.choice(SCORES)
        enter_results(self.section, [EnteredResult(play.pk, {"score": now})], by=self.by)
        self.refresh()
        self.referee.entered(play.pk, {"score": now})
        self.did("corrections")

    # ── live changes ──

    def _perhaps_change(self) -> None:
        """Let a contestant come late, leave or come back, at random."""
        section, rng = self.section, self.rng
        if rng.random() > 0.3 or section.is_last_round:
            return
        change = self._change()
        if change is None:
            return
        options = changes.change_options(section, change)
        if not options:
            return
        way = options[0] if isinstance(change, PairArrives) else rng.choice(options)
        newcomer = None
        if isinstance(change, PairArrives):
            self.newcomers += 1
            many = 4 if section.contest.has_halves else 2
            names = tuple(f"{CHAIRS[i]} Late {self.newcomers}" for i in range(many))
            newcomer = changes.ArrivingEntry(names)
        changes.take_proposal(
            section, way, change, plan=section.plan, by=self.by, newcomer=newcomer
        )
        self.refresh()
        self.did(type(change).__name__)

    def _leaves_now(self, *, is_drawn: bool) -> bool:
        """Let a contestant leave if it is the turn of this round and this side of the draw. Return whether it is.

        Where the next round is known already there is no draw, so both sides are the first one.
        """
        section = self.section
        if self.turn is None or section.is_last_round:
            return False
        turn, side = divmod(self.turn, 2) if self.kind not in ALL_KNOWN else (self.turn, 0)
        is_after = bool(side) and (is_drawn or section.round + 1 in section.stored.open_rounds)
        if section.round != turn % max(1, section.rounds - 1) + 1 or is_after != is_drawn:
            return False
        present = [
            entry
            for entry in section.entries.exclude(contestant=None)
            if is_there(entry, section.round + 1) and entry.left_after is None
        ]
        if len(present) <= FEWEST_THAT_STAY:
            return True
        change = PairLeaves(self.rng.choice(present).contestant or 0)
        options = changes.change_options(section, change)
        if not options:
            raise Broken(f"{self.name}: nobody can leave in round {section.round}")
        changes.take_proposal(section, options[0], change, plan=section.plan, by=self.by)
        self.refresh()
        self.did(f"leaves, {self.kind}, round {section.round}{', drawn' if is_drawn else ''}")
        return True

    def _change(self) -> Change | None:
        section, rng = self.section, self.rng
        if self.kind == "league":
            return None
        entries = list(section.entries.exclude(contestant=None))
        if self.kind == "knock-out":
            present = [entry for entry in entries if is_there(entry, section.round + 1)]
            return PairLeaves(rng.choice(present).contestant or 0) if len(present) > 4 else None
        gone = [entry for entry in entries if entry.has_left]
        if self.kind == "round robin":
            if gone:
                return PairReturns(gone[0].contestant or 0)
            # one alone is ever away: between two who were, the referee could not tell for whom a match fell out
            if len(entries) <= 4 or any(entry.left_after is not None for entry in entries):
                return None
            return PairLeaves(rng.choice(entries).contestant or 0)
        in_triangle = {
            team
            for t in section.stored.movement.triangles
            if section.round in t.rounds
            for team in t.teams
        }
        there = [
            entry
            for entry in entries
            if is_there(entry, section.round)
            and entry.left_after is None
            and entry.contestant not in in_triangle
        ]
        match rng.choice(["arrives", "leaves", "returns"]):
            case "returns" if gone:
                return PairReturns(rng.choice(gone).contestant or 0)
            case "leaves" if len(there) > 6:
                return PairLeaves(rng.choice(there).contestant or 0)
            case "arrives":
                return PairArrives(joins_running=rng.random() < 0.5)
        return None

    # ── draws ──

    def _draw(self) -> None:
        if self.kind == "knock-out":
            self._late_ones(1)
            wishes = self._knocked()
            if KnockOut(self.scored(), self.section, wishes).is_over:
                self._end_now()  # the director has named the winner of the last match
                return
        else:
            wishes = self._wishes()
        kind = KnockOut if self.kind == "knock-out" else RoundDraw
        drawing = kind(self.scored(), self.section, wishes)
        self._draws_the_same(drawing, wishes)
        plan = self.section.plan
        draw = publish_draw(self.section, wishes, key=drawing.key, plan=plan, by=self.by)
        self.refresh()
        self.referee.standings(results_document(self.scored().results))
        self.referee.drawn(draw)
        if self.rng.random() < 0.05:
            take_back_draw(self.section, draw.round, plan=self.section.plan, by=self.by)
            self.refresh()
            self.did("draws taken back")
            self._draw()

    def _draws_the_same(self, drawing: RoundDraw | KnockOut, wishes: DrawWishes) -> None:
        """Compare the pages' draw with the command line's draw from the session's document."""
        scored = drawing.scored
        asked: dict[str, Any] = {"exchange": [list(two) for two in wishes.exchanges]}
        if isinstance(drawing, KnockOut):
            if any(tie.chosen_numbers != tie.numbers_by_score for tie in drawing.ties):
                return  # whom a director names now stands in no document
        else:
            scored = drawing.with_assigned_points
            late = {"wait": "wait", "last": "last-complete", "given": "provisional"}[wishes.late]
            asked |= {"ignore_before": wishes.since, "late": late}
        document = as_json(scored.document)
        document["stage"] |= asked
        found = draw_of_document(*read_document(json.dumps(document)))
        drawn, people = drawing.exchanged_draw, drawing.people
        mine = [[people[number].slug for number in two] for two in drawn.matches]
        triangles = [{people[number].slug for number in three} for three in drawn.triangles]
        same = (
            sorted([match.home, match.away] for match in found.matches) == sorted(mine)
            and [set(triangle) for triangle in found.triangles] == triangles
            and found.bye == (people[drawn.bye].slug if drawn.bye is not None else None)
        )
        if not same:
            raise Broken(f"{self.name}: pages draw {mine}, {triangles}, the command {found}")
        self.did("draws by the command")

    def _wishes(self) -> DrawWishes:
        """Return the director's wishes for the draw: without some results, or with two contestants exchanged."""
        rng = self.rng
        drawing = RoundDraw(self.scored(), self.section)
        wishes: dict[str, Any] = {}
        if drawing.is_waiting:
            wishes["late"] = rng.choice(["wait", "last", "given"])
            self.did(f"missing results: {wishes['late']}")
            if wishes["late"] == "wait":
                self._late_ones(1)
                drawing = RoundDraw(self.scored(), self.section)
                # still for a match of which no board could be played at both tables
                if drawing.is_waiting:
                    wishes["late"] = "given"
            if wishes["late"] == "given":
                points = {row.key: Fraction(rng.randint(0, 20)) for row in drawing.missing}
                wishes["given"] = {key: (item, 20 - item) for key, item in points.items()}
        since = 1
        while True:
            drawing = RoundDraw(self.scored(), self.section, DrawWishes(**wishes, since=since))
            try:
                drawn = drawing.exchanged_draw
            except CannotDraw as refused:
                if refused.is_missing:
                    raise Broken(f"{self.name}: a result is missing") from refused
                self.referee.cannot(since)
                self.did("rematches allowed")
                since += 1
                continue
            break
        if rng.random() < 0.1:
            labels = [drawing.people[n].slug for n in rng.sample(sorted(drawn.contestants), 2)]
            exchanges = ((labels[0], labels[1]),)
            told = DrawWishes(**wishes, since=since, exchanges=exchanges)
            if _is_lawful(RoundDraw(self.scored(), self.section, told)):
                wishes["exchanges"] = exchanges
                self.did("exchanges")
            else:
                self.did("exchanges refused")
        return DrawWishes(**wishes, since=since)

    def _knocked(self) -> DrawWishes:
        """Return the teams that go on: the leaders, and the director's choice in level matches."""
        rng = self.rng
        self._perhaps_more_boards()
        drawing = KnockOut(self.scored(), self.section)
        through: list[str] = []
        for tie in drawing.ties:
            going = [team for team in tie.teams if team.number in tie.chosen_numbers]
            if not tie.is_decided:
                going = rng.sample(tie.teams, tie.qualifier_count)
                self.did("level matches")
            through += [team.slug for team in going]
        wishes = DrawWishes(through=tuple(through))
        drawing = KnockOut(self.scored(), self.section, wishes)
        carry = [
            (match.teams[0].slug, match.teams[1].slug, rng.choice([3.5, 5.0, -2.0]))
            for match in (() if drawing.is_over else drawing.meetings)
            if len(match.teams) == 2 and rng.random() < 0.1
        ]
        self.counts.done["carried over"] += len(carry)
        return DrawWishes(through=tuple(through), carry=tuple(carry))

    def _perhaps_more_boards(self) -> None:
        """Let level teams of a knock-out play more boards at random; undo this now and then."""
        for two in sorted(map(sorted, self._level())):
            while self.rng.random() < 0.7 and set(two) in self._level():
                many = self.rng.randint(1, 3)
                add_extra_boards(
                    self.section, *two, boards=many, plan=self.section.plan, by=self.by
                )
                self.refresh()
                self.did("extra boards")
                if self.rng.random() < 0.2:
                    take_back_extra_boards(
                        self.section, self.section.round, *two, plan=self.section.plan, by=self.by
                    )
                    self.refresh()
                    break
                new = [
                    play for play in self._plays(self.section.round) if play.results.count() == 0
                ]
                if len(new) != 2 * many:
                    raise Broken(f"{self.name}: {len(new)} plays for {many} extra boards")
                self._enter(new)
                self.referee.goes_on()

    def _level(self) -> set[frozenset[int]]:
        return KnockOut(self.scored(), self.section).pairs_for_extra_boards

    # ── a league ──

    def second_evening(self) -> Played:
        """The same teams once more, and both evenings count together."""
        first = {row.contestant: row.total or 0 for row in self._ranking()}
        again = copy_session(
            self.section,
            name="League",
            date=date(2026, 12, 1),
            starts_at=time(19),
            is_second=True,
            by=self.by,
        )
        set_scoring_profile(again, {"vp": "wbf-continuous", "sessions": "sum"}, by=self.by)
        again.refresh_from_db()
        second = League(self.rng, self.name, self.kind, self.counts, again)
        second.before = first
        return second

    def _ranking(self) -> list[RankedLine]:
        [ranking] = self.scored().main_lists
        return [standing.row for standing in ranking.standings]


class League(Played):
    """The second evening of a league."""

    before: dict[str, float]

    def to_its_end(self) -> None:
        super().to_its_end()
        contest = self.referee.contest()
        labels = dict(self.section.entries.exclude(contestant=None).values_list("contestant", "pk"))
        totals = contest.totals(self.section.rounds)
        for row in self._ranking():
            mine = self.before[row.contestant] + float(totals[labels[int(row.contestant)]])
            if abs((row.overall or 0) - mine) > 0.006:
                raise Broken(f"{self.name}: {row.contestant} has {row.overall} in all, not {mine}")
