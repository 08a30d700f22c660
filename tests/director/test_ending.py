"""The end of a session: the round being played becomes the last one, or all is over at once."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db
SHEET = {"HX-Request": "true", "HX-Target": "sheet-body"}


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def now(section):
    return Section.objects.get(pk=section.pk)


@pytest.fixture
def asked(signed_in, alice):
    browser = signed_in(alice)

    def ask(section, name="finish", *rest, sent=None, **headers):
        address = reverse(name, args=[section.code, *rest])
        if sent is None:
            return browser.get(address, headers=headers)
        return browser.post(address, sent, headers=headers)

    return ask


def last_one(section, page):
    """Return the data that the button "last round" sends."""
    fields = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode())
    sent = dict(fields)
    return {name: sent[name] for name in ("plan", "rounds", "way")}


def test_both_ways_to_end_say_what_happens(asked, skip_section):
    page = text(asked(skip_section))

    assert "Round 4 is the last one" in page
    assert "Rounds 5 to 7 are not played." in page
    assert "A later round is the last one" in page
    assert "End now, in the middle of round 4" in page
    assert "I have told the room" in page
    assert "Undo brings back round 4, and the clock as it stood." in page


def test_the_round_being_played_becomes_the_last_and_goes_on(asked, skip_section):
    clock = skip_section.clock_ends_at

    asked(skip_section, "change", "length", sent=last_one(skip_section, asked(skip_section)))

    section = now(skip_section)
    assert (section.rounds, section.is_running, section.is_last_round) == (4, True, True)
    assert section.clock_ends_at == clock
    desk = text(asked(section, "desk"))
    assert "Round 4 of 4" in desk
    assert "This is the last round." in desk
    assert "Finish the session" in desk
    assert "This is the last round" in text(asked(section, "room-display"))
    phone = asked(section, "player", "EW1").content.decode()
    assert "This is the last round." in phone
    assert len(re.findall(r"<tr\s+class", phone)) == 4


def test_undo_brings_the_rounds_back_and_leaves_the_clock(asked, skip_section):
    asked(skip_section, "change", "length", sent=last_one(skip_section, asked(skip_section)))
    section = now(skip_section)

    asked(section, "undo", sent={"plan": section.plan})

    assert (now(section).rounds, now(section).clock_ends_at) == (7, skip_section.clock_ends_at)


def test_nothing_ends_before_the_room_has_been_told(asked, skip_section):
    refused = asked(skip_section, sent={"after": 4})

    assert refused.status_code == 422
    assert "Announce it in the room first, then tick the box." in text(refused)
    assert now(skip_section).is_running


def test_the_session_ends_at_once_when_the_room_has_been_told(asked, skip_section):
    answer = asked(skip_section, sent={"after": 4, "told": "on"})

    assert answer.url == reverse("desk", args=[skip_section.code])
    assert now(skip_section).is_finished


def test_the_end_of_a_scored_session_leads_to_its_ranking(client):
    section = scored_section(8, "howell", rounds=7)
    client.force_login(director_of(section.club))

    answer = client.post(reverse("finish", args=[section.code]), {"after": 7})

    assert answer.url == reverse("ranking", args=[section.code])
    desk = client.get(reverse("desk", args=[section.code])).content.decode()
    assert f'class="btn primary big" href="{answer.url}"' in desk


def test_from_the_sheet_the_end_leads_to_the_whole_desk(asked, skip_section):
    answer = asked(skip_section, sent={"after": 4, "told": "on"}, **SHEET)

    assert answer.headers["HX-Redirect"] == reverse("desk", args=[skip_section.code])


def test_nothing_later_stands_anywhere_when_the_session_has_ended_early(asked, skip_section):
    asked(skip_section, sent={"after": 4, "told": "on"})

    desk = asked(skip_section, "desk").content.decode()
    assert desk.count('<i class="done"></i>') == 4
    assert '<i class=""></i>' not in desk
    phone = asked(skip_section, "player", "EW1").content.decode()
    assert len(re.findall(r"<tr\s+class", phone)) == 4
    whole = asked(skip_section, "all-rounds").content.decode()
    assert re.findall(r'<th scope="row">(\d)', whole) == ["1", "2", "3", "4"]
    cards = text(asked(skip_section, "print-preview", "guide-cards"))
    assert "Skip Mitchell, 8 tables, 4 rounds" in cards


def test_who_is_slower_ends_nothing(asked, skip_section, alice):
    rounds.start_next_round(skip_section, after=4, by=alice)

    answer = asked(skip_section, sent={"after": 4, "told": "on"})

    assert answer.status_code == 302
    assert now(skip_section).is_running


def test_the_last_round_ends_with_one_press(asked, alice, club):
    section = section_with(6, "mitchell", round=3, club=club, by=alice)

    asked(section, sent={"after": 3})

    assert now(section).is_finished


def test_before_the_start_and_after_the_end_there_is_nothing_to_end(asked, alice, club):
    section = section_with(6, "mitchell", club=club, by=alice)

    assert asked(section).url == reverse("desk", args=[section.code])
    assert asked(section, **SHEET).headers["HX-Redirect"] == reverse("desk", args=[section.code])


def test_only_directors_of_the_club_are_asked(skip_section, signed_in, carol, bob):
    address = reverse("finish", args=[skip_section.code])

    assert signed_in(carol).get(address).status_code == 404
    assert signed_in(bob).post(address, {"after": 4, "told": "on"}).status_code == 404
    assert now(skip_section).is_running
