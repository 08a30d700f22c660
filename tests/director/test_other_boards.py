"""A table had boards from another place: recorded, with the consequences and the possible repairs."""

import re
from random import Random

import pytest

from bridgebuddy.events.models import Event, Section, Session
from bridgebuddy.events.services.play import changes
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.events.services.setup.deals import last_deal, renumber_later
from bridgebuddy.scoring.files.exports import exported_file, exported_session
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import Traveller
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine import catalogue
from movements.engine.board_copies.borrowed_sets import borrowed_set
from movements.engine.changes import PairArrives
from tests.factories import section_with
from tests.scoring.test_drawing import publish, score, swiss
from tests.scoring.test_tonight import enter_by_chance

from .reading import address_of, text

pytestmark = pytest.mark.django_db

RELAY = catalogue.build_movement("share-and-relay", 8)


@pytest.fixture
def section(club, alice):
    """Sixteen pairs; in round 2 boards 16-18 wait on the stand after table 4, and table 4 has 13-15."""
    return section_with(16, "share-and-relay", round=2, club=club, by=alice)


def waiting(section, round):
    [name] = (name for item in RELAY.waiting(round) for name in item.sets)
    return section.movement.numbers[name]


def ways_on(page):
    return re.findall(r'name="way"\s+id="[^"]+"\s+value="([^"]+)"', page.content.decode())


def test_what_lay_on_the_stand_is_offered_and_written_down_with_its_plays(
    section, signed_in, alice
):
    browser, address = signed_in(alice), address_of(section, "wrong-boards")
    boards = waiting(section, 2)
    assert "had these boards" in text(browser.get(address))

    said = {"round": 2, "table": 4, "boards": f"{boards[0]}-{boards[-1]}"}
    page = browser.get(address, said)
    way = ways_on(page)[0]
    browser.post(address, {**said, "plan": section.plan, "way": way})

    played = section.plays.filter(round=2, table=4, taken_back_at=None)
    assert sorted(played.values_list("board", flat=True)) == list(boards)
    assert "Boards never played" in text(page)
    desk = text(browser.get(f"/s/{section.code}/desk/"))
    assert f"Table 4 had boards {boards[0]}–{boards[-1]} instead of 13–15 in round 2." in desk
    assert Section.objects.get(pk=section.pk).movement.movement.waiting(2) == ()


@pytest.mark.parametrize("sent", [{"boards": ""}, {"other_table": 3, "boards": "1"}])
def test_it_is_the_boards_of_another_table_or_else_some_boards(section, signed_in, alice, sent):
    address = address_of(section, "wrong-boards")

    page = signed_in(alice).get(address, {"round": 2, "table": 4, **sent})

    assert page.status_code == 422
    assert "Choose the other table, or else say which boards." in text(page)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"boards": "x"}, "Type boards like 7-8 or 7, 11."),
        ({"boards": "16-18", "instead": "5"}, "Table 4 was to play boards 13–15 in round 2."),
        ({"boards": "16"}, "Table 4 was to play boards 13–15 in round 2."),
        ({"boards": "13-15"}, "These are the boards that this table was to play."),
        ({"boards": "99"}, "Board 99 is not played in this session."),
    ],
)
def test_what_cannot_be_is_said_at_its_field(section, signed_in, alice, sent, told):
    page = signed_in(alice).get(
        address_of(section, "wrong-boards"), {"round": 2, "table": 4, **sent}
    )

    assert page.status_code == 422
    assert told in text(page)


@pytest.fixture
def halves(club, alice):
    """Sections A and B of five and seven tables, each in its second round."""

    def made(*, same_deals):
        one = section_with(10, "mitchell", club=club, by=alice)
        other = section_with(14, "mitchell", club=club, by=alice)
        Session.objects.filter(pk=one.session_id).update(same_deals=same_deals)
        Section.objects.filter(pk=other.pk).update(session=one.session, name="B")
        both = [Section.objects.get(pk=section.pk) for section in (one, other)]
        if not same_deals:
            renumber_later(both[0])
        for section in both:
            for round in range(2):
                start_next_round(section, after=round, by=alice)
        return [Section.objects.get(pk=section.pk) for section in both]

    return made


