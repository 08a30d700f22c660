"""Data of people on another BridgeBuddy's roster comes with those who join this one."""

import pytest
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.director.club_data.tables import tables_of_club
from bridgebuddy.publication.imports import importing
from bridgebuddy.publication.imports.importing import AcceptedSession, ImportDraft
from bridgebuddy.publication.own.personal_data import tables_as_csv, tables_as_json
from bridgebuddy.scoring.models import ScoringSettings
from tests.factories import ClubFactory, PersonFactory
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

NOTED = {"member_number": "17", "other_club": "Rot-Weiß", "categories": "juniors, Women"}


@pytest.mark.parametrize("kind", ["json", "zip"])
def test_strength_numbers_club_and_categories_come_along(kind, alice):
    section = scored_section(4, "howell", rounds=3)
    ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"final_at": timezone.now()}
    )
    there = section.club.people.order_by("pk").first()
    section.club.people.filter(pk=there.pk).update(strength=531, **NOTED)
    tables = tables_of_club(section.club)
    written = tables_as_json("club", tables) if kind == "json" else tables_as_csv(tables)
    here = ClubFactory()
    known = PersonFactory(club=here, name=section.club.people.order_by("pk")[1].name, strength=7)

    brought = importing.read_import(here, [(f"club.{kind}", written)])
    [found] = ImportDraft(brought).sessions
    wanted = AcceptedSession(found.number, found.session.date, found.session.name)
    importing.import_sessions(brought, [wanted], {}, by=alice)

    new = here.people.get(name=there.name)
    assert (new.strength, {name: getattr(new, name) for name in NOTED}) == (531, NOTED)
    assert Person.objects.get(pk=known.pk).strength == 7
    others = here.people.exclude(pk__in=(new.pk, known.pk))
    assert {(person.strength, person.categories) for person in others} == {(None, "")}
