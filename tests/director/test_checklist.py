"""The club's documents row by row, as a director plays them: chosen on the page, round 1 begun, changed live."""

import html
import re
from datetime import date, time

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.changes import change_options
from movements.engine.adviser import Wishes, advise_movements
from movements.engine.drawing.draws import DRAWN_ON_RESULTS
from tests.checklist import (
    ADVICE,
    BOARDS,
    LIVE,
    MOVEMENTS,
    RESULTS,
    WISHES,
    build,
    named,
    options_of,
)
from tests.factories import section_with

pytestmark = pytest.mark.django_db

PLAYED = [row for row in MOVEMENTS if row["number"] not in RESULTS]
#: nothing in a document says how many boards a round has; whatever suits so many rounds
MOST_BOARDS = 26
USUAL = {"copies": 1, "sharing": "on", "stands": "on"}
LATE = {"first": "Eve Engel", "second": "Max Late"}


def words(response):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def choose(browser, section, **answers):
    if answers.get("family") in DRAWN_ON_RESULTS:
        return choose_drawn(browser, section, answers)
    return browser.post(reverse("choose-movement", args=[section.code]), answers)


def choose_drawn(browser, section, answers):
    rounds, boards = answers["size"].split("x")
    chosen = {name: answers.get(f"option-{name}", "") for name in ("first", "odd")}
    behind = "1" if answers.get("option-behind") else ""
    address = reverse("choose-drawn", args=[section.code])
    asked = {"kind": answers["family"], "rounds": rounds, "boards": boards, "behind": behind}
    return browser.post(address, asked | chosen)


def begin(browser, section):
    """Start round 1 as the desk does, and return the section with the desk's page."""
    browser.post(reverse("next-round", args=[section.code]), {"after": 0})
    desk = browser.get(reverse("desk", args=[section.code]))
    section = Section.objects.get(pk=section.pk)
    assert (section.round, desk.status_code) == (1, 200)
    return section, words(desk)


def line_of(row):
    return "ns" if row.get("missing", "").startswith("NS") else "ew"


def size_of(row, rounds):
    """Any size with so many rounds; the Scissors Howell has four and no others."""
    if row["family"] == "scissors-howell":
        return "5x4"
    return f"{rounds}x{max(1, min(12, MOST_BOARDS // rounds))}"


def leave_free(browser, section, label):
    """Seat the pair with a label at the free seat, so that the half table is at its old place."""
    stored = section.movement.movement
    number = stored.contestant(label)
    if number is None:
        return
    game = next(item for item in stored.in_round(1) if not item.is_played)
    line = "ns" if game.ns is None else "ew"
    seat = {"one": number, "table": game.table, "line": line}
    browser.post(reverse("swap", args=[section.code]), seat)


CHOSEN = [row for row in PLAYED if not row.get("refused")]


def alike(row):
    """Return the shape of rows that look the same at the desk, in rooms of other sizes."""
    return row["family"], *sorted(options_of(row).items()), "missing" in row


#: the first of those that are alike is begun
BEGUN = {alike(row): row["number"] for row in reversed(CHOSEN)}.values()


@pytest.mark.parametrize("row", named(CHOSEN))
def test_a_director_chooses_the_movement_and_begins(browser, club, alice, row):
    built = build(row)
    section = section_with(len(built.contestants), club=club, by=alice, contest=built.contest)

    answer = choose(
        browser,
        section,
        family=row["family"],
        size=size_of(row, built.rounds),
        line=line_of(row),
        **options_of(row),
    )
    assert answer.status_code == 302, words(answer)
    if missing := row.get("missing"):
        leave_free(browser, Section.objects.get(pk=section.pk), missing)

    stored = Section.objects.get(pk=section.pk).movement.movement
    assert (stored.seatings, stored.fields) == (built.seatings, built.fields)
    if row["number"] in BEGUN:
        section, desk = begin(browser, section)
        assert f"Round 1 of {built.rounds}" in desk
        assert section.plays.exists()


