"""Evenings in which a director does anything at any time: after each step all is as it should be."""

from __future__ import annotations

import os
from random import Random

import pytest
from django.test import Client

from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import changes, people, rounds
from bridgebuddy.events.services.play.changes import ArrivingEntry
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.printing.sheets import OF_RESULTS, SHEETS
from movements.engine import laws
from movements.engine.changes import (
    ArrowsTurn,
    Change,
    FewerBoards,
    LengthChanges,
    PairArrives,
    PairLeaves,
    PairReturns,
    SkipIsMoved,
)
from tests.factories import section_with

pytestmark = pytest.mark.django_db
SEEDS, STEPS, PAGES_A_STEP = 2, 22, int(os.environ.get("PAGES_A_STEP") or 2)


class Director:
    """A director who takes one random action after another."""

    def __init__(self, section: Section, by, seed: int) -> None:
        self.section, self.by, self.rng = section, by, Random(seed)
        self.came = 0

    def act(self) -> str:
        """Take an action and return its name; a refused action changes nothing."""
        what = self.rng.choice([self.take] * 5 + [self.next_round] * 3 + self.others)
        try:
            return f"{what.__name__} {what() or ''}"
        except ChangeRefused as refused:
            return f"{what.__name__} refused: {refused!r}"
        finally:
            self.section = Section.objects.select_related("movement").get(pk=self.section.pk)

    @property
    def others(self) -> list:
        return [self.undo, self.undo, self.redo, self.back, self.back_to_the_start, self.pause,
                self.rename, self.reseat, self.swap, self.withdraw, self.finish]  # fmt: skip

    def wish(self) -> Change:
        everybody = SessionEvening(self.section).contestants.values()
        there = [contestant for contestant in everybody if self.is_there(contestant)]
        now, last = self.section.round, self.section.movement.rounds
        before_the_start = [
            SkipIsMoved(),
            LengthChanges(self.rng.randint(max(now, 1), last + 2)),
            ArrowsTurn((self.rng.randint(min(now + 1, last), last),)),
        ]
        if not now:
            return self.rng.choice(before_the_start)
        boards = self.section.boards_per_round
        return self.rng.choice(
            [
                *before_the_start,
                *[PairArrives(joins_running=True)] * 4,
                *[PairLeaves(self.rng.choice(there).number)] * 3,
                *[
                    PairReturns(contestant.number)
                    for contestant in everybody
                    if contestant.has_left
                ],
                FewerBoards(max(1, boards - 1), boards),
            ]
        )

    def is_there(self, one) -> bool:
        at = min(self.section.round + 1, self.section.movement.rounds)
        return one.is_present_in(at)

    def take(self) -> str:
        change = self.wish()
        options = changes.change_options(self.section, change)
        if not options:
            return f"{change}: no way"
        way = self.rng.choice(options[:4])
        plan = self.section.plan
        newcomer = self.newcomer() if way.proposal.newcomer else None
        changes.take_proposal(self.section, way, change, plan=plan, by=self.by, newcomer=newcomer)
        return f"{change} as {way.proposal.kind}"

    def newcomer(self) -> ArrivingEntry:
        waiting = self.section.entries.filter(contestant=None).first()
        if waiting:
            return ArrivingEntry(entry=waiting.pk)
        self.came += 1
        return ArrivingEntry(names=(f"Eve Late{self.came}", f"Max O’Late{self.came}"))

    def next_round(self) -> None:
        rounds.start_next_round(self.section, after=self.section.round, by=self.by)

    def back(self) -> None:
        rounds.take_back_round(self.section, round=self.section.round, by=self.by)

    def back_to_the_start(self) -> None:
        if self.section.round <= 2:
            while self.section.round:
                self.section = rounds.take_back_round(
                    self.section, round=self.section.round, by=self.by
                )

    def undo(self) -> None:
        changes.undo_change(self.section, plan=self.section.plan, by=self.by)

    def redo(self) -> None:
        changes.redo_change(self.section, plan=self.section.plan, by=self.by)

    def pause(self) -> None:
        rounds.pause_clock(self.section, by=self.by)

    def finish(self) -> None:
        rounds.finish_session(self.section, round=self.section.round, by=self.by)

    def rename(self) -> None:
        entry = self.rng.choice(list(self.section.entries.all()))
        names = [f"{player.name.split()[0]} <b>O'{entry.pk}</b>" for player in entry.players]
        people.correct_names(entry, names, must_stay_seated=self.rng.random() < 0.2, by=self.by)

    def reseat(self) -> None:
        movement.seat_by_method(self.section, self.rng.choice(["order", "random"]), by=self.by)

    def swap(self) -> None:
        movement.swap_seats(self.section, 1, 3, by=self.by)

    def withdraw(self) -> None:
        entries.withdraw_pair(self.rng.choice(list(self.section.entries.all())), by=self.by)


