"""Two directors, or one who presses twice: one change, once, and the other one is told."""

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from tests.director.reading import FASTER, LATE, address_of, alerts_on, ways_on
from tests.factories import director_of

pytestmark = pytest.mark.django_db

NOT_NOW = "This cannot be chosen now. Choose from the list."

#: decisions after which the page's own question has another list of answers
ONCE_ONLY = {
    "late": LATE,
    "leaves": {"contestant": 3},
    "length": {"rounds": 6},
    "boards": {"boards": 1},
}


def decision(browser, section, wish):
    """The first way to deal with a wish, as the page would send it."""
    way = ways_on(browser.get(address_of(section, wish), ONCE_ONLY[wish]))[0]
    return {"plan": section.plan, "way": way, **ONCE_ONLY[wish]}


@pytest.mark.parametrize("wish", ONCE_ONLY)
def test_a_second_press_of_the_button_changes_nothing_more(browser, skip_section, wish):
    sent = decision(browser, skip_section, wish)

    answers = [browser.post(address_of(skip_section, wish), sent) for _press in range(3)]

    desk = reverse("desk", args=[skip_section.code])
    assert [answer.headers.get("Location") for answer in answers] == [desk] * 3
    section = Section.objects.get(pk=skip_section.pk)
    assert section.entries.count() == (17 if wish == "late" else 16)
    assert section.movements.count() == 2


@pytest.mark.parametrize(
    ("wish", "done"),
    [
        ("leaves", "Anna North5 & Bob South5 left; their table is half empty."),
        ("length", "6 rounds are played."),
        ("boards", "1 board a round is played from now on."),
    ],
)
def test_who_was_slower_reads_what_the_other_did(browser, signed_in, skip_section, wish, done):
    sent = decision(browser, skip_section, wish)
    browser.post(address_of(skip_section, wish), sent)

    answer = signed_in(director_of(skip_section.club)).post(address_of(skip_section, wish), sent)

    assert answer.status_code == 409
    assert alerts_on(answer) == [f"{FASTER}{done} (alice)", NOT_NOW]
    assert Section.objects.get(pk=skip_section.pk).movements.count() == 2


def test_who_was_slower_reads_everything_the_other_did(browser, signed_in, skip_section, alice):
    sent = decision(browser, skip_section, "late")
    browser.post(address_of(skip_section, "late"), sent)
    section = Section.objects.get(pk=skip_section.pk)
    rounds.add_minute(section, by=alice)
    rounds.start_next_round(section, after=section.round, by=alice)

    other = {**sent, "first": "Ida Ernst", "second": "Ulf Ernst"}
    answer = signed_in(director_of(section.club)).post(address_of(section, "late"), other)

    assert alerts_on(answer) == [
        f"{FASTER}Round 5. (alice) Eve Engel & Max O’Reid came and play as rover. (alice)"
    ]