@pytest.mark.parametrize("row", named(row for row in PLAYED if row.get("refused")))
def test_a_director_is_told_why_the_movement_cannot_be_had(browser, club, alice, row):
    section = section_with(2 * row["tables"], club=club, by=alice)
    rounds = row.get("rounds", row["tables"])

    answer = choose(
        browser, section, family=row["family"], size=size_of(row, rounds), **options_of(row)
    )

    assert answer.status_code == 422
    assert answer.context["problem"].endswith(".")
    assert Section.objects.get(pk=section.pk).movement is None


@pytest.mark.parametrize(
    ("row", "family"),
    [
        pytest.param(row, family, id=f"{row['number']}-{family}")
        for row in ADVICE
        for family in row["families"]
    ],
)
def test_a_director_gets_what_the_documents_choose_with_as_many_boards(
    browser, club, alice, row, family
):
    section = section_with(row["pairs"], club=club, by=alice)
    wished = {"fewest": row["boards"], "most": row["boards"]}
    wishes = Wishes(row["pairs"], row["boards"], row["boards"], late_pair=True)
    (advice,) = advise_movements(wishes, family_name=family)
    usual = advice.offer.options
    options = {
        f"option-{option.name}": option.text_of(usual[option.name])
        for option in advice.offer.family.options
        if option.name in usual
    }

    answer = choose(browser, section, family=family, **wished, **USUAL, late="on", **options)
    assert answer.status_code == 302, words(answer)

    section = Section.objects.get(pk=section.pk)
    boards = section.total_boards or section.movement.rounds * section.boards_per_round
    assert (section.movement.family, boards) == (family, row["boards"])


@pytest.mark.parametrize("row", named(BOARDS))
def test_boards_are_dealt_to_the_rounds_as_the_documents_say(browser, club, alice, row):
    for size, groups in row["sizes"].items():
        section = section_with(2 * row["tables"], club=club, by=alice)
        answer = choose(browser, section, family=row["family"], size=size)
        assert answer.status_code == 302, words(answer)
        dealt = sorted(
            map(len, Section.objects.get(pk=section.pk).movement.numbers.values()), reverse=True
        )
        assert dealt == groups, size


@pytest.mark.parametrize("row", named(WISHES))
def test_the_suggestions_tell_what_a_wish_means(browser, club, alice, row):
    section = section_with(row["pairs"], club=club, by=alice)
    asked = {**USUAL, "open": row["family"], "all": "1", "fewest": 24, "most": 28, **row["asked"]}

    page = browser.get(
        reverse("choose-movement", args=[section.code]),
        {name: answer for name, answer in asked.items() if answer != "off"},
    )

    assert page.context["form"].is_valid()
    for sentence in row["says"]:
        assert sentence in words(page)


def change(browser, section, wish, kind, asked):
    """Ask the desk for a change, take the first way of a kind, and return the section as it is then."""
    address = reverse("change", args=[section.code, wish])
    page = browser.get(address, asked)
    options = change_options(section, page.context["form"].change)
    way = next(option.key for option in options if option.proposal.kind == kind)
    assert way in page.content.decode()

    names = LATE if wish == "late" else {}
    answer = browser.post(address, {"plan": section.plan, "way": way, **asked, **names})

    assert answer.headers["Location"] == reverse("desk", args=[section.code])
    section = Section.objects.get(pk=section.pk)
    assert section.movements.latest("version").change == kind
    return section


def plays_of(section):
    """Return the boards of each table in the finished rounds."""
    over = section.plays.filter(round__lt=section.round)
    return sorted(over.values_list("round", "table", "board", "ns__position", "ew__position"))


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=f"{row['number']}-{row['family']}-{row['kind']}") for row in LIVE],
)
def test_a_director_changes_the_evening_as_the_documents_say(browser, club, alice, row):
    section = section_with(
        row["pairs"],
        row["family"],
        rounds=row.get("rounds"),
        round=row["round"],
        club=club,
        by=alice,
    )
    played = plays_of(section)

    section = change(browser, section, row["wish"], row["kind"], row.get("asked", {}))
    assert (plays_of(section) == played) == (row["kind"] != "as-played")
    browser.post(reverse("next-round", args=[section.code]), {"after": row["round"]})

    section = Section.objects.get(pk=section.pk)
    assert section.round == row["round"] + 1
    assert browser.get(reverse("desk", args=[section.code])).status_code == 200


