"""A league of teams of six: reserves named beforehand, line-ups that change at half-time, told everywhere."""

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.director.results.entry.table_rows import rows_by_table
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.queries.roster.players import playing_records
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import names_of, section_with
from tests.players.reading import player, words

pytestmark = pytest.mark.django_db

SIX = ("Anna North1", "Bob South1", "Cleo East1", "Dan West1", "Eve Five", "Finn O’Hara")
FIELDS = ("first", "second", "third", "fourth", "fifth", "sixth")


@pytest.fixture
def section(club, alice, client):
    made = section_with(0, contest="teams", club=club, by=alice)
    entries.add_pairs(made, [SIX, *names_of(4, "teams")[1:]], by=alice)
    client.force_login(alice)
    return movement.choose_movement(made, "team-round-robin", boards_per_round=4, by=alice)


def names(client, section, *people, **more):
    """Enter a team in the browser."""
    address = reverse("add-pair", args=[section.code])
    return client.post(address, dict(zip(FIELDS, people, strict=False)) | more)


def seat(client, section, *people, entry=None, follow=False, **more):
    """Say a line-up in the browser, as the page shows it."""
    team = entry or section.entries.get(position=1)
    address = reverse("line-up", args=[section.code, team.pk])
    form = client.get(address).context["form"]
    sent = dict(zip(("north", "south", "east", "west"), people, strict=True))
    sent |= {"from_round": 1, "until_round": 1, "shown": form["shown"].value()}
    return client.post(address, sent | more, follow=follow)


def rows(client, section):
    """Return the rows of the page of the first team's line-up."""
    team = section.entries.get(position=1)
    page = client.get(reverse("line-up", args=[section.code, team.pk]))
    return [
        (round.round, round.half, round.ns, round.ew, round.rests)
        for round in page.context["rounds"]
    ]


def test_a_team_of_five_or_six_is_entered_in_the_browser_and_one_of_four_as_ever(
    client, club, alice
):
    section = section_with(0, contest="teams", club=club, by=alice)
    client.force_login(alice)
    long = "Maximiliane " + "von " * 10 + "Hohenzol"
    assert len(long) == 60

    for people in (names_of(1, "teams")[0], ("A B", "C D", "E F", "G H", "Seán O’Brien", long)):
        assert names(client, section, *people).status_code == 302

    four, six = section.entries.all()
    assert [len(team.players) for team in (four, six)] == [4, 6]
    assert [str(item) for item in six.players][4:] == ["Seán O’Brien", long]
    page = client.get(reverse("entries", args=[section.code])).content.decode()
    assert long in page


def test_a_reserve_who_is_named_twice_or_in_another_team_is_refused_beside_the_name(
    client, section
):
    again = names(client, section, "A B", "C D", "E F", "G H", "a  b")
    elsewhere = names(client, section, "A B", "C D", "E F", "G H", "Bob South2")

    assert again.context["pair_form"].errors.keys() == {"fifth"}
    assert elsewhere.context["pair_form"].errors.keys() == {"fifth"}
    assert section.entries.count() == 4


def test_a_reserve_is_added_later_and_the_slower_of_two_directors_loses_nobody(client, section):
    team = section.entries.get(position=2)
    address = reverse("edit-pair", args=[section.code, team.pk])
    form = client.get(address).context["form"]
    sent = {name: form[name].value() or "" for name in (*FIELDS, "shown")}

    client.post(address, sent | {"fifth": "Jo New"})
    slower = client.post(address, sent | {"fifth": ""}, follow=True)

    assert "Another director has changed the session meanwhile" in slower.content.decode()
    assert [str(item) for item in section.entries.get(position=2).players][4:] == ["Jo New"]


def test_a_line_up_of_the_second_half_is_told_on_desk_phones_and_paper_and_taken_back(
    client, section, alice
):
    section = rounds.start_next_round(section, after=0, by=alice)
    label = str(section.entries.get(position=1).contestant)
    usual = ("Anna North1 & Bob South1", "Cleo East1 & Dan West1", "Eve Five, Finn O’Hara")
    assert rows(client, section)[0] == (1, 0, *usual)

    answer = seat(client, section, "Eve Five", "Bob South1", *SIX[2:4], half=2, follow=True)

    assert rows(client, section)[:3] == [
        (1, 1, *usual),
        (1, 2, "Eve Five & Bob South1", usual[1], "Anna North1, Finn O’Hara"),
        (2, 0, *usual),
    ]
    phone = words(player(client, section, label))
    assert (
        "Anna North1 & Bob South1 at your home table from half-time on Eve Five & Bob South1"
        in phone
    )
    assert "Rests Finn O’Hara" in phone
    desk = words(client.get(reverse("desk", args=[section.code])))
    assert "then Five & South1" in desk
    assert "round 1 from half-time on: Eve Five & Bob South1 & Cleo East1 & Dan West1." in desk

    assert "Undo the last change" in answer.content.decode()
    team = section.entries.get(position=1)
    client.post(reverse("line-up", args=[section.code, team.pk]), {"undo": 1})
    assert rows(client, section)[0] == (1, 0, *usual)
    assert Entry.objects.get(pk=team.pk).second_halves == {}
    assert "from half-time on" not in words(player(client, section, label))


