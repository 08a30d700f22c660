"""Open pages after a change elsewhere: a person's name, a club's settings, its logo."""

import datetime

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Club, ClubLogo, Person
from bridgebuddy.events.models import EntryPerson, Section
from bridgebuddy.events.services.play import people
from bridgebuddy.events.services.play.changes import change_options, take_proposal
from bridgebuddy.events.services.setup.entries import add_pairs, set_strengths
from movements.engine.changes import SkipIsMoved
from tests.factories import ClubFactory, PersonFactory, director_of, section_with
from tests.players.reading import HTMX, player, room, words

pytestmark = pytest.mark.django_db

OTHERWISE = {
    "name": "Bridge Club at the Lime Tree",
    "paper": "letter",
    "stand_word": "relay",
    "language": "de",
    "phones_show_names": False,
    "phones_show_later_rounds": False,
    "room_sounds": True,
    "numbers_in_hundreds": True,
    "names_kept_for": 12,
    "codes_end": "week",
    "time_zone": "Australia/Sydney",
    "public_names": "initials",
    "privacy_contact": "Ruth Klein",
    "results_come": "both",
    "table_sees": "none",
    "usual_day": 1,
    "usual_start": datetime.time(14, 30),
    "usual_boards": 21,
    "usual_minutes": 8,
    "half_table": "ns",
    "scoring_rules": "DBV",
    "masterpoint_scale": "abf-session",
    "member_columns": ["number", "email"],
    "federation_number": "LC123",
    "shows_numbers": True,
    "own_pages_on_sheets": True,
    "trial_until": datetime.datetime(2031, 1, 1, tzinfo=datetime.UTC),
}


@pytest.fixture
def sections(club, alice):
    """Two evenings of the club with the same people and one with others, and one of another club's."""
    first, second = (section_with(6, "mitchell", round=1, club=club, by=alice) for _ in range(2))
    third = section_with(0, club=club, by=alice)
    add_pairs(third, [("Eve Other", "Max Other")], by=alice)
    third.refresh_from_db()
    return [first, second, third, section_with(6, "mitchell", round=1)]


def counter_growth(sections):
    """Return the growth of each counter of each section since it was read."""
    now = Section.objects.in_bulk([section.pk for section in sections])
    return [
        tuple(
            getattr(now[section.pk], name) - getattr(section, name)
            for name in ("plan", "shown", "results")
        )
        for section in sections
    ]


SHOWN, NOT = (0, 1, 0), (0, 0, 0)


def test_every_setting_of_a_club_is_tried_here():
    columns = {field.name for field in Club._meta.concrete_fields if not field.primary_key}

    assert OTHERWISE.keys() == columns


def test_every_setting_of_the_club_is_shown_in_all_its_sections_and_no_others(club, sections):
    for times, (setting, value) in enumerate(OTHERWISE.items(), start=1):
        setattr(club, setting, value)
        club.save()

        assert counter_growth(sections) == [(0, times, 0)] * 3 + [NOT], setting


def test_settings_that_are_saved_as_they_were_are_no_news(club, alice, signed_in, sections):
    as_it_is = {"name": club.name, "paper": "a4", "stand_word": "stand"}

    answer = signed_in(alice).post(reverse("club-paper", args=[club.pk]), as_it_is)

    assert answer.status_code == 302
    assert counter_growth(sections) == [NOT, NOT, NOT, NOT]


def test_a_logo_is_shown_when_it_comes_changes_and_goes(club, sections):
    steps = []
    logo = ClubLogo.objects.create(club=club, image=b"one", type="image/png")
    steps.append(counter_growth(sections))
    ClubLogo.objects.update_or_create(club=club, defaults={"image": b"one"})
    steps.append(counter_growth(sections))
    ClubLogo.objects.update_or_create(club=club, defaults={"image": b"another"})
    steps.append(counter_growth(sections))
    ClubLogo.objects.filter(pk=logo.pk).delete()
    steps.append(counter_growth(sections))

    assert steps == [[(0, times, 0)] * 3 + [NOT] for times in (1, 1, 2, 3)]


def test_a_person_renamed_is_shown_wherever_they_play(club, alice, signed_in, sections):
    person = Person.objects.get(club=club, name="Anna North1")
    address = reverse("edit-player", args=[club.pk, person.pk])

    signed_in(alice).post(address, {"name": "Anna Nordt"})

    assert counter_growth(sections) == [SHOWN, SHOWN, NOT, NOT]


