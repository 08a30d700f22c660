"""The desk's menu has the possible actions, and a request for another one gets a reason."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.director.changes.wishes import WISHES, possible_wishes
from bridgebuddy.events.models import Entry
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import rounds
from movements.engine.families.team_movements.drawn import swiss
from movements.services import store_movement
from tests.director.reading import address_of, in_which_one_can
from tests.factories import SectionFactory, section_with
from tests.lists import difference
from tests.signing_in import asks_to_sign_in

pytestmark = pytest.mark.django_db

LAST = "The last round is being played: there is no round left to change."
MATCHES = (
    "Both tables of a match play the same boards. If a table missed a board or played another, "
    "enter a ruling under Results."
)
PAIRS = "This is possible in pairs events only."
MITCHELL = {"pairs": 14, "family": "mitchell", "round": 1}
LAST_ROUND = {**MITCHELL, "round": 7}
ONE_BOARD = {**MITCHELL, "boards_per_round": 1}
HOWELL = {"pairs": 10, "family": "howell", "round": 1}
PLAYERS = {"pairs": 20, "family": "rainbow", "contest": "individual", "round": 1}
TEAMS = {"pairs": 8, "family": "team-awl", "contest": "teams", "round": 1}

SHOWN = {
    **dict.fromkeys(WISHES, MITCHELL),
    "arrows": HOWELL,
}
NOT_SHOWN = [
    ("leaves", LAST_ROUND, LAST),
    ("skip", LAST_ROUND, LAST),
    (
        "skip",
        HOWELL,
        "A skip is not possible: the players who move do not all go the same way.",
    ),
    ("arrows", {**HOWELL, "round": 9}, LAST),
    (
        "arrows",
        MITCHELL,
        "This movement has two winners. Turning the arrows would mix its two fields.",
    ),
    ("stays", LAST_ROUND, LAST),
    ("stays", PLAYERS, PAIRS),
    ("back", LAST_ROUND, LAST),
    ("back", MITCHELL, "Nobody has left."),
    ("boards", LAST_ROUND, LAST),
    ("boards", ONE_BOARD, "One board is played in a round; there are no fewer."),
    ("places", TEAMS, MATCHES),
    ("wrong-boards", TEAMS, MATCHES),
    ("other-way", TEAMS, MATCHES),
    ("line", TEAMS, MATCHES),
    ("rebuild", LAST_ROUND, LAST),
    ("rebuild", TEAMS, PAIRS),
]


@pytest.fixture
def evening(club, alice):
    return lambda made: section_with(**made, club=club, by=alice)


def menu(browser, section):
    """The changes the desk offers, in their order."""
    page = browser.get(reverse("desk", args=[section.code])).content.decode()
    address = reverse("change", args=[section.code, "WISH"]).replace("WISH", "([a-z-]+)")
    return re.findall(rf'<a\s+class="btn"\s+href="{address}"', page)


@pytest.mark.parametrize("wish", WISHES)
def test_what_can_be_asked_for_is_shown(browser, evening, alice, wish):
    section = evening(SHOWN[wish])
    if wish == "back":
        in_which_one_can(wish, section, alice)

    assert wish in menu(browser, section)
    assert browser.get(address_of(section, wish)).status_code == 200


@pytest.mark.parametrize(("wish", "made", "reason"), NOT_SHOWN)
def test_what_makes_no_sense_is_not_shown_and_its_address_says_why(
    browser, evening, wish, made, reason
):
    section = evening(made)

    assert wish not in menu(browser, section)
    answer = browser.get(address_of(section, wish), follow=True)
    assert answer.redirect_chain == [(reverse("desk", args=[section.code]), 302)]
    assert [str(message) for message in answer.context["messages"]] == [reason]


@pytest.mark.guard
def test_every_wish_is_left_out_somewhere():
    always_in_a_round = {"late", "length"}
    listed = {wish for wish, *_ in NOT_SHOWN} | always_in_a_round

    assert difference(WISHES, listed, "NOT_SHOWN in tests/director/test_menu.py") == []


def test_before_the_start_there_is_what_changes_the_plan_and_after_the_end_nothing(
    browser, evening, alice
):
    planned = evening({**MITCHELL, "round": 0})
    finished = rounds.finish_session(evening(LAST_ROUND), round=7, by=alice)

    assert menu(browser, planned) == ["skip", "length"]
    assert menu(browser, finished) == []


def test_in_the_last_round_there_is_what_has_happened_and_who_may_still_come(browser, evening):
    assert menu(browser, evening(LAST_ROUND)) == [
        *("late", "wrong-boards", "places", "line", "other-way"),
        "length",
    ]


def test_rounds_that_are_not_drawn_cannot_be_planned_anew(browser, club):
    section = SectionFactory(session__event__club=club, round=1, boards_per_round=4)
    section.movement = store_movement(swiss(4, 3, contest="pairs"), boards_per_round=4)
    section.save()
    for number in section.movement.movement.contestants:
        Entry.objects.create(section=section, position=number, contestant=number)

    answers = [browser.get(address_of(section, wish), follow=True) for wish in ("stays", "rebuild")]

    assert not {"stays", "rebuild"} & set(menu(browser, section))
    assert [[str(message) for message in answer.context["messages"]] for answer in answers] == [
        ["The rounds to come are not drawn yet."]
    ] * 2


def test_a_stranger_is_not_told_why(client, carol, signed_in, evening):
    section = evening(MITCHELL)

    assert asks_to_sign_in(client.get(address_of(section, "arrows")))
    assert signed_in(carol).get(address_of(section, "arrows")).status_code == 404


@pytest.mark.parametrize("made", [MITCHELL, HOWELL, TEAMS], ids=["mitchell", "howell", "teams"])
def test_the_menu_costs_no_query(browser, evening, made, django_assert_num_queries):
    section = evening(made)
    section.movement.movement  # noqa: B018
    known = SessionEvening(section)
    known.entries  # noqa: B018

    with django_assert_num_queries(0):
        assert possible_wishes(section, known) != []
