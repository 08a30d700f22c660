"""A table had boards that lay somewhere else: written down, with what comes of it and what can be done."""

import re

import pytest

from bridgebuddy.events.models import Section
from movements.engine import catalogue
from tests.factories import section_with
from tests.scoring.test_tonight import enter_by_chance

from .reading import address_of, text

pytestmark = pytest.mark.django_db

RELAY = catalogue.build("share-and-relay", 8)


@pytest.fixture
def section(club, alice):
    """Sixteen pairs; in round 2 boards 16-18 wait on the stand after table 4, and table 4 has 13-15."""
    return section_with(16, "share-and-relay", round=2, club=club, by=alice)


def waiting(section, round):
    [name] = (name for one in RELAY.waiting(round) for name in one.sets)
    return name, section.movement.numbers[name]


def ways_on(page):
    return re.findall(r'name="way"\s+id="[^"]+"\s+value="([^"]+)"', page.content.decode())


def test_what_lay_on_the_stand_is_offered_and_written_down_with_its_plays(
    section, signed_in, alice
):
    browser, address = signed_in(alice), address_of(section, "wrong-boards")
    name, boards = waiting(section, 2)
    assert "or had boards from a stand, another table or the box" in text(browser.get(address))

    said = {"round": 2, "table": 4, "boards": name}
    page = browser.get(address, said)
    way = ways_on(page)[0]
    browser.post(address, {**said, "plan": section.plan, "way": way})

    played = section.plays.filter(round=2, table=4, taken_back_at=None)
    assert sorted(played.values_list("board", flat=True)) == list(boards)
    assert "Boards never played" in text(page)
    desk = text(browser.get(f"/s/{section.code}/desk/"))
    assert f"Table 4 had boards {boards[0]}–{boards[-1]} in round 2." in desk
    assert Section.objects.get(pk=section.pk).movement.movement.waiting(2) == ()


@pytest.mark.parametrize("sent", [{"boards": ""}, {"other_table": 3, "boards": "A"}])
def test_it_is_the_boards_of_another_table_or_else_some_boards(section, signed_in, alice, sent):
    address = address_of(section, "wrong-boards")

    page = signed_in(alice).get(address, {"round": 2, "table": 4, **sent})

    assert page.status_code == 422
    assert "Choose the other table, or else the boards." in text(page)


def test_the_slips_of_a_table_lead_there(section, signed_in, alice):
    page = signed_in(alice).get(f"/s/{section.code}/results/slips/?round=2&table=4")

    assert f"/s/{section.code}/change/wrong-boards/?round=2&amp;table=4" in page.content.decode()
    assert "They had other boards" in text(page)


def test_boards_that_came_twice_by_it_are_told_at_once_with_the_way_to_their_repair(
    club, alice, signed_in
):
    """In round 1 tables 1 and 2 had played each other's boards: in round 2 one of them came once more."""
    section = section_with(10, "mitchell", round=2, club=club, by=alice)
    enter_by_chance(section)
    browser, address = signed_in(alice), address_of(section, "wrong-boards")
    said = {"round": 1, "table": 1, "other_table": 2}

    [way, *_] = ways_on(browser.get(address, said))
    section.refresh_from_db()
    desk = browser.post(address, {**said, "plan": section.plan, "way": way}, follow=True)

    assert "boards that somebody had played before. Look at them" in text(desk)
    assert f'<a href="/s/{section.code}/results/look-at/">' in desk.content.decode()


def test_an_address_that_says_a_part_fills_in_the_form_and_refuses_nothing(
    section, signed_in, alice
):
    page = signed_in(alice).get(address_of(section, "wrong-boards"), {"round": 1, "table": 4})

    form = page.context["form"]
    assert (page.status_code, form.errors) == (200, {})
    assert (form["round"].value(), form["table"].value()) == ("1", "4")
