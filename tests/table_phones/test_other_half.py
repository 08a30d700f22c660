"""A team's phone learns and changes nothing of its other table while its own has still to play the board."""

import pytest
from django.urls import reverse

from bridgebuddy.scoring.models import Result
from tests.factories import section_with

from .tapping import Phone, with_phones
from .test_entering import FOUR_SPADES, ONE_DOWN

pytestmark = pytest.mark.django_db
NOT_FOUND = 404


@pytest.fixture
def section(club, alice):
    kinds = {"contest": "teams", "round": 1, "boards_per_round": 4}
    made = section_with(4, "team-round-robin", club=club, by=alice, **kinds)
    return with_phones(made)


def two_plays(section):
    """The plays of a board that a team has at two tables: where it has the phone, and the other one."""
    for own in section.plays.filter(round=1).order_by("table", "board"):
        team = own.ns
        others = section.plays.filter(round=1, board=own.board).exclude(pk=own.pk)
        for other in others:
            if team in (other.ns, other.ew):
                return team, own, other
    raise AssertionError("no team has a board at two tables")


def phone_at(section, table, team):
    phone = Phone(section, table)
    phone.open(reverse("table-who", args=[section.code, table]), {"who": team.pk})
    return phone


def pages_of(section, table, play):
    names = ("table-board", "table-yes", "table-exchange", "table-choose", "table-cards")
    return [reverse(name, args=[section.code, table, play.pk]) for name in names]


def test_nothing_is_read_or_changed_of_the_other_table_before_the_board_is_played(section):
    team, own, other = two_plays(section)
    there = phone_at(section, other.table, other.ns)
    there.table(other.table).enter(other.board, FOUR_SPADES)
    stored = Result.objects.get(play=other)
    phone = phone_at(section, own.table, team)

    for address in pages_of(section, own.table, other):
        assert phone.browser.get(address, follow=True).status_code in (NOT_FOUND, 405)
        for side in ("ns", "ew"):
            said = {"side": side, "after": 1, "version": "ns", "which": f"{own.pk}-0", **ONE_DOWN}
            assert phone.browser.post(address, said, follow=True).status_code == NOT_FOUND
    check = [section.code, own.table, other.pk, "stored"]
    assert phone.browser.get(reverse("table-check", args=check)).status_code == NOT_FOUND
    assert Result.objects.get(play=other) == stored


def test_a_phone_that_stays_at_the_table_learns_nothing_either(section):
    _team, own, other = two_plays(section)
    there = phone_at(section, other.table, other.ns)
    there.table(other.table).enter(other.board, FOUR_SPADES)
    phone = Phone(section, own.table)
    phone.open(reverse("table-who", args=[section.code, own.table]), {"who": 0})

    for address in pages_of(section, own.table, other):
        assert phone.browser.get(address, follow=True).status_code in (NOT_FOUND, 405)


def test_its_own_table_is_entered_and_read_while_the_other_one_plays(section):
    team, own, _other = two_plays(section)
    phone = phone_at(section, own.table, team)

    phone.table(own.table).enter(own.board, FOUR_SPADES)

    assert Result.objects.get(play=own, stands=True).outcome == FOUR_SPADES
    assert "4" in phone.text
    assert phone.page.status_code == 200


def test_a_boards_other_table_is_no_secret_once_both_have_played_it(section):
    team, own, other = two_plays(section)
    for play, outcome in ((own, FOUR_SPADES), (other, ONE_DOWN)):
        phone = phone_at(section, play.table, team)
        phone.table(play.table).enter(play.board, outcome)

    phone = phone_at(section, own.table, team)
    page = phone.browser.get(pages_of(section, own.table, other)[0], follow=True)

    assert page.status_code == 200