def record(browser, section, said):
    address = address_of(section, "wrong-boards")
    page = browser.get(address, said)
    [way, *_] = ways_on(page)
    browser.post(address, {**said, "plan": section.plan, "way": way})
    section.refresh_from_db()
    return page


@pytest.mark.parametrize("same_deals", [True, False])
def test_boards_of_another_section_are_compared_with_what_was_made_of_them_there(
    halves, signed_in, alice, same_deals
):
    one, other = halves(same_deals=same_deals)
    numbers = other.movement.numbers["G"]
    said = {"round": 1, "table": 1, "boards": f"{numbers[0]}-{numbers[-1]}"}
    own = set(one.plays.filter(round=1, table=1).values_list("board", flat=True))
    browser = signed_in(alice)

    page = record(browser, one, said)
    enter_by_chance(one)
    enter_by_chance(other)

    assert "to prepare" not in text(page)
    played = one.plays.filter(round=1, table=1, taken_back_at=None)
    assert set(played.values_list("board", flat=True)) == set(numbers) != own
    scored = ScoredSession(SessionSnapshot(one))
    line = next(x for x in scored.tonight.in_round(one, 1) if x.board == numbers[0])
    there = scored.tonight.lines_of_board(other, line.board)
    row = scored.results.plays[line.index].ns
    assert (row.rule, row.results) == ("neuberg", 1 + sum(x.outcome is not None for x in there))
    field = scored.field_of(line)
    assert field is not None
    assert (field.results, field.deals) == (row.results, None if same_deals else "B")
    assert line in scored.tonight.lines_by_cards[scored.tonight.cards_of(there[0])]
    assert "Boards of section B" in text(page)
    for path in (f"board/{numbers[0]}/", "boards/", "slips/?round=1&table=1", "look-at/"):
        for section in (one, other):
            assert browser.get(f"/s/{section.code}/results/{path}").status_code == 200
    for section in (one, other):
        rows = Traveller(scored, section, numbers[0]).rows
        assert {(x.line.section.name, x.line.round) for x in rows} == {("A", 1), ("B", 1), ("B", 2)}
        assert [x.results for x in Traveller(scored, section, numbers[0]).fields] == [len(rows)]
    games = [game for game in exported_session(scored).games if game.board == numbers[0]]
    assert [{x.section for x in game.lines} for game in games] == [{"A", "B"}]
    for name in ("usebio", "pbn", "bridgewebs", "csv"):
        assert exported_file(one, name)
    assert f"Table 1 had boards {numbers[0]}–{numbers[-1]} instead" in text(
        browser.get(f"/s/{one.code}/desk/")
    )


def test_boards_of_another_section_are_no_boards_of_this_one(halves, signed_in, alice):
    """They are not planned for later, their boxes get no labels, and new boards have numbers beyond them."""
    one, other = halves(same_deals=False)
    numbers = other.movement.numbers["G"]

    browser = signed_in(alice)

    record(browser, one, {"round": 2, "table": 1, "boards": f"{numbers[0]}-{numbers[-1]}"})

    later = [s for s in one.stored.movement.seatings if s.round > 2]
    assert not any(borrowed_set(name) for s in later for name in s.sets)
    assert last_deal(other) == max(range(1, 16))
    for way in changes.change_options(one, PairArrives()):
        assert not any(borrowed_set(x) for x in way.proposal.consequences.new_sets)
    labels = text(browser.get(f"/s/{one.code}/print/board-labels.html"))
    assert "1–3" in labels
    assert f"{numbers[0]}–{numbers[-1]}" not in labels
    changes.undo_change(one, by=alice, plan=one.plan)
    assert not one.plays.filter(taken_back_at=None, board__gte=numbers[0]).exists()


