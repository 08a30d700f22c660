"""A whole evening of five tables, entered by phones alone, compared with the real outcomes."""

import random

import pytest
from django.urls import reverse

from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.events.services.play.changes import change_options
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import PairArrives
from tests.factories import section_with

from .tapping import Phone, with_phones

pytestmark = pytest.mark.django_db
LATE_ROUND, DIFFERENT_ROUND, CORRECTED = 3, 2, (1, 2)


def outcome(dice: random.Random) -> dict:
    """Return a random outcome of a board, as usual in a club."""
    if dice.random() < 0.05:
        return {"passed": True}
    level, strain = dice.randint(1, 7), dice.choice(["C", "D", "H", "S", "NT"])
    doubled = dice.choice(["", "", "", "x", "xx"])
    tricks = max(0, min(13, 6 + level + dice.randint(-5, 3)))
    return {
        "contract": f"{level}{strain}{doubled}",
        "declarer": dice.choice("NESW"),
        "tricks": tricks,
    }


def other_than(one: dict, dice: random.Random) -> dict:
    while (other := outcome(dice)) == one:
        pass
    return other


def test_phones_alone_enter_an_evening_with_a_late_pair_a_quarrel_and_a_correction(
    club, alice, signed_in
):
    dice, truth, desk = random.Random(15), {}, signed_in(alice)
    section = section_with(9, "mitchell", club=club, by=alice, boards_per_round=2)
    with_phones(
        section, feedback="none"
    )  # which says nothing of what is stored, and takes its time
    section.refresh_from_db()
    stays = {}
    while section.round < section.movement.rounds:
        section = rounds.start_next_round(section, after=section.round, by=alice)
        played = section.plays.filter(round=section.round, taken_back_at=None).exclude(ns=None)
        tables = {}
        for play in played.exclude(ew=None):
            tables.setdefault(play.table, []).append(play)
        for table, plays in tables.items():
            if table not in stays:  # a phone that lies at the table, all evening
                stays[table] = Phone(section, table, "Leave the phone at this table")
            phone = stays[table]
            for play in plays:
                truth[play.pk] = outcome(dice)
                is_different = (section.round, table, play) == (DIFFERENT_ROUND, 4, plays[1])
                enter = quarrel if is_different else agree
                enter(section, phone, play, truth[play.pk], dice)
        if section.round == LATE_ROUND - 1:
            section = seat_a_late_pair(section, alice)

    # one correction, of a board of the round before: the director has it ready
    play = section.plays.filter(round=1, table=CORRECTED[1], taken_back_at=None).first()
    truth[play.pk] = {"contract": "3NT", "declarer": "W", "tricks": 8}
    phone = stays[play.table].open(reverse("table-board", args=[section.code, play.table, play.pk]))
    phone.tap("All of it").say(truth[play.pk])
    assert "The director has it" in phone.text
    found = desk.get(reverse("look-at", args=[section.code])).context["doubts"]
    key = next(doubt.key for doubt in found if doubt.kind == "asked")
    desk.post(reverse("results-doubt", args=[section.code]), {"doubt": key, "do": "repair"})

    entered = {result.play_id: result.outcome for result in Result.objects.filter(stands=True)}
    assert len(truth) == 46  # 2 boards at 5 tables in 5 rounds; for 2 rounds one table waits
    assert entered == truth
    scored = ScoredSession(SessionSnapshot(section))
    assert (scored.missing_count, scored.impossible) == (0, {})


def agree(section, phone, play, said, dice):
    """One enters, the other side says yes on the same phone."""
    phone.enter_quickly(play, said).tap("Yes, that is right")


def quarrel(section, phone, play, said, dice):
    """The other side has a phone too and enters something else; then it gives way."""
    theirs = Phone(section, play.table, "EW").tap(f"Enter board {play.board}")
    phone.enter_quickly(play, said)
    theirs.say(other_than(said, dice))
    assert Result.objects.get(play=play, stands=True).outcome is None
    theirs.tap("NS")


def seat_a_late_pair(section, by):
    """Seat a tenth pair, which plays from the next round on."""
    late = PairArrives()
    newcomer = changes.ArrivingEntry(names=("Eve Late", "Max Late"))
    return changes.take_proposal(
        section, change_options(section, late)[0], late, plan=section.plan, by=by, newcomer=newcomer
    )
