"""Two sections that share at opposite places use each other's stand."""

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.lent_boards import lending_section, lent_boards_sentence
from bridgebuddy.events.queries.plan import SectionPlan
from bridgebuddy.events.queries.sections import section_by_code
from bridgebuddy.events.services.movement import choose_movement
from bridgebuddy.events.services.sections import divide_entries
from bridgebuddy.printing.context import PrintJob
from bridgebuddy.printing.master_words import notes_below
from tests.director.reading import text
from tests.factories import section_with

pytestmark = pytest.mark.django_db

OF_A = (
    "Sections A and B need not share boards if they play in step. Table 6 of A takes its boards "
    "from the stand of B after table 6, and brings them back after the round."
)
OF_B = (
    "Sections B and A need not share boards if they play in step. Table 4 of B takes its boards "
    "from the stand of A after table 3, and brings them back after the round."
)


def divided(club, alice, *, same_deals=True, options=({}, {"opposite": True})):
    """Divide 24 pairs into two sections of 6 tables, each with a Share-and-Relay."""
    section = section_with(24, club=club, by=alice)
    keys = [*section.entries.order_by("position").values_list("pk", flat=True)]
    halves = divide_entries(section, [keys[:12], keys[12:]], same_deals=same_deals, by=alice)
    for half, chosen in zip(halves, options, strict=True):
        choose_movement(half, "share-and-relay", boards_per_round=4, options=chosen, by=alice)
    return [section_by_code(half.code) for half in halves]


def test_each_section_is_told_which_table_takes_boards_from_the_other_ones_stand(club, alice):
    first, second = divided(club, alice)

    assert (lent_boards_sentence(first), lent_boards_sentence(second)) == (OF_A, OF_B)
    assert (lending_section(first), lending_section(second)) == (second, first)


@pytest.mark.parametrize(
    "other",
    [
        {"options": ({}, {})},
        {"options": ({}, {"opposite": True, "begins": 3})},
        {"options": ({}, {"two_copies": True})},
        {"same_deals": False},
    ],
)
def test_sections_that_cannot_are_told_nothing(club, alice, other):
    for section in divided(club, alice, **other):
        assert lent_boards_sentence(section) == ""


def test_a_section_alone_has_no_other_stand(club, alice):
    assert lent_boards_sentence(section_with(12, "share-and-relay", club=club, by=alice)) == ""


def test_the_choice_and_the_directors_sheet_say_it(club, alice, signed_in):
    first, second = divided(club, alice, options=({}, {}))
    chosen = {"family": "share-and-relay", "size": "6x4", "option-opposite": "yes"}

    address = reverse("choose-movement", args=[second.code])
    said = text(signed_in(alice).post(address, chosen, follow=True))

    assert OF_B in said
    sheets = [
        [*notes_below(PrintJob(SectionPlan.of(section_by_code(one.code)), "a4", "http://x"))]
        for one in (first, second)
    ]
    assert [OF_A in sheets[0], OF_B in sheets[1]] == [True, True]
    assert Section.objects.get(pk=second.pk).movement_options == {"opposite": True}
