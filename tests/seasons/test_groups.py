"""A championship in groups: divided, shown, put right by hand, and the next one made by one press."""

import datetime
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.players.room_display.room import RoomDisplay
from bridgebuddy.publication.own.own_page import PersonalPageContents
from bridgebuddy.seasons.championship_views import ChampionshipView
from bridgebuddy.seasons.line_explanations import LineExplanation
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.services.championships import (
    NothingPlayed,
    begin_next_championship,
    divide_list,
    next_name,
    publish_championship,
    show_in_room,
)
from tests.factories import FAR_ZONES, section_with

from .evenings import evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def league(club, alice):
    """Eight pairs after two evenings, in two groups of four of which one goes up and one down."""
    for day in ("2026-10-06", "2026-10-13"):
        evening(club, alice, day, pairs=8)
    one = Championship.objects.create(
        club=club, name="League", since="2026-09-01", until="2026-12-31"
    )
    return divide_list(again(one), 2, 1, by=alice)


def again(one):
    return Championship.objects.get(pk=one.pk)


def in_groups(one):
    """The groups as they are stored."""
    return [[tuple(person) for person in group] for group in one.groups]


def page_of(client, club, one):
    return client.get(
        reverse("championship-groups", args=[club.pk, one.pk]), follow=True
    ).content.decode()


def test_a_list_is_divided_as_it_stands_and_each_group_has_its_places(league):
    table = ChampionshipTable(again(league))

    first, second = table.standings.promotion.groups

    assert [[line.place for line in group.lines] for group in (first, second)] == [[1, 2, 3, 4]] * 2
    assert min(line.total for line in first.lines) >= max(line.total for line in second.lines)
    assert [part.name for part in ChampionshipView(table).group_tables] == ["A", "B"]
    goes = [(line.group, line.up_to, line.down_to) for line in ChampionshipView(table).lines]
    assert [goe for goe in goes if goe[1] or goe[2]] == [(0, "", "B"), (1, "A", "")]


def test_who_leads_is_who_leads_the_first_group(league):
    table = ChampionshipTable(again(league))

    assert [line.place for line in table.leading_lines] == [1]
    assert table.leading_lines[0].who == table.standings.lines[0].who
    second = table.standings.promotion.groups[1].lines[0]
    assert LineExplanation(table, second).title.endswith("place 1 in group B")
    assert LineExplanation(table, second).needed_to_lead_sentence == ""


def test_the_next_one_has_the_rules_and_the_new_groups(club, alice, league):
    league.best, league.ties = 3, "next"
    league.save()
    changes = ChampionshipTable(again(league)).standings.promotion

    after = begin_next_championship(league, by=alice)

    assert in_groups(after) == [list(group) for group in changes.next]
    assert [len(group) for group in after.groups] == [4, 4]
    assert set(in_groups(after)[0]) == set(in_groups(league)[0]) - changes.down | changes.up
    assert (after.name, str(after.since), str(after.until)) == (
        "League (2)",
        "2027-01-01",
        "2027-04-30",
    )
    assert (after.best, after.ties, after.change_over) == (3, "next", 1)
    assert after.token != league.token
    assert not after.is_published
    assert again(league).is_final
    assert not after.is_final
    assert AuditRecord.objects.filter(action="season.next").count() == 1


def test_pressed_twice_it_is_made_once(alice, league):
    first, second = (
        begin_next_championship(league, by=alice),
        begin_next_championship(league, by=alice),
    )

    assert first.pk == second.pk
    assert Championship.objects.count() == 2


@pytest.mark.parametrize("zone", FAR_ZONES)
def test_without_an_end_it_ends_on_the_day_of_the_club(club, alice, league, zone):
    club.time_zone = zone
    club.save()
    Championship.objects.filter(pk=league.pk).update(until=None)

    after = begin_next_championship(again(league), by=alice)

    today = datetime.datetime.now(ZoneInfo(zone)).date()
    assert again(league).until == today
    assert after.since == today + datetime.timedelta(days=1)


def test_of_what_nobody_has_played_there_is_no_next_one(client, club, alice, league):
    client.force_login(alice)
    after = begin_next_championship(league, by=alice)

    with pytest.raises(NothingPlayed):
        begin_next_championship(after, by=alice)
    answer = client.post(
        reverse("championship-groups", args=[club.pk, after.pk]), {"do": "next"}, follow=True
    )

    assert "This championship has no results yet" in answer.content.decode()
    assert Championship.objects.count() == 2


def test_whoever_begins_in_the_next_one_stands_in_their_group_before_they_have_played(
    client, club, alice, league
):
    client.force_login(alice)
    after = begin_next_championship(league, by=alice)

    table = client.get(reverse("championship", args=[club.pk, after.pk])).content.decode()

    assert table.count("1 more session") == 8
    assert "Group A" in table
    assert page_of(client, club, after).count("not there yet") == 8


