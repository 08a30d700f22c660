"""A Howell of four tables by four phones: two are cut off for two rounds, one is restarted, one has last week's
result.
"""

import random

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.services import claims
from bridgebuddy.table_phones.services.claims import NewClaim
from tests.factories import director_of, section_with
from tests.table_phones.tapping import with_phones

from .conftest import CHROMIUM, HURRY, PATIENCE, PHONE, SWITCHES, until
from .test_letters import WAITS, expect_all_sent
from .test_tables import joined, scan
from .wire import wire_to

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
STAYS = "Leave the phone at this table"


def outcome(dice):
    if dice.random() < 0.5:
        return {"passed": True}
    level = dice.randint(1, 7)
    return {
        "contract": f"{level}{dice.choice('CDHS')}{dice.choice(['', 'x'])}",
        "declarer": dice.choice("NESW"),
        "tricks": min(13, 6 + level + dice.randint(-2, 1)),
    }


class PhonesEvening:
    """A section and the outcomes really played at its tables."""

    def __init__(self):
        self.dice, self.truth, self.taps = random.Random(15), {}, set()
        made = section_with(8, "howell", round=1, boards_per_round=1)
        self.section = with_phones(made, feedback="none")
        self.director = director_of(self.section.club, email="anna@example.org")

    def enter(self, phone, table, *, is_cut=False, is_coming=False):
        """Tap in a table's result, up to the other side's yes; while cut off there is no other side to ask."""
        number = self.section.round
        play = self.section.plays.get(round=number, table=table, taken_back_at=None)
        said = self.truth[play.pk] = outcome(self.dice)
        if is_coming:
            first = phone.locator("#coming [data-coming]:visible")
        else:
            # those who played what a phone elsewhere has not sent yet are asked for that first
            first = phone.locator(f"#live a[href$='/board/{play.pk}/']:visible")
        keys = [first]
        if "passed" in said:
            keys.append(phone.get_by_role("button", name="All passed"))
        else:
            plain = said["contract"].rstrip("x")
            keys.append(phone.get_by_role("button", name=plain[0], exact=True))
            keys.append(phone.get_by_role("button", name=SUITS[plain[1]]))
            if plain != said["contract"]:
                keys.append(phone.get_by_role("button", name="X", exact=True))
            keys.append(phone.locator(f"#pad [name=by][value={said['declarer']}]"))
            keys.append(phone.locator(f"#tricks [name=tricks][value='{said['tricks']}']"))
        if not is_cut:
            keys.append(phone.get_by_role("button", name="Yes, that is right"))
            self.taps.add((said.get("contract", "")[2:], len(keys)))
        for key in keys:
            key.click()
        if is_cut:
            until(phone, WAITS)
            return
        expect(phone.get_by_text(f"Board {play.board} is saved")).to_be_visible()
        phone.get_by_role("link", name="Close").click()
        expect(phone.locator("#live")).to_be_visible()

    def is_said(self, *tables):
        """Let tables report their results on another phone."""
        for table in tables:
            play = self.section.plays.get(round=self.section.round, table=table, taken_back_at=None)
            said = self.truth[play.pk] = outcome(self.dice)
            claims.submit_claim(self.section, NewClaim(play.pk, "ns", said, 0))

    def next_round(self, *phones):
        """Start it; those phones that are not cut off show it."""
        self.section = rounds.start_next_round(
            self.section, after=self.section.round, by=self.director
        )
        for phone in phones:
            phone.evaluate("htmx.trigger('#live', 'look')")
            expect(phone.get_by_text(f"Round {self.section.round} of 7")).to_be_visible()


def keeps_boards(phone, round):
    """Wait until a phone has the keys of a round's board and of the next one's, not those of the round before."""
    phone.wait_for_function(
        "(next) => [...tables.keys()].filter((path) => path.includes('/board/')).length >= 2"
        " && [...tables.keys()].some((path) => path.includes(`/round/${next}/`))",
        arg=round + 1,
    )


def is_back(phone, wire):
    wire.mend()
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect_all_sent(phone)
    phone.evaluate("htmx.trigger('#live', 'look')")


