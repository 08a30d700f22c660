"""Evenings of single players and of teams, from opening the session to the cards."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Entry, Section, Session
from bridgebuddy.events.queries.plan.evening import SessionEvening
from movements.engine import laws
from tests.director.reading import alerts_on, text, ways_on
from tests.factories import section_with

pytestmark = pytest.mark.django_db

SESSION = {
    "name": "Teams night",
    "date": "2026-11-24",
    "starts_at": "19:00",
    "fewest_boards": 20,
    "most_boards": 28,
    "minutes_per_board": 7,
}
#: so many, the movement the adviser puts first, and one entry as a line
EVENINGS = {
    "individual": (20, "rainbow", "Anna North{n}"),
    "teams": (8, "team-awl", "Anna North{n}; Bob South{n}; Cleo East{n}; Dan West{n}"),
}


@pytest.mark.parametrize("contest", EVENINGS)
def test_an_evening_is_opened_entered_chosen_and_played(browser, club, contest):
    count, family, line = EVENINGS[contest]
    lines = "\n".join(line.format(n=n) for n in range(1, count + 1))
    browser.post(reverse("new-session"), {**SESSION, "contest": contest, "pairs": lines})
    section = Section.objects.get()
    assert (section.contest, section.entries.count()) == (contest, count)

    choose = reverse("choose-movement", args=[section.code])
    assert f'value="{family}"' in browser.get(choose).content.decode()
    taken = browser.post(choose, {"family": family, "fewest": 20, "most": 28, "stands": "on"})
    assert taken.status_code == 302
    for after in range(2):
        browser.post(reverse("next-round", args=[section.code]), {"after": after})

    section.refresh_from_db()
    assert section.round == 2
    assert section.movement.contest == contest
    assert laws.find_errors(section.movement.movement) == ()
    for page in ("desk", "entries", "all-rounds", "print", "history"):
        assert browser.get(reverse(page, args=[section.code]), follow=True).status_code == 200
    label = SessionEvening(section).contestants[1].slug
    assert browser.get(f"/p/{section.code}/{label}/").status_code == 200
    assert browser.get(f"/s/{section.code}/print/guide-cards.html").status_code == 200


@pytest.mark.parametrize(
    ("contest", "said"),
    [("pairs", "16 pairs"), ("individual", "16 players"), ("teams", "16 teams")],
)
def test_those_who_play_are_called_what_they_are(browser, alice, club, contest, said):
    section = section_with(16, contest=contest, club=club, by=alice)
    Session.objects.update(date=club.today)  # home tells more of tonight's

    for page in ("entries", "choose-movement"):
        assert f"{said} on the list" in text(browser.get(reverse(page, args=[section.code])))
    assert f"{said}." in text(browser.get(reverse("home")))


def test_a_team_is_entered_name_by_name_and_one_name_twice_is_told(browser, alice, club):
    section = section_with(2, contest="teams", club=club, by=alice)
    add = reverse("add-pair", args=[section.code])
    four = {"first": "Eva A", "second": "Max B", "third": "Ina C", "fourth": "eva a"}

    refused = browser.post(add, four)

    assert refused.status_code == 422
    assert alerts_on(refused) == ["A team is four people; this is the same name twice."]
    assert 'value="Ina C"' in refused.content.decode()
    assert browser.post(add, {**four, "fourth": "Uwe D"}).status_code == 302
    assert section.entries.last().names == "Eva A & Max B & Ina C & Uwe D"


def test_a_player_of_another_team_is_told_beside_the_name(browser, alice, club):
    section = section_with(2, contest="teams", club=club, by=alice)
    four = {"first": "Eva A", "second": "Max B", "third": "Cleo East2", "fourth": "Uwe D"}

    page = browser.post(reverse("add-pair", args=[section.code]), four).content.decode()

    assert 'id="error-third"' in page


def test_a_single_player_needs_one_name(browser, alice, club):
    section = section_with(8, contest="individual", club=club, by=alice)

    assert (
        browser.post(reverse("add-pair", args=[section.code]), {"first": "Eva Engel"}).status_code
        == 302
    )

    assert section.entries.last().names == "Eva Engel"
    page = browser.get(reverse("entries", args=[section.code])).content.decode()
    assert 'name="second"' not in page


def test_lines_with_the_wrong_number_of_names_are_told(browser, club):
    for contest, line, said in (
        (
            "individual",
            "Eva & Max",
            "The line has more than one name. Enter single players on separate lines.",
        ),
        ("teams", "Eva, Max", "Four names are needed for a team."),
    ):
        page = browser.post(reverse("new-session"), {**SESSION, "contest": contest, "pairs": line})
        assert said in text(page)
    assert not Entry.objects.exists()


def test_a_contest_there_is_not_is_refused(browser, club):
    page = browser.post(reverse("new-session"), {**SESSION, "contest": "poker"})

    assert page.status_code == 422
    assert not Section.objects.exists()


def test_a_player_more_sits_out_in_turn_and_the_movement_follows(browser, alice, club):
    section = section_with(12, "individual", contest="individual", club=club, by=alice, rounds=9)

    browser.post(reverse("add-pair", args=[section.code]), {"first": "Eva Engel"})

    section.refresh_from_db()
    assert section.movement.family == "individual"
    assert [len(SessionEvening(section).sit_outs(round)) for round in (1, 2, 3)] == [1, 1, 1]


def test_a_team_that_leaves_a_round_robin_is_out_of_it(browser, alice, club):
    section = section_with(8, "team-round-robin", contest="teams", club=club, by=alice, round=2)
    leave = reverse("change", args=[section.code, "leaves"])

    page = browser.get(leave, {"contestant": 3})

    assert page.status_code == 200
    assert alerts_on(page) == []


@pytest.mark.parametrize(
    ("contest", "count", "family", "late"),
    [("individual", 20, "rainbow", "Late player"), ("teams", 8, "team-awl", "Late team")],
)
def test_the_desk_names_who_comes_late_and_offers_no_search(
    browser, alice, club, contest, count, family, late
):
    section = section_with(count, family, contest=contest, club=club, by=alice, round=1)

    desk = text(browser.get(reverse("desk", args=[section.code])))
    page = browser.get(reverse("change", args=[section.code, "late"]))

    assert late in desk
    assert "A pair cannot move" not in desk
    assert "There is no free seat in the rounds to come." in text(page)
    assert "change/rebuild" not in page.content.decode()


def test_each_half_of_a_team_counts_its_boards(browser, alice, club):
    section = section_with(8, contest="teams", club=club, by=alice)

    asked = {"fewest": 24, "most": 28, "sharing": "on", "stands": "on", "open": "team-awl"}
    page = text(browser.get(reverse("choose-movement", args=[section.code]), asked))

    assert "24 of 48 boards" in page  # four matches of six
    assert "A late pair" not in page
    assert "0 teams" in page


def test_the_tables_of_a_match_are_counted_as_they_stand_in_the_room(browser, alice, club):
    section = section_with(8, contest="teams", club=club, by=alice)

    page = browser.get(reverse("choose-movement", args=[section.code]))

    rows = {row.name: row for row in page.context["rows"]}
    assert rows["team-round-robin"].full_table_count == 8
    assert not rows["team-round-robin"].half_tables


@pytest.mark.parametrize(
    ("contest", "family", "count", "said", "told"),
    [
        (
            *("teams", "team-round-robin", 8),
            [
                "Choose a team",
                "Its matches are not played",
                "Its opponents have no match in that round.",
                "Remove the team",
            ],
            "left; their matches to come are not played.",
        ),
        (
            *("individual", "rainbow", 20),
            [
                "Choose a player",
                "Its tables are not played",
                "The other players at the table sit out.",
                "Remove the player",
            ],
            "left; the others at their table sit out.",
        ),
    ],
)
def test_who_leaves_is_no_pair_where_teams_or_players_play(
    browser, alice, club, contest, family, count, said, told
):
    section = section_with(count, family, round=1, contest=contest, club=club, by=alice)
    address = reverse("change", args=[section.code, "leaves"])

    asked = browser.get(address, {"contestant": 2})
    (key,) = ways_on(asked)
    browser.post(address, {"contestant": 2, "way": key, "plan": section.plan})

    page = text(asked).replace("Tuesday Pairs", "")
    assert [words for words in said if words not in page] == []
    assert re.search(r"\bpairs?\b", page, re.IGNORECASE) is None
    assert told in text(browser.get(reverse("desk", args=[section.code])))


def test_nothing_is_turned_where_teams_meet_in_both_directions(browser, alice, club):
    section = section_with(8, "mitchell-teams", round=1, contest="teams", club=club, by=alice)

    desk = text(browser.get(reverse("desk", args=[section.code])))

    assert "Arrow-switch" not in desk


def test_a_team_that_comes_back_is_seated_as_a_team(browser, alice, club):
    section = section_with(8, "team-round-robin", round=1, contest="teams", club=club, by=alice)
    address = reverse("change", args=[section.code, "leaves"])
    (key,) = ways_on(browser.get(address, {"contestant": 2}))
    browser.post(address, {"contestant": 2, "way": key, "plan": section.plan})

    page = browser.get(reverse("change", args=[section.code, "back"]), {"contestant": 2})

    assert "The team plays against the team without opponents." in text(page)
    assert "Seat the team there" in text(page)