def test_where_sections_are_compared_apart_boards_of_another_one_are_said_to_be_its_own(
    halves, signed_in, alice
):
    one, _other = halves(same_deals=True)
    ScoringSettings.objects.create(session=one.session, profile={"scope": "section"})

    page = signed_in(alice).get(
        address_of(one, "wrong-boards"), {"round": 1, "table": 1, "boards": "19-21"}
    )

    assert "belongs to section B" in text(page)
    assert "Enter under Results that table 1 did not play its own board." in text(page)


def test_single_boards_become_those_of_the_table_with_their_results_and_are_not_played_again(
    club, signed_in, alice
):
    """Table 3 was to play 7-9 in round 1 and had 10 instead of 9; the result stays with its play."""
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    enter_by_chance(section)
    browser, address = signed_in(alice), address_of(section, "wrong-boards")
    play = section.plays.get(round=1, table=3, board=9)
    said = {"round": 1, "table": 3, "boards": "10", "instead": "9"}

    page = browser.get(address, said)
    browser.post(address, {**said, "plan": section.plan, "way": ways_on(page)[0]})

    play.refresh_from_db()
    assert (play.board, play.taken_back_at) == (10, None)
    assert play.results.exists()
    section.refresh_from_db()
    slip = text(browser.get(f"/s/{section.code}/results/slips/?round=1&table=3"))
    assert "Board 10" in slip
    assert "Board 9" not in slip
    desk = text(browser.get(f"/s/{section.code}/desk/"))
    assert "Table 3 had boards 10 instead of 9 in round 1." in desk


def test_single_players_write_down_boards_and_places_too(club, signed_in, alice):
    section = section_with(8, "individual", round=2, club=club, by=alice, contest="individual")
    browser = signed_in(alice)
    Event.objects.update(name="Tuesday")
    menu = browser.get(f"/s/{section.code}/desk/")
    assert "Two players sat wrong" in text(menu)
    own = sorted(section.plays.filter(round=2, table=1).values_list("board", flat=True))
    later = max(section.movement.numbers["G"])
    for wish, said in (
        ("wrong-boards", {"round": 2, "table": 1, "boards": later, "instead": own[0]}),
        ("places", {"round": 2, "one": 1, "other": 2}),
        ("other-way", {"round": 2, "table": 2}),
    ):
        section.refresh_from_db()
        page = browser.get(address_of(section, wish), said)
        assert not re.search(r"\bpairs?\b", text(page), re.I), wish
        browser.post(
            address_of(section, wish), {**said, "plan": section.plan, "way": ways_on(page)[0]}
        )
    played = section.plays.filter(round=2, table=1, taken_back_at=None)
    assert later in played.values_list("board", flat=True)
    assert section.movements.count() == 4


def test_a_round_can_be_drawn_after_a_table_had_boards_of_it(club, signed_in, alice):
    """In a Swiss of pairs table 1 had the first board of round 2 in round 1, instead of its own."""
    section = swiss(8, club=club, by=alice)
    browser, address = signed_in(alice), address_of(section, "wrong-boards")
    [first, second, *_] = sorted(section.movement.numbers.values(), key=min)
    said = {"round": 1, "table": 1, "boards": second[0], "instead": first[0]}

    page = browser.get(address, said)
    browser.post(address, {**said, "plan": section.plan, "way": ways_on(page)[0]})
    section.refresh_from_db()
    score(section, Random(1))
    publish(section, alice)
    start_next_round(section, after=1, by=alice)

    section.refresh_from_db()
    assert section.plays.filter(round=2, taken_back_at=None).exists()


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

    assert "boards that their players had already played. Check these results" in text(desk)
    assert f'<a href="/s/{section.code}/results/look-at/">' in desk.content.decode()


def test_an_address_that_says_a_part_fills_in_the_form_and_refuses_nothing(
    section, signed_in, alice
):
    page = signed_in(alice).get(address_of(section, "wrong-boards"), {"round": 1, "table": 4})

    form = page.context["form"]
    assert (page.status_code, form.errors) == (200, {})
    assert (form["round"].value(), form["table"].value()) == ("1", "4")
