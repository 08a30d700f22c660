"""Completing names from the roster."""

import pytest

from bridgebuddy.clubs.models import Person, searchable
from bridgebuddy.events.queries.roster.person_search import RosterSuggestion, suggest_people
from bridgebuddy.events.services.play import people
from bridgebuddy.events.services.setup import entries
from tests.factories import ClubFactory, PersonFactory, section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def tonight(club, alice):
    """An empty evening of a club that has played before."""
    earlier = section_with(0, club=club, by=alice)
    entries.add_pairs(
        earlier, [("Linda Harris", "George Marsh"), ("Jürgen Wolf", "Margarete Stein")], by=alice
    )
    again = section_with(0, club=club, by=alice)
    entries.add_pairs(
        again, [("Linda Harris", "George Marsh"), ("Maria Groß", "Jürgen Wolf")], by=alice
    )
    return section_with(0, club=club, by=alice)


def test_any_word_of_a_name_is_found_by_its_beginning(tonight):
    assert suggest_people(tonight.club, tonight, "mar") == [
        RosterSuggestion("George Marsh"),
        RosterSuggestion("Margarete Stein"),
        RosterSuggestion("Maria Groß"),
    ]
    assert suggest_people(tonight.club, tonight, "rsh") == []


def test_accents_case_and_doubled_spaces_do_not_matter(tonight):
    assert suggest_people(tonight.club, tonight, "  JURGEN  wo") == [
        RosterSuggestion("Jürgen Wolf")
    ]
    assert suggest_people(tonight.club, tonight, "gross") == [RosterSuggestion("Maria Groß")]


def test_the_usual_partner_comes_first_and_alone_before_anything_is_typed(tonight):
    assert suggest_people(tonight.club, tonight, "mar", "linda harris") == [
        RosterSuggestion("George Marsh", usually_plays_with="linda harris"),
        RosterSuggestion("Margarete Stein"),
        RosterSuggestion("Maria Groß"),
    ]
    assert suggest_people(tonight.club, tonight, "", "Linda Harris") == [
        RosterSuggestion("George Marsh", usually_plays_with="Linda Harris")
    ]


def test_who_is_on_the_list_comes_last_and_says_so(tonight, alice):
    entries.add_pairs(tonight, [("George Marsh", "Somebody Else")], by=alice)

    assert suggest_people(tonight.club, tonight, "mar", "Linda Harris") == [
        RosterSuggestion("Margarete Stein"),
        RosterSuggestion("Maria Groß"),
        RosterSuggestion("George Marsh", usually_plays_with="Linda Harris", is_entered=True),
    ]


def test_who_has_only_played_for_others_is_no_partner_of_whose_place_it_was(tonight, alice):
    section = section_with(6, "mitchell", round=2, club=tonight.club, by=alice)
    anna, bob = section.entries.first(), section.entries.last()
    people.add_substitute(anna, 2, "Zoë Neu", from_round=1, until_round=1, by=alice)
    people.add_substitute(bob, 1, "Zoë Neu", from_round=3, by=alice)

    assert [s.name for s in suggest_people(tonight.club, tonight, "", "Anna North1")] == [
        "Bob South1",
        "Zoë Neu",
    ]
    assert suggest_people(tonight.club, tonight, "", "Bob South1") == [
        RosterSuggestion("Anna North1", usually_plays_with="Bob South1")
    ]


def test_entries_are_counted_and_not_how_often_somebody_changed(tonight, alice):
    section = section_with(6, "mitchell", round=1, club=tonight.club, by=alice)
    for pair in (("Anna North1", "Max Alt"), ("Anna North1", "Max Alt")):
        entries.add_pairs(section_with(0, club=tonight.club, by=alice), [pair], by=alice)
    first = section.entries.first()
    people.add_substitute(first, 2, "Zoë Neu", from_round=1, until_round=1, by=alice)
    people.add_substitute(first, 2, "Zoë Neu", from_round=3, by=alice)

    suggestions = suggest_people(tonight.club, tonight, "", "Anna North1")

    assert [s.name for s in suggestions] == ["Max Alt", "Bob South1", "Zoë Neu"]


def test_who_plays_no_more_is_not_entered(tonight, alice):
    section = section_with(6, "mitchell", round=2, club=tonight.club, by=alice)
    people.add_substitute(
        section.entries.first(), 2, "Zoë Neu", from_round=1, until_round=1, by=alice
    )
    section.refresh_from_db()

    assert suggest_people(tonight.club, section, "zoe") == [RosterSuggestion("Zoë Neu")]


def test_only_the_clubs_own_people_are_suggested(tonight):
    PersonFactory(club=ClubFactory(), name="Marvin Secret")

    assert "Marvin Secret" not in [s.name for s in suggest_people(tonight.club, tonight, "mar")]


@pytest.mark.parametrize("typed", ["", " ", "¨", "´", "\u0301", "\x00", "%", "_", "'", "x" * 500])
def test_an_accent_alone_or_nonsense_finds_nobody(tonight, typed):
    assert suggest_people(tonight.club, tonight, typed) == []
    assert suggest_people(tonight.club, tonight, typed, typed) == []


def test_a_long_roster_costs_no_more_queries(tonight, django_assert_max_num_queries):
    Person.objects.bulk_create(
        Person(club=tonight.club, name=f"Mara Long{n}", search=searchable(f"Mara Long{n}"))
        for n in range(300)
    )

    with django_assert_max_num_queries(3):
        suggestions = suggest_people(tonight.club, tonight, "mar", "Linda Harris")

    assert (suggestions[0].name, len(suggestions)) == ("George Marsh", 6)


def test_a_letter_that_stands_for_a_sentence_fits_the_column(club):
    person = Person.objects.create(club=club, name="\ufdfa" * Person.NAME_LENGTH)

    assert len(person.search) <= Person._meta.get_field("search").max_length
    assert person.search == searchable(person.name)