def test_a_director_puts_somebody_into_another_group_and_says_who_has_left(
    client, club, alice, league
):
    client.force_login(alice)
    (first, second, *_), (other, *_) = in_groups(league)
    sent = {f"in-{'-'.join(first)}": "B", f"in-{'-'.join(other)}": "A"}
    sent |= {f"in-{'-'.join(second)}": "gone"}

    client.post(
        reverse("championship-groups", args=[club.pk, league.pk]),
        sent | {"do": "store", "change_over": 1},
    )

    now = again(league)
    assert first in in_groups(now)[1]
    assert other in in_groups(now)[0]
    assert now.gone == [list(second)]
    page = page_of(client, club, league)
    assert page.count('value="gone" selected') == 1
    after = begin_next_championship(now, by=alice)
    assert second not in [person for group in in_groups(after) for person in group]
    assert [len(group) for group in after.groups] == [4, 3]


def test_who_is_forgotten_does_not_go_on(club, alice, league):
    anonymise_person(Person.objects.get(club=club, name="Anna North1"), by=alice)

    after = begin_next_championship(league, by=alice)

    assert sum(map(len, after.groups)) == 7


def test_who_is_merged_stays_in_their_group_as_who_they_are(club, alice, league):
    anna = Person.objects.get(club=club, name="Anna North1")
    (where,) = [
        number
        for number, group in enumerate(in_groups(league))
        if any(str(anna.pk) in person for person in group)
    ]
    stays = Person.objects.create(club=club, name="Anna Northe1")

    merge_people(stays, anna, by=alice)

    table = ChampionshipTable(again(league))
    (line,) = [line for line in table.standings.lines if str(stays.pk) in line.who]
    assert table.standings.group_of(line.who) == where
    assert [len(group.order) for group in table.standings.promotion.groups] == [4, 4]


def test_who_is_new_is_in_the_last_group(club, alice, league):
    evening(club, alice, "2026-10-20", pairs=10)

    groups = ChampionshipTable(again(league)).standings.promotion.groups

    assert [len(group.order) for group in groups] == [4, 6]


def test_groups_end_with_another_kind_of_line_and_by_a_press(client, club, alice, league):
    client.force_login(alice)
    address = reverse("championship-rules", args=[club.pk, league.pk])
    form = client.get(address, follow=True).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}

    client.post(address, sent | {"best": 2, "least": 1})
    assert len(again(league).groups) == 2
    client.post(address, sent | {"best": 2, "least": 1, "of": "player"})
    assert again(league).groups == []

    divide_list(again(league), 3, 2, by=alice)
    client.post(reverse("championship-groups", args=[club.pk, league.pk]), {"do": "single"})
    assert again(league).groups == []


@pytest.mark.parametrize(
    "sent",
    [
        {"do": "divide", "count": 1, "change_over": 1},
        {"do": "divide", "count": 7, "change_over": 1},
        {"do": "divide", "count": 2, "change_over": 21},
        {"do": "store", "change_over": -1},
        {"do": "nothing"},
    ],
)
def test_what_cannot_be_is_refused(client, club, alice, league, sent):
    client.force_login(alice)
    before = league.groups

    answer = client.post(reverse("championship-groups", args=[club.pk, league.pk]), sent)

    assert answer.status_code == 422
    assert (again(league).groups, again(league).change_over) == (before, 1)


def test_groups_on_the_public_page_on_paper_and_in_the_room(
    client, club, alice, league, monkeypatch
):
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    publish_championship(league, True, by=alice)
    show_in_room(league, True, by=alice)
    tonight = section_with(8, "howell", club=club, by=alice)
    tonight.session.date = datetime.date(2026, 10, 20)
    tonight.session.save()

    public = client.get(reverse("public-championship", args=[league.token])).content.decode()
    client.force_login(alice)
    paper = client.get(reverse("print-championship", args=[club.pk, league.pk])).content.decode()

    for text in (public, paper):
        assert all(words in text for words in ("Group A", "Group B", "↑ up to A", "↓ down to B"))
        assert "At the end, 1 is promoted and 1 relegated between two groups." in text
    assert [page.title for page in RoomDisplay(tonight).season] == [
        "League: Group A",
        "League: Group B",
    ]


def test_who_is_level_at_a_border_is_told_with_what_has_decided(club, alice):
    evening(club, alice, "2026-10-06", pairs=4)
    one = Championship.objects.create(club=club, name="Faithful", counts="evenings", rule="sum")
    one = divide_list(again(one), 2, 1, by=alice)

    notes = ChampionshipView(ChampionshipTable(again(one))).notes

    assert sum("are level in everything" in note for note in notes) == 2


def test_a_players_own_page_counts_the_lines_of_their_group(club, alice, league):
    publish_championship(league, True, by=alice)

    [mine] = PersonalPageContents(Person.objects.get(club=club, name="Anna North1")).championships

    assert mine.ranked_count == 4


def test_a_name_is_never_too_long():
    assert next_name("x" * 80) == "x" * 76 + " (2)"


def test_between_groups_of_which_nobody_has_a_place_nobody_goes_up(club, alice):
    evening(club, alice, "2026-10-06", pairs=4)
    one = Championship.objects.create(club=club, name="Faithful", least=2)
    one = divide_list(again(one), 2, 1, by=alice)

    notes = " ".join(ChampionshipView(ChampionshipTable(again(one))).notes)

    assert "No promotion between A and B" in notes