def test_a_person_renamed_is_shown_where_they_only_played_for_others(club, alice, sections):
    eve = Person.objects.get(club=club, name="Eve Other")
    people.add_substitute(sections[0].entries.first(), 1, eve.name, from_round=2, by=alice)
    before = list(
        Section.objects.filter(pk__in=[section.pk for section in sections]).order_by("pk")
    )

    eve.name = "Eva Other"
    eve.save()

    assert counter_growth(before) == [SHOWN, NOT, SHOWN, NOT]


def test_a_person_renamed_is_shown_where_another_plays_for_them_from_the_start(
    club, alice, sections
):
    anna = Person.objects.get(club=club, name="Anna North1")
    for section in sections[:2]:
        entry = section.entries.get(entry_people__person=anna)
        people.add_substitute(entry, 1, "Eve Other", from_round=1, by=alice)
    before = list(Section.objects.order_by("pk"))

    anna.name = "Anna Nordt"
    anna.save()

    assert not EntryPerson.objects.filter(person=anna).exists()
    assert counter_growth(before) == [SHOWN, SHOWN, NOT, NOT]


def test_a_person_who_stays_as_they_are_is_no_news(club, sections):
    Person.objects.get(club=club, name="Anna North1").save()
    PersonFactory(club=club, name="Nobody Known")

    assert counter_growth(sections) == [NOT, NOT, NOT, NOT]


def test_a_name_corrected_on_one_list_is_shown_on_the_other(club, alice, sections):
    Person.objects.filter(club=club, name="Anna North1").update(name="Ännä North1")

    people.correct_names(
        sections[0].entries.first(), ["Anna North1", "Bob South1"], must_stay_seated=False, by=alice
    )

    assert counter_growth(sections) == [SHOWN, SHOWN, NOT, NOT]


def test_a_strength_noted_on_one_page_is_shown_on_the_other(club, alice, sections):
    person = Person.objects.get(club=club, name="Anna North1")

    set_strengths(sections[0], {person.pk: 3}, by=alice)

    assert counter_growth(sections) == [SHOWN, SHOWN, NOT, NOT]


def test_what_is_shown_otherwise_refuses_no_decision(club, alice, sections):
    section = section_with(16, "skip-mitchell", round=1, club=club, by=alice)
    way, plan = change_options(section, SkipIsMoved())[0], section.plan

    club.phones_show_names = False
    club.save()
    person = section.entries.first().players[0]
    person.name = "Anna Nordt"
    person.save()

    take_proposal(section, way, SkipIsMoved(), plan=plan, by=alice)
    assert section.movements.count() == 2


@pytest.mark.parametrize(
    ("switch", "gone"), [("phones_show_names", "North3"), ("phones_show_later_rounds", "13–15")]
)
def test_a_phone_that_polls_gets_the_page_the_club_wants_now(
    client, club, alice, signed_in, switch, gone
):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    other = section_with(10, "mitchell", round=1)

    def poll(which):
        entry = which.entries.get(contestant=6)
        query = {"v": which.shown, "entry": entry.pk}
        address = reverse("player", args=[which.code, "EW1"])
        return client.get(address, query, headers=HTMX)

    assert gone in words(player(client, section, "EW1"))
    player(client, other, "EW1")
    assert poll(section).status_code == 204
    signed_in(alice).post(reverse("club-privacy", args=[club.pk]), {switch: "False"})

    answer = poll(section)
    assert answer.status_code == 200
    assert gone not in words(answer)
    assert poll(other).status_code == 204


def test_a_room_display_of_all_sections_shows_a_person_under_the_new_name(client, club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)
    version = room(client, section, all=1).context["version"]
    assert room(client, section, all=1, v=version).status_code == 204

    person = section.entries.first().players[0]
    person.name = "Anna Nordt"
    person.save()

    assert "Nordt" in words(room(client, section, all=1, v=version))


def test_the_same_name_in_another_club_is_another_person(club, sections):
    elsewhere = ClubFactory()
    section = section_with(6, "mitchell", club=elsewhere, by=director_of(elsewhere))

    person = Person.objects.get(club=elsewhere, name="Anna North1")
    person.name = "Anna Nordt"
    person.save()

    assert counter_growth([*sections, section]) == [NOT, NOT, NOT, NOT, SHOWN]
