"""A break between two rounds: planned at the desk, read everywhere."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.clock import SectionClock
from bridgebuddy.events.services.play import rounds
from tests.director.reading import alerts_on, text
from tests.factories import section_with
from tests.signing_in import asks_to_sign_in

pytestmark = pytest.mark.django_db


def with_break(section, alice, *, minutes_left):
    """Plan a break of 15 minutes after the present round, with this number of minutes on the clock."""
    section = rounds.set_break(section, after_round=section.round, minutes=15, by=alice)
    section.clock_ends_at = timezone.now() + timedelta(minutes=minutes_left)
    section.save()
    return section


def clock(moment):
    return timezone.localtime(moment).strftime("%H:%M")


def pages(client, section):
    """Return the words of the desk, a phone and the room display."""
    addresses = [
        reverse("desk", args=[section.code]),
        reverse("player", args=[section.code, "NS1"]),
        reverse("room-display", args=[section.code]),
    ]
    return [text(client.get(address)) for address in addresses]


def test_a_break_is_planned_and_taken_away_again(browser, skip_section):
    address = reverse("break", args=[skip_section.code])

    answer = browser.post(address, {"after": "5", "minutes": "20"})
    planned = Section.objects.get(pk=skip_section.pk)
    browser.post(address, {"after": "", "minutes": "20"})
    none = Section.objects.get(pk=skip_section.pk)

    assert answer.headers["Location"] == reverse("desk", args=[skip_section.code])
    assert (planned.break_after, planned.break_minutes) == (5, 20)
    assert (none.break_after, none.break_minutes) == (None, 0)
    facts = [record.facts for record in AuditRecord.objects.filter(action="section.break")]
    assert facts == [{"after": None, "minutes": 0}, {"after": 5, "minutes": 20}]
    assert none.shown == skip_section.shown + 2
    desk = text(browser.get(reverse("desk", args=[skip_section.code])))
    assert "A break of 20 minutes after round 5." in desk


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"after": "3", "minutes": "15"}, "This round is over. Choose from the list."),
        ({"after": "7", "minutes": "15"}, "This round is over. Choose from the list."),
        ({"after": "5", "minutes": "0"}, "Give the break 1 to 180 minutes."),
        ({"after": "5", "minutes": "181"}, "Give the break 1 to 180 minutes."),
        ({"after": "5", "minutes": ""}, "Give the break 1 to 180 minutes."),
        ({"after": "5", "minutes": "x"}, "Give the break 1 to 180 minutes."),
    ],
)
def test_wrong_answers_get_a_sentence_and_stay(browser, skip_section, answers, sentence):
    answer = browser.post(reverse("break", args=[skip_section.code]), answers)

    assert answer.status_code == 422
    assert alerts_on(answer) == [sentence]
    form = answer.context["form"]
    assert {name: form[name].value() for name in answers} == answers
    assert Section.objects.get(pk=skip_section.pk).break_after is None


def test_everybody_reads_of_the_break_while_the_round_is_played(browser, skip_section, alice):
    section = with_break(skip_section, alice, minutes_left=10)

    until = clock(section.clock_ends_at + timedelta(minutes=15))
    sentence = f"After this round: break until {until}, then round 5."
    assert [sentence in page for page in pages(browser, section)] == [True] * 3
    assert f"at about {until}" in pages(browser, section)[0]


def test_once_the_clock_is_over_it_is_break(browser, skip_section, alice):
    section = with_break(skip_section, alice, minutes_left=-5)

    until = clock(section.clock_ends_at + timedelta(minutes=15))
    sentence = f" Break until {until}, then round 5."
    assert [sentence in page for page in pages(browser, section)] == [True] * 3
    section = rounds.start_next_round(section, after=4, by=alice)
    assert SectionClock(section).has_break_next is False


def test_the_clocks_count_down_the_break(browser, skip_section, alice):
    section = with_break(skip_section, alice, minutes_left=-5)

    desk, _phone, room = pages(browser, section)

    assert re.search(r"of 7 (9:5\d|10:00) ", desk)
    assert re.search(r"Round 4 of 7 (9:5\d|10:00) break ", room)
    section.clock_ends_at -= timedelta(minutes=11)
    section.save()
    assert re.search(r"Round 4 of 7 -(0:5\d|1:0\d) over time ", pages(browser, section)[2])


def test_with_a_stopped_clock_the_break_has_its_length(browser, skip_section, alice):
    section = with_break(skip_section, alice, minutes_left=10)
    section = rounds.pause_clock(section, by=alice)

    sentence = "After this round: 15 minutes of break, then round 5."
    assert [sentence in page for page in pages(browser, section)] == [True] * 3


def test_there_is_no_break_after_another_round_or_the_last(browser, skip_section, alice, club):
    section = rounds.set_break(skip_section, after_round=5, minutes=15, by=alice)
    last = section_with(6, "mitchell", round=3, club=club, by=alice)
    last.break_after = 3

    assert ["break" in page for page in pages(browser, section)[1:]] == [False, False]
    assert not SectionClock(section).has_break_next
    assert not SectionClock(last).has_break_next


def test_who_sits_out_reads_when_they_are_back_after_the_break(browser, club, alice):
    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice)
    section = with_break(section, alice, minutes_left=10)

    phone = text(browser.get(reverse("player", args=[section.code, "NS8"])))

    back = clock(section.clock_ends_at + timedelta(minutes=15))
    assert f"Back at table 8 in round 2, about {back}." in phone


def test_a_break_is_the_directors_to_plan(skip_section, bob, carol, signed_in, client, alice):
    address = reverse("break", args=[skip_section.code])

    for browser in (signed_in(bob), signed_in(carol)):
        assert browser.get(address, follow=True).status_code == 404
        assert browser.post(address, {"after": "5", "minutes": "15"}).status_code == 404
    assert asks_to_sign_in(client.get(address))
    assert asks_to_sign_in(client.post(address, {"after": "5", "minutes": "15"}))
    finished = rounds.finish_session(skip_section, round=4, by=alice)
    assert signed_in(alice).get(address).status_code == 302
    assert Section.objects.get(pk=finished.pk).break_after is None


def test_a_sheet_of_a_desk_without_a_movement_leads_the_whole_page_to_the_entries(
    browser, club, alice
):
    """The movement was taken back meanwhile: a redirect would put the page of entries into the sheet."""
    section = section_with(8, club=club, by=alice)
    sheet = {"HX-Request": "true", "HX-Target": "sheet-body"}
    entries = reverse("entries", args=[section.code])

    answers = [
        browser.get(reverse("desk", args=[section.code]), {"open": "break"}, headers=sheet),
        browser.get(reverse("desk", args=[section.code]), headers={"HX-Request": "true"}),
    ]

    assert [(answer.status_code, answer.headers.get("HX-Redirect")) for answer in answers] == [
        (200, entries),
        (200, entries),
    ]
    plain = browser.get(reverse("desk", args=[section.code]))
    assert (plain.status_code, plain.headers["Location"]) == (302, entries)