def plays_at(section, round, table):
    return section.plays.filter(round=round, table=table)


def test_a_skip_is_put_in_and_taken_out_at_the_desk(browser, club, alice):
    section = section_with(18, "mitchell", rounds=4, round=1, club=club, by=alice)
    was = section.movement.movement.seatings

    section = change(browser, section, "skip", "skip", {})
    assert section.movement.movement.seatings != was
    section = change(browser, section, "skip", "no-skip", {})

    assert section.movement.movement.seatings == was


def test_one_board_that_was_turned_is_put_right_at_the_desk(browser, club, alice):
    section = section_with(14, "mitchell", round=3, club=club, by=alice)
    before = {play.board: (play.ns_id, play.ew_id) for play in plays_at(section, 2, 3)}

    section = change(
        browser, section, "other-way", "as-played", {"round": 2, "table": 3, "boards": "11"}
    )

    after = {play.board: (play.ns_id, play.ew_id) for play in plays_at(section, 2, 3)}
    assert after.pop(11) == before.pop(11)[::-1]
    assert after == before
    assert len(before) == 2


@pytest.mark.parametrize(
    ("word", "said"), [("stand", "stand"), ("relay", "relay"), ("bye-stand", "bye-stand")]
)
def test_a_stand_is_called_what_the_club_calls_it(browser, club, alice, word, said):
    club.stand_word = word
    club.save()
    section = section_with(16, "share-and-relay", round=1, club=club, by=alice)

    desk = browser.get(reverse("desk", args=[section.code]))

    assert re.search(rf"\bon the {said}, ", words(desk)), words(desk)


def test_a_crisscross_gives_way_to_the_mitchell_of_a_table_more(browser, club, alice):
    section = section_with(16, "crisscross", club=club, by=alice)
    add = reverse("add-pair", args=[section.code])
    page = browser.post(add, {"first": "Eve Adams", "second": "Max Late"}, follow=True)
    assert (
        "Crisscross Mitchell is not possible with this number of entries. Choose the movement"
        in words(page)
    )
    browser.post(add, {"first": "Ida Stein", "second": "Udo Stein"})

    choose(browser, section, family="mitchell", size="9x3")

    section, _desk = begin(browser, section)
    assert (section.movement.family, section.movement.tables) == ("mitchell", 9)


def test_where_a_pair_does_not_come_the_crisscross_stays_with_half_a_table(browser, club, alice):
    section = section_with(16, "crisscross", club=club, by=alice)
    last = section.entries.last()

    browser.post(reverse("withdraw", args=[section.code, last.pk]))

    section, _desk = begin(browser, section)
    assert (section.movement.family, section.movement.movement.has_sit_out) == ("crisscross", True)


def test_the_rows_of_a_mitchell_for_teams_play_the_second_session_by_themselves(
    browser, club, alice
):
    section = section_with(10, "mitchell-teams", contest="teams", round=5, club=club, by=alice)
    address = reverse("copy-session", args=[section.code])
    page = browser.get(address, {"second": 1})
    assert "Each row in a section of its own" in words(page)

    browser.post(
        f"{address}?second=1",
        {
            "name": "Final",
            "date": date(2027, 3, 1),
            "starts_at": time(19, 0),
            "with_entries": "yes",
            "sit": "rows",
        },
    )

    rows = Section.objects.exclude(pk=section.pk).order_by("name")
    assert [(row.name, row.entries.count()) for row in rows] == [("A", 5), ("B", 5)]
    for row in rows:
        assert choose(browser, row, family="team-rings", size="4x6").status_code == 302
        begin(browser, row)
