"""Turns to sit out, shown where seats are drawn, and seats by turn in one press."""

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.director.entries.sit_out_turns import pair_names_text
from bridgebuddy.events.models import SeatingMethod
from bridgebuddy.events.services.setup.movement import seat_by_method
from tests.events.test_turns import a_week, again, out, played
from tests.markup import words

pytestmark = pytest.mark.django_db


def page(browser, section):
    return browser.get(reverse("entries", args=[section.code]))


def press(browser, section, method):
    return browser.post(reverse("seat", args=[section.code]), {"method": method}, follow=True)


def test_on_a_clubs_first_evening_nothing_is_said_of_it(browser, club, alice):
    shown = words(page(browser, a_week(club, alice, 0)))

    assert "Even out over the weeks" not in shown
    assert "falls to" not in shown


def test_who_sat_out_last_and_to_whom_it_falls_is_said_and_one_press_evens_it_out(
    browser, club, alice
):
    first = played(a_week(club, alice, 0))
    second = a_week(club, alice, 1)
    before = words(page(browser, second))
    assert "Sat out last, on Tue 6 Oct: South" not in before
    assert "Sat out last, on" in before
    assert "Tonight it falls to" in before
    assert out(first) == out(second)  # in order of entry always the same

    after = words(press(browser, second, "turns"))

    assert "Seats even out over the weeks" in after
    assert "Even out over the weeks" not in after
    assert not out(first) & out(second)
    assert "Priority: sit-outs, then earlier lines" in after


def test_another_press_turns_it_off(browser, club, alice):
    played(a_week(club, alice, 0))
    second = seat_by_method(a_week(club, alice, 1), SeatingMethod.TURNS, by=alice)

    shown = words(press(browser, second, "order"))

    assert again(second).seating == SeatingMethod.ORDER
    assert "Even out over the weeks" in shown


def test_strengths_are_named_where_they_count(browser, club, alice):
    played(a_week(club, alice, 0))
    Person.objects.filter(club=club, name="Anna North1").update(strength=7)

    shown = words(press(browser, a_week(club, alice, 1), "turns"))

    assert "Priority: sit-outs, then strengths" in shown


def test_the_log_tells_how_seats_were_given(browser, club, alice):
    played(a_week(club, alice, 0))
    second = a_week(club, alice, 1)
    press(browser, second, "turns")

    assert "Seats evenly over the weeks." in words(browser.get(reverse("desk", args=[second.code])))


def test_many_are_named_in_part(club, alice):
    entries = list(a_week(club, alice, 0).entries.all())

    assert pair_names_text(entries[:1]) == "North1 & South1"
    assert pair_names_text(entries[:6]).endswith(", North4 & South4 and 2 more")


def test_a_page_with_a_past_asks_few_queries_more(
    browser, club, alice, django_assert_max_num_queries
):
    for week in range(3):
        played(a_week(club, alice, week))
    section = a_week(club, alice, 3)
    page(browser, section)

    with django_assert_max_num_queries(13):
        page(browser, section)