@pytest.fixture
def pocket(chromium, tmp_path, live_server):
    """Return a phone that is switched off and on again and keeps its storage."""
    opened = []

    def switch_on():
        width, height = PHONE
        opened.append(
            chromium.browser_type.launch_persistent_context(
                tmp_path / "phone",
                executable_path=CHROMIUM,
                args=SWITCHES,
                locale="en-GB",
                base_url=live_server.url,
                viewport={"width": width, "height": height},
            )
        )
        opened[-1].set_default_timeout(PATIENCE)
        opened[-1].add_init_script(HURRY)
        return opened[-1].pages[0]

    yield switch_on
    for item in opened:
        item.close()


def with_last_weeks_result(page, wire, club):
    """A phone that could not send a result last week, before the session's code ended."""
    before = with_phones(section_with(8, "howell", round=1, club=club, boards_per_round=1))
    phone = joined(page, before, 4, STAYS, base_url=wire.trusted)
    phone.get_by_role("link", name="Enter board").click()
    expect(phone.locator("#pad")).to_be_visible()
    wire.cut()
    phone.get_by_role("button", name="All passed").click()
    until(phone, WAITS)
    wire.mend()
    Section.objects.filter(pk=before.pk).update(code_ends_at=timezone.now())
    phone.context.clear_cookies()
    return phone


def test_every_line_of_a_howell_is_right_whatever_happens_to_its_four_phones(
    page, pocket, wire, live_server
):
    evening = PhonesEvening()
    section = evening.section
    with wire_to(live_server.url) as box, wire_to(live_server.url) as last_week:
        fourth = with_last_weeks_result(page, last_week, section.club)
        first = joined(page, section, 1, STAYS, base_url=box.plain)
        second = joined(page, section, 2, STAYS, base_url=wire.trusted)
        third = pocket()
        scan(third, section, 3)
        third.get_by_role("button", name=STAYS).click()
        scan(fourth, section, 4, last_week.trusted)
        fourth.get_by_role("button", name=STAYS).click()
        phones = {1: first, 2: second, 3: third, 4: fourth}

        def play(*tables):
            for table in tables:
                evening.enter(phones[table], table)

        play(1, 2, 3, 4)
        evening.next_round(*phones.values())

        # rounds 2 and 3: the first is cut off, on http; the third is switched off in the middle of a board
        keeps_boards(first, evening.section.round)
        box.cut()
        evening.enter(first, 1, is_cut=True)
        play(2, 4)
        third.get_by_role("link", name="Enter board").click()
        third.get_by_role("button", name="4", exact=True).click()
        third.context.close()
        phones[3] = third = pocket()
        scan(third, section, 3)
        play(3)
        evening.next_round(second, third, fourth)
        evening.enter(first, 1, is_cut=True, is_coming=True)
        play(2, 3, 4)
        evening.next_round(second, third, fourth)
        is_back(first, box)

        # rounds 4 and 5: the second is cut off, and its page loaded anew
        keeps_boards(second, evening.section.round)
        wire.cut()
        second.reload()
        evening.enter(second, 2, is_cut=True)
        play(1, 3, 4)
        evening.next_round(first, third, fourth)
        second.reload()
        evening.enter(second, 2, is_cut=True, is_coming=True)
        play(1)
        evening.is_said(3, 4)
        evening.next_round(first, third, fourth)
        is_back(second, wire)

        play(1, 2)
        evening.is_said(3, 4)
        evening.next_round(*phones.values())
        play(3, 4)
        evening.is_said(1, 2)

        fourth.locator("[data-stuck]").click()
        expect(fourth.locator("#letters [data-why]")).to_have_text(
            "The session is over: tell the director."
        )

    stands = Result.objects.filter(play__section=section, stands=True)
    assert len(evening.truth) == 28
    assert {stand.play_id: stand.outcome for stand in stands} == evening.truth
    scored = ScoredSession(SessionSnapshot(evening.section))
    assert (scored.missing_count, scored.impossible) == (0, {})
    assert evening.taps == {("", 3), ("", 6), ("x", 7)}
