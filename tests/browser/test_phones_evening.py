"""An evening that phones alone enter: one without a network, one that dies, a quarrel, a late pair, a correction."""

import random
import re

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from bridgebuddy.events.services import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.tables.services import claims
from bridgebuddy.tables.services.claims import Saying
from tests.factories import director_of, section_with
from tests.tables.tapping import with_phones
from tests.tables.test_evening import seat_a_late_pair

from .test_tables import enter, joined, keeps_for_offline, scan, turn_network

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def outcome(dice):
    level = dice.randint(1, 7)
    tricks = min(13, 6 + level + dice.randint(-2, 1))
    return {
        "contract": f"{level}{dice.choice('CDHS')}",
        "declarer": dice.choice("NESW"),
        "tricks": tricks,
    }


class Evening:
    """A section, and what was really played at its tables."""

    def __init__(self):
        self.section = with_phones(
            section_with(5, "mitchell", round=1, boards_per_round=2), feedback="none"
        )
        self.director = director_of(self.section.club, email="anna@example.org")
        self.dice, self.truth = random.Random(15), {}

    def plays(self, round, table):
        """The boards of a table in a round; what came of them is the truth from then on."""
        found = list(self.section.plays.filter(round=round, table=table, taken_back_at=None))
        for play in found:
            self.truth[play.pk] = outcome(self.dice)
        return found

    def on_phone(self, phone, play):
        """Tap a board in, as it was played."""
        phone.get_by_role("link", name=f"Enter board {play.board}").click()
        self.tap(phone, self.truth[play.pk])

    def tap(self, phone, said):
        enter(
            phone, said["contract"][0], SUITS[said["contract"][1]], said["declarer"], said["tricks"]
        )

    def by_others(self, plays):
        """What tables without a browser say, both sides."""
        for play in plays:
            for side in ("ns", "ew"):
                claims.say(self.section, Saying(play.pk, side, self.truth[play.pk], 0))

    def next_round(self):
        self.section = rounds.start_next_round(
            self.section, after=self.section.round, by=self.director
        )


def yes(phone, board=0):
    """Say yes on the phone that has entered, or on one's own."""
    phone.get_by_role("button", name="Yes, that is right").click()
    expect(phone.get_by_text(f"Board {board} is stored" if board else "is stored")).to_be_visible()
    phone.get_by_role("link", name="Close").click()
    expect(phone.locator("#live")).to_be_visible()


def test_phones_alone_enter_an_evening_whatever_happens_to_them(page):
    evening = Evening()
    section = evening.section

    # round 1: at table 1 a phone dies while a board is entered; at table 2 one is without a network from now on
    dying, theirs = (joined(page, section, 1, who) for who in ("NS", "EW"))
    offline = joined(page, section, 2)
    first, second = evening.plays(1, 1)
    evening.on_phone(dying, first)
    theirs.reload()
    yes(theirs)
    dying.goto(f"/p/{section.code}/table/1/board/{second.pk}/")
    dying.get_by_role("button", name="4", exact=True).click()
    dying.context.close()
    theirs.reload()
    evening.on_phone(theirs, second)
    yes(theirs, second.board)

    unsent = evening.plays(1, 2)
    keeps_for_offline(offline, section, unsent)
    turn_network(offline, is_on=False)
    for play in unsent:
        evening.on_phone(offline, play)
        expect(offline.locator("[data-unsent]")).to_be_visible()
    assert Result.objects.count() == 2

    # round 2: table 2 has the phone of those who come; at table 3 the two sides enter different things
    evening.next_round()
    scan(theirs, section, 2)
    for play in evening.plays(2, 2):
        evening.on_phone(theirs, play)
        yes(theirs, play.board)
    ours, others = (joined(page, section, 3, who) for who in ("NS", "EW"))
    quarrel, agreed = evening.plays(2, 3)
    for phone in (
        ours,
        others,
    ):  # those who come from table 2 are asked for what that one has not sent, too
        phone.locator(f"[href$='/board/{quarrel.pk}/']:visible").click()
    evening.tap(ours, evening.truth[quarrel.pk])
    expect(ours.get_by_role("button", name="Yes, that is right")).to_be_visible()
    evening.tap(others, {"contract": "1C", "declarer": "N", "tricks": 12})
    expect(others.get_by_text("The two sides say different things")).to_be_visible()
    assert Result.objects.get(play=quarrel, stands=True).outcome is None
    others.get_by_role("button", name=re.compile("^NS")).click()
    expect(others.get_by_text(f"Board {quarrel.board} is stored")).to_be_visible()
    evening.by_others([agreed])

    # round 3: a late pair sits down at table 2, whose phone is back; a board of before is corrected
    evening.section = seat_a_late_pair(evening.section, evening.director)
    evening.next_round()
    turn_network(offline, is_on=True)
    expect(offline.locator("#letters")).to_be_hidden()
    offline.reload()
    with_the_late_pair = evening.plays(3, 2)
    assert with_the_late_pair[0].east.surname == "Late"
    for play in with_the_late_pair:
        evening.on_phone(offline, play)
        yes(offline, play.board)
    for table in (1, 3):
        evening.by_others(evening.plays(3, table))
    evening.truth[quarrel.pk] = {"contract": "3H", "declarer": "W", "tricks": 8}
    ours.goto(f"/p/{section.code}/table/3/board/{quarrel.pk}/?new=1")
    evening.tap(ours, evening.truth[quarrel.pk])
    expect(ours.get_by_text("The director has it")).to_be_visible()
    desk = Client()
    desk.force_login(evening.director)
    found = desk.get(reverse("look-at", args=[section.code])).context["doubts"]
    key = next(one.doubt.key for one in found if one.doubt.kind == "asked")
    desk.post(reverse("results-doubt", args=[section.code]), {"doubt": key, "do": "repair"})

    entered = {one.play_id: one.outcome for one in Result.objects.filter(stands=True)}
    assert (
        len(evening.truth) == 14
    )  # 2 boards at 3 tables in 3 rounds; for 2 rounds one table waits
    assert entered == evening.truth
    scored = Scored(Tonight(evening.section))
    assert (scored.missing, scored.impossible) == (0, {})
