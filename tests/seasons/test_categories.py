"""A championship of a club's category, or below a strength: it stays unchanged after a person is forgotten."""

import datetime

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.publication.own.personal_data import tables_of_person
from bridgebuddy.seasons.models import Championship, HandicapRule, ManualHandicap
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.services.championships import publish_championship
from tests.factories import PersonFactory

from .evenings import evening

pytestmark = pytest.mark.django_db


def totals(one):
    table = ChampionshipTable(Championship.objects.get(pk=one.pk))
    return {line.who: (line.total, line.place) for line in table.standings.lines}


def keys(*people):
    return {(str(person.pk),) for person in people}


@pytest.fixture
def juniors(club, alice):
    """Return two juniors, one of them with another director's spelling of the category."""
    evening(club, alice, "2026-10-06")
    first, second, *_ = club.people.order_by("pk")
    first.categories, second.categories = "juniors, Women", "Juniors"
    first.save()
    second.save()
    return first, second


def of_category(club, category, **more):
    return Championship.objects.create(
        club=club, name="Cup", of="player", least=1, category=category, **more
    )


def test_a_list_of_a_category_has_whom_the_roster_has_in_it(club, juniors):
    first, second = juniors

    assert set(totals(of_category(club, "juniors"))) == keys(first, second)
    assert set(totals(of_category(club, "women"))) == keys(first)
    assert totals(of_category(club, "junior")) == {}


def test_of_pairs_both_are_in_it(club, alice):
    section = evening(club, alice, "2026-10-06")
    one, other = section.entries.all()[:2]
    for person in (*one.players, other.players[0]):
        person.categories = "seniors"
        person.save()
    cup = Championship.objects.create(club=club, name="C", least=1, category="seniors")

    assert set(totals(cup)) == {tuple(sorted(str(person.pk) for person in one.players))}


@pytest.mark.parametrize("rule", [{"category": "juniors"}, {"most_strength": 50}])
def test_who_is_forgotten_keeps_the_line_and_nobody_moves(club, alice, juniors, rule):
    for person in juniors:
        person.strength = 40
        person.save()
    one = Championship.objects.create(club=club, name="Cup", of="player", least=1, **rule)
    before = totals(one)

    anonymise_person(juniors[0], by=alice)

    gone = Person.objects.get(pk=juniors[0].pk)
    assert (gone.categories, gone.strength) == ("", None)
    assert len(before) == 2
    assert totals(one) == before


def test_who_had_no_line_has_none_when_they_are_forgotten(club, alice, juniors):
    one = of_category(club, "women")
    before = totals(one)

    anonymise_person(juniors[1], by=alice)

    assert totals(one) == before


def test_a_handicap_by_hand_outlives_the_name_without_the_reason(club, alice, juniors):
    HandicapRule.objects.create(club=club, least=1)
    ManualHandicap.objects.create(person=juniors[0], handicap=4, reason="was ill")
    one = Championship.objects.create(
        club=club, name="Cup", least=1, has_handicap=True, since=datetime.date(2026, 10, 1)
    )
    before = totals(one)

    anonymise_person(juniors[0], by=alice)

    assert totals(one) == before
    assert ManualHandicap.objects.get().reason == ""


def test_with_other_limits_nobody_who_is_forgotten_is_in_it(client, club, alice, juniors):
    one = of_category(club, "juniors")
    anonymise_person(juniors[0], by=alice)
    client.force_login(alice)
    address = reverse("championship-rules", args=[club.pk, one.pk])
    form = client.get(address, follow=True).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}

    client.post(address, sent | {"has_members_only": "", "name": "Juniors", "is_frozen": ""})
    same = totals(one)
    client.post(address, {**sent, "category": "", "most_strength": "40"})

    assert set(same) == keys(*juniors)
    assert totals(one) == {}


def test_its_form_offers_the_categories_of_the_roster(client, club, alice, juniors):
    client.force_login(alice)
    form = client.get(reverse("new-championship", args=[club.pk]), follow=True).context["form"]

    assert [value for value, _ in form.fields["category"].choices] == ["", "juniors", "Women"]
    assert form["category"] in form.folded_fields
    assert form["ties"].value() == "next"


def test_a_club_without_categories_reads_where_they_are_said(client, club, alice):
    client.force_login(alice)
    form = client.get(reverse("new-championship", args=[club.pk]), follow=True).context["form"]

    assert "for example juniors" in form["category"].help_text


def test_a_category_nobody_has_any_more_stays_the_lists_own(client, club, alice, juniors):
    one = of_category(club, "beginners")
    client.force_login(alice)
    page = client.get(reverse("championship-rules", args=[club.pk, one.pk]), follow=True)

    assert page.context["form"]["category"].value() == "beginners"
    assert 'value="beginners" selected' in page.content.decode()


def test_its_public_page_says_who_counts(client, club, alice, juniors):
    one = of_category(club, "juniors")
    publish_championship(one, True, by=alice)

    assert "Only: juniors." in client.get(
        reverse("public-championship", args=[one.token])
    ).content.decode().replace("\n", " ")


def test_merged_they_are_in_the_categories_of_both(club, alice):
    stays = PersonFactory(club=club, name="Otto Klein", categories="seniors")
    goes = PersonFactory(club=club, name="O. Klein", categories="Seniors, men")

    merge_people(stays, goes, by=alice)

    assert Person.objects.get(pk=stays.pk).categories == "seniors, men"


def test_they_are_said_on_the_players_page_and_handed_out(client, club, alice, juniors):
    client.force_login(alice)
    address = reverse("edit-player", args=[club.pk, juniors[1].pk])
    sent = {"name": juniors[1].name, "categories": " Beginners,, =women, beginners"}

    client.post(address, sent)

    person = Person.objects.get(pk=juniors[1].pk)
    assert person.categories == "Beginners, women"
    assert tables_of_person(person)["person"][0]["categories"] == "Beginners, women"


def test_a_list_of_the_roster_brings_them(client, club, alice, juniors):
    text = f"Name;Kategorien\n{juniors[1].name};Seniors, men\n"
    client.force_login(alice)
    address = reverse("player-numbers", args=[club.pk])

    looked_at = client.post(address, {"text": text}).content.decode()
    client.post(address, {"text": text, "take": "1"})

    assert "Seniors, men" in looked_at
    assert Person.objects.get(pk=juniors[1].pk).categories == "Seniors, men"


def test_a_session_takes_what_all_of_a_pair_have(client, club, alice):
    section = evening(club, alice, "2026-10-06")
    one, other = section.entries.all()[:2]
    for person, words in zip(
        (*one.players, *other.players), ("a, b", "b, c", "a", ""), strict=True
    ):
        person.categories = words
        person.save()
    client.force_login(alice)
    address = reverse("classes", args=[section.code])

    form = client.post(address, {"do": "roster", "strata": "", "limits": ""}).context["form"]

    assert form[f"categories-{one.pk}"].value() == "b"
    assert not form[f"categories-{other.pk}"].value()
