"""A person is in one section of a session only: entered, corrected, as substitute, back, or merged."""

import pytest

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.errors import BothPlayed, PersonTwice
from bridgebuddy.events.models import EntryPerson, Section
from bridgebuddy.events.services import roster
from bridgebuddy.events.services.play import people, rounds
from bridgebuddy.events.services.setup import entries, movement, sections
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def halves(club, alice):
    """Twelve pairs in two sections of six, each in the first round of a Mitchell of three."""
    section = section_with(12, club=club, by=alice)
    keys = list(section.entries.values_list("pk", flat=True))
    parts = sections.divide_entries(section, [keys[:6], keys[6:]], same_deals=True, by=alice)
    for item in parts:
        movement.choose_movement(item, "mitchell", boards_per_round=3, by=alice)
    rounds.start_rounds(parts[0], {"A": 0, "B": 0}, by=alice)
    return [Section.objects.get(pk=entry.pk) for entry in parts]


def somebody(section):
    """The first person of a section's list."""
    return section.entries.first().players[0]


def substitute_of(section):
    return EntryPerson.objects.filter(section=section).exclude(plays_for=None).get()


def put_in(section, name, by, **stint):
    """Put a person at the first place of the first pair."""
    return people.add_substitute(section.entries.first(), 1, name, from_round=1, by=by, **stint)


def correct(section, first, by):
    entry = section.entries.first()
    told = [first, entry.players[1].name]
    return people.correct_names(entry, told, must_stay_seated=False, by=by)


def who_has_places():
    """Return all places, whatever their keys."""
    return sorted(EntryPerson.objects.values_list("entry", "position", "person", "until_round"))


@pytest.mark.parametrize("ask", [put_in, correct])
def test_who_plays_in_one_section_gets_no_place_in_another(halves, alice, ask):
    first, second = halves
    name = somebody(first).name
    before = who_has_places()

    with pytest.raises(PersonTwice) as refused:
        ask(second, name.upper(), alice)

    assert refused.value.fields["there"] == "A"
    assert who_has_places() == before


def test_who_is_misspelt_may_be_spelt_better_in_their_own_section(halves, alice):
    correct(halves[1], f"{somebody(halves[1]).name}e", alice)

    assert somebody(halves[1]).name.endswith("7e")


def test_a_substitute_is_corrected_to_nobody_of_another_section(halves, alice):
    first, second = halves
    put_in(second, "Zoë Neu", alice)
    link = substitute_of(second).pk

    with pytest.raises(PersonTwice):
        people.correct_substitute(second, link, somebody(first).name, from_round=1, by=alice)

    assert substitute_of(second).person.name == "Zoë Neu"


def test_who_sits_down_in_another_section_does_not_get_the_place_back(halves, alice):
    first, second = halves
    owner = somebody(second)
    put_in(second, "Zoë Neu", alice)
    put_in(first, owner.name, alice)

    with pytest.raises(PersonTwice) as refused:
        people.take_back_substitute(second, substitute_of(second).pk, by=alice)

    assert refused.value.fields == {"name": owner.name, "there": "A"}


def test_who_has_played_for_somebody_to_the_end_of_a_round_is_free_for_another_section(
    halves, alice
):
    first, second = halves
    put_in(first, "Zoë Neu", alice, until_round=1)
    with pytest.raises(PersonTwice):
        put_in(second, "Zoë Neu", alice)

    rounds.start_next_round(first, after=1, by=alice)
    put_in(second, "Zoë Neu", alice)

    assert somebody(second).name == "Zoë Neu"


def test_names_typed_for_another_section_are_refused(halves, alice):
    first, second = halves
    rounds.take_back_round(first, round=1, by=alice)

    with pytest.raises(PersonTwice) as refused:
        entries.add_pairs(first, [("Eve Adams", somebody(second).name)], by=alice)

    assert refused.value.fields["there"] == "B"


def test_two_who_play_in_two_sections_at_once_are_two(halves, alice):
    one, other = (somebody(section) for section in halves)

    with pytest.raises(BothPlayed):
        roster.merge_people(one, other, by=alice)

    assert Person.objects.filter(pk__in=[one.pk, other.pk]).count() == 2
