"""Strengths of players, and seats balanced by them."""

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import SeatingMethod, Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.sessions.strengths import seeding_report
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries as service
from tests.factories import section_with
from tests.markup import words
from tests.signing_in import asks_to_sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    """An evening of 10 pairs in a Mitchell, not begun; North-South would be much stronger."""
    section = section_with(10, "mitchell", boards_per_round=5, club=club, by=alice)
    for number, entry in enumerate(section.entries.all()):
        for person in entry.players:
            person.strength = 8 if number % 2 == 0 else 4
            person.save()
    return section


def address(name, section):
    return reverse(name, args=[section.code])


def seats(section):
    return dict(section.entries.values_list("position", "contestant"))


def seeded(section):
    section = Section.objects.get(pk=section.pk)
    return seeding_report(section, SessionEvening(section).entries)


def test_strengths_are_noted_for_all_players_on_one_page(browser, club, alice):
    section = section_with(3, club=club, by=alice)
    people = [person for entry in section.entries.all() for person in entry.players]
    answers = {f"strength-{person.pk}": index for index, person in enumerate(people)}

    answer = browser.post(address("strengths", section), answers | {f"strength-{people[5].pk}": ""})

    assert answer.headers["Location"] == address("entries", section)
    noted = dict(Person.objects.filter(club=club).values_list("pk", "strength"))
    assert [noted[person.pk] for person in people] == [0, 1, 2, 3, 4, None]


@pytest.mark.parametrize("typed", ["-1", "10000", "strong", "<b>", "1.5", "9" * 40])
def test_bad_strengths_get_a_sentence_and_keep_what_was_typed(browser, section, typed):
    person = section.entries.first().players[0]

    answer = browser.post(address("strengths", section), {f"strength-{person.pk}": typed})

    assert answer.status_code == 422
    assert answer.content.decode().count('class="field-error"') == 1
    assert Person.objects.get(pk=person.pk).strength == 8


def test_only_the_people_of_the_section_are_noted(browser, section, carol):
    stranger = Person.objects.create(club=carol.clubs.get(), name="Secret Person", strength=5)

    browser.post(address("strengths", section), {f"strength-{stranger.pk}": "1"})
    service.set_strengths(section, {stranger.pk: 1}, by=carol)

    assert Person.objects.get(pk=stranger.pk).strength == 5


def test_balancing_makes_the_lines_equal_and_says_so(browser, section):
    assert [line.mean for line in seeded(section).lines] == [8, 4]

    answer = browser.post(address("seat", section), {"method": "even"}, follow=True)

    assert round(seeded(section).figure.difference, 6) == 0.8
    assert (
        "Before: North-South are clearly stronger. (They differ by 4.0.)"
        " Now: North-South are a little stronger. (They differ by 0.8.)" in words(answer)
    )


def test_the_page_shows_how_strong_the_lines_are(browser, section):
    text = words(browser.get(address("entries", section)))

    assert "Strength of the two lines NS 8.0 EW 4.0 North-South are clearly stronger." in text


def test_pairs_without_a_strength_count_as_average(section):
    Person.objects.filter(entries=section.entries.first()).update(strength=None)

    found = seeded(section)

    assert found.unknown == 1
    assert round(found.lines[0].mean, 3) == round((4 * 8 + 52 / 9) / 5, 3)


def test_a_pair_that_must_stay_seated_keeps_a_stationary_seat(browser, section, alice):
    entry = section.entries.get(position=2)
    entry.must_stay_seated = True
    entry.save()

    browser.post(address("seat", section), {"method": "even"})

    assert seats(section)[2] in range(1, 6)
    assert round(seeded(section).figure.difference, 6) == 0.8


def test_a_pair_that_must_stay_seated_stays_where_boards_are_turned(browser, club, alice):
    section = section_with(10, "scrambled-mitchell", club=club, by=alice)
    for position, entry in enumerate(section.entries.all(), start=1):
        service.set_strengths(section, {p.pk: position for p in entry.players}, by=alice)
    section.entries.filter(position__in=(9, 10)).update(must_stay_seated=True)

    browser.post(address("seat", section), {"method": "even"})

    section = Section.objects.get(pk=section.pk)
    stays = section.movement.movement.stationary_contestants
    assert len(stays) == 5
    assert {seats(section)[9], seats(section)[10]} <= set(stays)


def test_seats_by_strength_follow_who_comes_and_what_is_noted(browser, section, alice):
    browser.post(address("seat", section), {"method": "even"})
    strong = section.entries.get(position=2)

    service.set_strengths(section, {person.pk: 20 for person in strong.players}, by=alice)

    section = Section.objects.get(pk=section.pk)
    assert section.seating == SeatingMethod.EVEN
    assert seeded(section).figure.difference <= 2.4


def test_the_same_strengths_give_the_same_seats(browser, section):
    browser.post(address("seat", section), {"method": "even"})
    first = seats(section)
    browser.post(address("seat", section), {"method": "order"})
    browser.post(address("seat", section), {"method": "even"})

    assert seats(section) == first


def test_without_strengths_nothing_is_balanced(browser, club, alice):
    section = section_with(10, "mitchell", boards_per_round=5, club=club, by=alice)
    before = seats(section)

    answer = browser.post(address("seat", section), {"method": "even"}, follow=True)

    assert "Enter some strengths first." in words(answer)
    assert "Balance strengths" not in words(answer)
    assert seats(section) == before


def test_one_field_is_told_whom_the_draw_favours(browser, club, alice):
    section = section_with(8, "howell", club=club, by=alice)
    people = {p.pk: n for n, e in enumerate(section.entries.all()) for p in e.players}
    service.set_strengths(section, people, by=alice)

    text = words(browser.get(address("entries", section)))

    assert "Strength The pairings favour nobody." in text


def test_equally_strong_pairs_need_no_balance(browser, section):
    Person.objects.update(strength=5)

    assert "All pairs are equally strong." in words(browser.get(address("entries", section)))


def test_after_the_start_seats_stay(browser, section, alice):
    rounds.start_next_round(section, after=0, by=alice)
    before = seats(section)

    answer = browser.post(address("seat", section), {"method": "even"}, follow=True)

    assert "The session has begun" in words(answer)
    assert seats(section) == before


def test_strangers_and_players_see_no_strengths(bob, carol, section, signed_in, client):
    asked = [
        signed_in(user).get(address("strengths", section)).status_code for user in (bob, carol)
    ]

    assert asked == [404, 404]
    assert asks_to_sign_in(client.get(address("strengths", section)))
    lookup = words(client.get(reverse("lookup", args=[section.code])))
    assert "strength" not in lookup.lower()
