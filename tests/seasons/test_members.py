"""A championship of members alone: visitors are left out, and stay so when they are forgotten."""

import pytest
from django.urls import reverse

from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.services.championships import publish_championship

from .evenings import evening

pytestmark = pytest.mark.django_db


def totals(one):
    table = ChampionshipTable(Championship.objects.get(pk=one.pk))
    return {line.who: (line.total, line.place) for line in table.standings.lines}


@pytest.fixture
def lists(club, alice):
    """Return lists of members, and of all players; one is a visitor, another a member of two clubs."""
    evening(club, alice, "2026-10-06")
    visitor, both, *_ = club.people.order_by("pk")
    visitor.other_club = both.other_club = "Elsewhere"
    both.member_number = "17"
    visitor.save()
    both.save()
    made = [
        Championship.objects.create(
            club=club, name="Cup", of="player", least=1, has_members_only=is_member
        )
        for is_member in (True, False)
    ]
    return *made, visitor


def test_a_list_of_members_has_everybody_but_visitors(lists):
    members, every, visitor = lists

    assert set(totals(members)) == set(totals(every)) - {(str(visitor.pk),)}


def test_who_is_forgotten_is_no_member_afterwards(lists, alice):
    members, every, visitor = lists
    before, of_all = totals(members), totals(every)

    anonymise_person(visitor, by=alice)

    assert totals(members) == before
    assert totals(every) == of_all


def test_its_public_page_says_who_counts(lists, client, alice):
    members, every, _visitor = lists

    for item, said in ((members, True), (every, False)):
        publish_championship(item, True, by=alice)
        page = client.get(reverse("public-championship", args=[item.token])).content.decode()
        assert ("Members only." in page) is said


def test_the_form_asks_for_it_where_the_rarer_answers_are(lists, client, club, alice):
    members, _every, _visitor = lists
    client.force_login(alice)

    page = client.get(reverse("championship-rules", args=[club.pk, members.pk]), follow=True)

    assert page.context["form"]["has_members_only"] in page.context["form"].folded_fields
    assert page.context["form"]["has_members_only"].value() is True