def history(section: Section, last: int) -> list[tuple]:
    """Return opponents and boards in the rounds up to the last, by the entries' keys."""
    evening = SessionEvening(section)
    return [
        (game.round, game.table, keys(game.ns), keys(game.ew), game.boards)
        for round in range(1, last + 1)
        for game in evening.games[round]
        if game.ns and game.ew
    ]


def keys(side) -> tuple[int, ...]:
    return tuple(sitting.contestant.entry for sitting in side)


def check(section: Section) -> None:
    """Assert that the stored rows are lawful and consistent, and that every seated entry is in them."""
    stored = section.movement
    engine = stored.movement
    assert laws.find_errors(engine) == ()
    assert [
        (row.round, row.table, row.part, row.ns, row.ew, row.sets) for row in stored.rows.all()
    ] == [
        (part.seating.round, part.seating.table, part.index, part.seating.ns, part.seating.ew,
         " ".join(part.seating.sets))
        for round in range(1, engine.rounds + 1) for part in engine.parts(round)
    ]  # fmt: skip
    seated = sorted(section.entries.exclude(contestant=None).values_list("contestant", flat=True))
    assert seated == list(engine.contestants)
    evening = SessionEvening(section)
    for round in range(1, section.rounds + 1):
        assert [entry.number for entry in evening.sit_outs(round)] == [
            number for number, share in engine.sit_outs(round) if share == 1
        ]
        assert set(evening.absent_contestants(round)) == set(engine.absent(round))


def assert_kept(before: list[tuple], after: list[tuple], round: int) -> None:
    """Assert that past plays stay; at a table without a game in this round a late pair may sit down.

    It stands up again when the change is undone.
    """
    different = set(before) ^ set(after)
    assert [game[0] for game in different] in ([], [round])
    assert [game for game in after if game not in different] == [
        game for game in before if game not in different
    ]


def pages_of(section: Section) -> list[str]:
    desk, phones = f"/s/{section.code}/", f"/p/{section.code}/"
    versions = section.movements.values_list("version", flat=True)
    return [
        *(f"{desk}{page}/" for page in ("desk", "entries", "rounds", "print")),
        f"{desk}desk/?open=history",
        *(f"{desk}rounds/?version={version}" for version in versions),
        *(
            f"{desk}print/{name}.html"
            for name in SHEETS
            if name
            not in ("rover-cards", "stand-cards", "draw", "draw-slips", "deal-slips", *OF_RESULTS)
        ),
        *(f"{desk}change/{wish}/" for wish in ("late", "leaves", "skip", "arrows", "length")),
        *(f"{phones}{page}" for page in ("", "room/")),
        *(
            f"{phones}{contestant.slug}/"
            for contestant in SessionEvening(section).contestants.values()
        ),
    ]


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize(
    ("family", "pairs"),
    [("mitchell", 13), ("skip-mitchell", 12), ("howell", 9), ("scrambled-mitchell", 14)],
)
def test_whatever_a_director_does_the_evening_stays_whole(club, alice, family, pairs, seed):
    director = Director(section_with(pairs, family, club=club, by=alice), alice, seed)
    browser = Client()
    browser.force_login(alice)
    done = []
    for _ in range(STEPS):
        before, round = director.section, director.section.round
        fixed = history(before, round)
        done.append(director.act())
        section = director.section
        if section.movement is None:
            break  # so many pairs need another movement
        check(section)
        if "reseat" not in done[-1] and "swap" not in done[-1]:
            kept = min(round, section.round)
            assert_kept([game for game in fixed if game[0] <= kept], history(section, kept), round)
        pages = pages_of(section)
        for page in director.rng.sample(pages, PAGES_A_STEP):
            assert browser.get(page, follow=True).status_code == 200, (page, "; ".join(done))
