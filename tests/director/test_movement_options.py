"""Choosing a movement with its own options: sizes follow them, and impossible ones have a reason."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries
from movements.engine.offers import movement_for
from tests.factories import section_with
from tests.markup import words

pytestmark = pytest.mark.django_db
S_AND_R = {"option-base": "share-and-relay"}


@pytest.fixture
def page(alice, signed_in):
    browser = signed_in(alice)

    def ask(section, **answers):
        wishes = {"fewest": 24, "most": 28, "copies": 1, "sharing": "on", "stands": "on"}
        address = reverse("choose-movement", args=[section.code])
        return browser.post(address, {**wishes, **answers})

    return ask


@pytest.mark.parametrize(
    ("pairs", "family", "size", "options"),
    [
        (17, "ns-rover", "8x3", S_AND_R),
        (13, "ns-rover", "6x4", S_AND_R),
        (29, "ns-rover", "14x2", S_AND_R),
        (17, "ns-rover", "8x3", {"option-revenge": "yes"}),
        (16, "skip-mitchell", "8x3", {"option-revenge": "yes"}),
        (13, "two-way-rover", "6x4", S_AND_R),
        (8, "barometer", "7x4", {"option-base": "howell"}),
        (12, "barometer", "8x3", {"option-base": "partial-howell"}),
        (18, "two-stanza", "9x3", {"option-stanzas": "3"}),
        (30, "appendix-mitchell", "11x2", {"option-base": "11"}),
        (28, "scrambled-mitchell", "13x2", {"option-base": "web"}),
        (20, "web", "5x5", {"option-layout": "natural"}),
        (18, "rover-party", "7x4", S_AND_R),
    ],
)
def test_a_movement_is_chosen_with_its_own_choices_and_begun(
    page, club, alice, pairs, family, size, options
):
    section = section_with(pairs, club=club, by=alice)

    answer = page(section, family=family, size=size, **options)

    assert answer.status_code == 302, words(answer)
    section = Section.objects.get(pk=section.pk)
    chosen = (section.movement.family, section.movement.rounds, section.boards_per_round)
    assert chosen == (family, *map(int, size.split("x")))
    assert rounds.start_next_round(section, after=0, by=alice).round == 1


@pytest.mark.parametrize(
    ("pairs", "family", "size", "options", "sentence"),
    [
        (17, "ns-rover", "9x3", S_AND_R, "can have 2 to 8 rounds here"),
        (8, "barometer", "3x7", {"option-base": "howell"}, "can have 7 rounds here"),
        (18, "two-stanza", "3x8", {"option-stanzas": "3"}, "can have 7 to 9 rounds here"),
        (24, "two-stanza", "12x2", {"option-stanzas": "3"}, "Possible: 2, 4, 6"),
        (25, "ns-rover", "12x2", {"option-revenge": "yes"}, "is not possible for this movement"),
        (13, "ns-rover", "6x4", {"option-revenge": "yes"}, "is not possible for this movement"),
        (10, "partial-howell", "7x4", {"option-version": "published"}, "is not possible for"),
    ],
)
def test_what_a_choice_does_not_allow_is_refused_and_nothing_is_chosen(
    page, club, alice, pairs, family, size, options, sentence
):
    section = section_with(pairs, club=club, by=alice)

    answer = page(section, family=family, size=size, **options)

    assert answer.status_code == 422
    assert sentence in words(answer)
    assert Section.objects.get(pk=section.pk).movement is None


def test_a_choice_can_be_looked_at_before_it_is_made(page, club, alice):
    section = section_with(17, club=club, by=alice)

    shown = page(section, family="ns-rover", look="1", **{"option-base": "skip-mitchell"})
    other = page(section, family="ns-rover", look="1", **S_AND_R)

    assert (shown.status_code, other.status_code) == (200, 200)
    assert Section.objects.get(pk=section.pk).movement is None
    skip, relay = (
        next(row for row in item.context["rows"] if row.name == "ns-rover")
        for item in (shown, other)
    )
    assert relay.is_open
    assert "8x3" not in {value for value, *_ in skip.sizes}
    assert "8x3" in {value for value, *_ in relay.sizes}
    assert [(option.name, answer) for option, answer in relay.options] == [
        ("base", "share-and-relay"),
        ("revenge", ""),
    ]


def test_another_size_is_shown_with_the_choice_that_was_looked_at(page, club, alice, signed_in):
    section = section_with(17, club=club, by=alice)
    looked = page(section, family="ns-rover", look="1", **S_AND_R).content.decode()
    sizes = re.search(r'<form[^>]*class="sizeform".*?</form>', looked, re.DOTALL)[0]
    sent = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', sizes))

    shown = signed_in(alice).get(
        reverse("choose-movement", args=[section.code]), {**sent, "size": "8x3"}
    )

    assert "Choose Rover Mitchell, North-South, 8 × 3" in words(shown)


def test_looking_at_an_impossible_choice_says_why(page, club, alice):
    section = section_with(25, club=club, by=alice)

    answer = page(section, family="ns-rover", look="1", **{"option-revenge": "yes"})

    assert answer.status_code == 200
    assert "“yes” is not possible for this movement. Possible: no." in words(answer)


@pytest.mark.parametrize(
    ("contest", "count", "family", "size"),
    [
        ("pairs", 4, "howell", "3x8"),
        ("pairs", 3, "howell", "3x8"),
        ("teams", 2, "head-to-head", "2x12"),
        ("individual", 4, "individual", "3x8"),
        ("individual", 5, "individual", "5x5"),
        ("individual", 8, "shomate", "7x4"),
    ],
)
def test_the_smallest_evenings_can_be_played(page, club, alice, contest, count, family, size):
    section = section_with(count, contest=contest, club=club, by=alice)

    answer = page(section, family=family, size=size)

    assert answer.status_code == 302, words(answer)
    section = Section.objects.get(pk=section.pk)
    assert section.movement.family == family
    assert section.entries.filter(contestant=None).count() == 0
    for round in range(1, section.movement.rounds + 1):
        assert rounds.start_next_round(section, after=round - 1, by=alice).round == round


@pytest.mark.parametrize(
    ("contest", "count", "sentence"),
    [
        ("pairs", 2, "at least 3 pairs"),
        ("teams", 1, "A match needs two teams"),
        ("individual", 3, "at least 4"),
    ],
)
def test_too_few_are_told_how_many_are_needed(page, club, alice, contest, count, sentence):
    section = section_with(count, contest=contest, club=club, by=alice)

    assert sentence in words(page(section, look="1"))


def test_the_choices_stay_when_somebody_is_added_to_the_list(page, club, alice):
    section = section_with(8, club=club, by=alice)
    page(section, family="barometer", size="7x4", **{"option-base": "howell"})

    entries.add_pairs(section, [("Otto Stein", "Ida Stein")], by=alice)

    section.refresh_from_db()
    assert section.movement.movement == movement_for("barometer", 9, options={"base": "howell"})


def test_choices_that_do_not_fit_the_new_number_leave_no_movement(page, club, alice):
    section = section_with(18, club=club, by=alice)
    page(section, family="two-stanza", size="9x3", **{"option-stanzas": "3"})

    entries.add_pairs(section, [("Otto Stein", "Ida Stein")], by=alice)

    section.refresh_from_db()
    assert section.movement is None


def test_another_movement_has_no_choices_of_the_one_before(page, club, alice):
    section = section_with(16, club=club, by=alice)
    page(section, family="skip-mitchell", size="6x4", **{"option-skip": "2"})
    page(section, family="skip-mitchell", size="7x4")

    section.refresh_from_db()
    assert section.movement_options == {}
