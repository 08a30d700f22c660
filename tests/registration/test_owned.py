"""A club's equipment: shown beside its chart, and a limit of suggestions."""

import pytest
from django.urls import reverse

from bridgebuddy.director.movement.equipment import missing_equipment
from bridgebuddy.planning.equipment import club_equipment
from bridgebuddy.planning.models import Equipment
from bridgebuddy.planning.rules.equipment import parse_board_sets
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("typed", "sets"),
    [
        ("", ()),
        ("3", (("", 3),)),
        ("red, blue", (("red", 1), ("blue", 1))),
        ("2 red; dark blue,", (("red", 2), ("dark blue", 1))),
        ("2rot", (("rot", 2),)),
        ("20 red", (("red", 20),)),
    ],
)
def test_sets_are_read_as_they_are_written(typed, sets):
    assert parse_board_sets(typed) == sets


@pytest.mark.parametrize("typed", ["0 red", "21", "99 blue", "15 red, 6 blue"])
def test_more_sets_than_any_club_has_are_refused(typed):
    with pytest.raises(ValueError, match=typed.split(",")[0]):
        parse_board_sets(typed)


def save_equipment(browser, club, **answers):
    usual = {"board_sets": "", "tables": "", "boxes": "", "terminals": ""}
    return browser.post(reverse("club-chart", args=[club.pk]), usual | answers)


def choosing(browser, section, **asked):
    return browser.get(reverse("choose-movement", args=[section.code]), asked)


def test_it_is_stored_beside_the_chart_and_shown_again(club, alice, signed_in):
    browser = signed_in(alice)

    assert save_equipment(browser, club, board_sets="2  red, blue", tables="9").status_code == 302

    owned = club_equipment(club)
    assert (owned.board_sets, owned.copy_count, owned.tables) == ("2 red, blue", 3, 9)
    assert (owned.boxes, owned.terminals) == (None, None)
    page = browser.get(reverse("club-chart", args=[club.pk])).content.decode()
    assert 'value="2 red, blue"' in page


@pytest.mark.parametrize("wrong", [{"board_sets": "77 red"}, {"tables": "0"}, {"boxes": "x"}])
def test_what_cannot_be_is_refused_and_changes_nothing(club, alice, signed_in, wrong):
    answer = save_equipment(signed_in(alice), club, **wrong)

    assert answer.status_code == 422
    assert answer.context["problem"]
    assert not Equipment.objects.exists()


def test_copies_are_bounded_and_it_is_said(club, alice, signed_in):
    section = section_with(40, club=club, by=alice)
    Equipment.objects.create(club=club, board_sets="red, blue")
    browser = signed_in(alice)

    page = choosing(browser, section)

    assert "You have 2 sets: red, blue." in page.content.decode()
    assert page.context["form"]["copies"].value() == 2
    more = choosing(browser, section, **page.context["answers"] | {"copies": "5"})
    assert [row.name for row in more.context["rows"]] == [row.name for row in page.context["rows"]]


def test_without_a_word_nothing_is_bounded(club, alice, signed_in):
    page = choosing(signed_in(alice), section_with(14, club=club, by=alice))

    assert page.context["form"]["copies"].value() == 1
    assert page.context["too_few"] == []


def test_suggestions_need_no_more_tables_than_there_are(club, alice, signed_in):
    """21 pairs: a rover needs 10 tables, half a table 11."""
    section = section_with(21, club=club, by=alice)
    Equipment.objects.create(club=club, tables=10)

    page = choosing(signed_in(alice), section, all="1")

    assert {row.movement.tables for row in page.context["rows"]} <= {9, 10}
    assert page.context["too_few"] == []


def test_too_few_are_told_and_movements_suggested_all_the_same(club, alice, signed_in):
    section = section_with(14, club=club, by=alice)
    Equipment.objects.create(club=club, tables=6, boxes=5, terminals=4)

    page = choosing(signed_in(alice), section)

    assert page.context["rows"]
    assert page.context["too_few"] == [
        "7 tables are needed, and you have 6.",
        "Bidding boxes are needed for 7 tables, and you have them for 5.",
        "You have terminals for 4 of 7 tables.",
    ]


def test_other_clubs_have_their_own(club, alice, carol, signed_in):
    Equipment.objects.create(club=carol.clubs.get(), board_sets="red, blue, green")

    assert club_equipment(club).copy_count == 0
    assert save_equipment(signed_in(carol), club, board_sets="9").status_code == 404


@pytest.mark.parametrize(("tables", "lacks"), [(8, 0), (9, 3)])
def test_exactly_enough_equipment_lacks_nothing(tables, lacks):
    owned = Equipment(tables=8, boxes=8, terminals=8)

    assert len(missing_equipment(owned, tables)) == lacks