def test_what_another_director_has_said_since_is_not_taken_back(client, section):
    seat(client, section, "Eve Five", *SIX[1:4], half=2)
    team = section.entries.get(position=1)
    mine = client.session["line-up"]
    seat(client, section, "Finn O’Hara", *SIX[1:4], half=2)
    session = client.session
    session["line-up"] = mine
    session.save()

    answer = client.post(reverse("line-up", args=[section.code, team.pk]), {"undo": 1}, follow=True)

    assert "Another director has changed" in answer.content.decode()
    assert rows(client, section)[1][2] == "Finn O’Hara & Bob South1"


def test_the_page_asks_of_the_round_being_played_what_follows_half_time(client, section, alice):
    team = section.entries.get(position=1)
    address = reverse("line-up", args=[section.code, team.pk])
    assert client.get(address).context["form"]["half"].value() == 0

    rounds.start_next_round(Section.objects.get(pk=section.pk), after=0, by=alice)

    assert client.get(address, {"round": 1}).context["form"]["half"].value() == 2
    assert client.get(address, {"round": 1, "half": 0}).context["form"]["half"].value() == 0
    assert client.get(address, {"round": 2}).context["form"]["half"].value() == 0


def test_somebody_named_twice_in_a_half_is_refused_beside_the_name(client, section):
    answer = seat(client, section, SIX[0], SIX[1], SIX[0], SIX[3], half=2)

    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"east"}


def test_the_table_has_a_row_for_each_half_where_results_are_entered(client, section, alice):
    section = rounds.start_next_round(section, after=0, by=alice)
    seat(client, section, "Eve Five", *SIX[1:4], half=2)

    page = words(client.get(reverse("results", args=[section.code])))

    assert "North1 & South1" in page
    assert "Five & South1" in page


def test_the_halves_of_a_match_stand_in_the_order_in_which_they_are_played(client, section, alice):
    section = rounds.start_next_round(section, after=0, by=alice)
    last = section.entries.get(contestant=4)
    four = [str(item) for item in last.players][:4]
    seat(client, section, "Gil New", *four[1:], entry=last, half=2)

    lines = SessionSnapshot(section).lines_of_section(section)
    home = [row for row in rows_by_table(lines) if (row.round, row.table) == (1, 4)]

    told = [(row.sides[0][1][0].full_names, [x.board for x in row.lines]) for row in home]
    assert told == [
        (f"{four[0]} & {four[1]}", [3, 4]),
        (f"Gil New & {four[1]}", [1, 2]),
    ]


def test_a_guide_card_lists_the_line_ups_of_a_team_that_changes(client, section):
    seat(client, section, "Eve Five", *SIX[1:4], half=2)

    card = client.get(reverse("print-preview", args=[section.code, "guide-cards"]))

    text = words(card)
    assert "Round 1: North1 & South1 North-South, East1 & West1 East-West." in text
    assert "Round 1 from half-time on: Five & South1 North-South, East1 & West1 East-West." in text
    assert "Rounds 2–3: North1 & South1 North-South" in text


def test_name_cards_say_of_a_reserve_whether_they_come_in_at_half_time(client, section):
    seat(client, section, "Eve Five", *SIX[1:4], half=2)

    text = words(client.get(reverse("print-preview", args=[section.code, "name-cards"])))

    table = section.entries.get(position=1).contestant
    assert f"Eve Five From half-time on: table {table}, North-South" in text
    assert "Finn O’Hara Sits out round 1" in text


def test_a_reserve_has_played_when_they_have_sat_down(client, section, alice):
    rounds.start_next_round(section, after=0, by=alice)
    people = Person.objects.filter(name__in=SIX).order_by("pk")
    assert [record.evenings for record in playing_records(people)] == [1, 1, 1, 1, 0, 0]

    seat(client, section, *SIX[2:], from_round=2, until_round=2, half=0)

    assert [record.evenings for record in playing_records(people)] == [1] * 6
