"""Forgetting people: names are deleted everywhere, and results stay."""

import datetime
import json

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session as WebSession
from django.core import serializers
from django.core.cache import cache, caches
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import AttemptCount, Club, DistinctPeople, Invitation, Person, User
from bridgebuddy.events import errors
from bridgebuddy.events.models import (
    Entry,
    EntryPerson,
    Event,
    Import,
    Play,
    Section,
    SectionMovement,
)
from bridgebuddy.events.services import roster
from bridgebuddy.events.services.lifecycle import forgetting
from bridgebuddy.events.services.play import people, rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.scoring.models import Penalty, Result
from movements.models import StoredMovement
from tests.factories import ClubFactory, PersonFactory, section_with

pytestmark = pytest.mark.django_db
OURS = ("clubs", "audit", "events", "scoring", "movements")


def everything() -> str:
    """Return all rows of our tables as text."""
    models = [model for app in OURS for model in apps.get_app_config(app).get_models()]
    rows = [row for model in models for row in model._base_manager.all()]
    return json.dumps(json.loads(serializers.serialize("json", rows)), ensure_ascii=False)


def is_over(section):
    Section.objects.filter(pk=section.pk).update(finished_at=timezone.now())


@pytest.fixture
def played(club, alice):
    """Three rounds, with Hanna Brandt misspelt at first, renamed, substituted and merged."""
    section = section_with(9, club=club, by=alice)
    entries.add_pairs(section, [("Hana Brandt", "Karl Fischer")], by=alice)
    entry = Entry.objects.get(section=section, position=10)
    people.correct_names(entry, ["Hanna Brandt", "Karl Fischer"], must_stay_seated=False, by=alice)
    movement.choose_movement(
        Section.objects.get(pk=section.pk), "mitchell", boards_per_round=3, by=alice
    )
    rounds.start_next_round(section, after=0, by=alice)
    entry.refresh_from_db()
    people.add_substitute(
        entry, 1, "Ida Stein", from_round=2, by=alice, reason="Frau Brandt is ill"
    )
    rounds.start_next_round(section, after=1, by=alice)
    other = PersonFactory(club=club, name="Hanna Brandt-Meier")
    roster.merge_people(Person.objects.get(name="Hanna Brandt"), other, by=alice)
    play = Play.objects.filter(section=section).first()
    Result.objects.create(play=play, number=1, reason="Brandt says so")
    Penalty.objects.create(
        entry=entry, unit="top", amount=-1, kind="time", reason="BRANDT was slow"
    )
    SectionMovement.objects.filter(section=section).update(
        reason="asked by hanna brandt", facts={"pairs": ["Hanna Brandt & Karl Fischer"]}
    )
    AuditRecord.objects.create(
        action="section.name_team",
        subject="section",
        subject_id=section.pk,
        facts={"names": "Hanna Brandt & Ida Stein", "team": "Team Brandt", "boards": 3},
    )
    roster.mark_as_different(
        Person.objects.get(name="Hanna Brandt"), Person.objects.get(name="Ida Stein"), by=alice
    )
    is_over(section)
    return section


def test_a_name_that_is_forgotten_stands_nowhere(played, alice):
    hanna = Person.objects.get(name="Hanna Brandt")
    assert "Brandt" in everything()

    forgetting.anonymise_person(hanna, by=alice)

    assert "brandt" not in everything().casefold()
    assert "hana" not in everything().casefold()
    hanna.refresh_from_db()
    assert (hanna.name, hanna.strength) == ("N.N.1", None)
    assert Result.objects.get().reason == "N.N.1 says so"
    team = AuditRecord.objects.get(action="section.name_team")
    assert team.facts == {"names": "N.N.1 & Ida Stein", "team": "Team N.N.1", "boards": 3}
    assert not DistinctPeople.objects.exists()
    done = AuditRecord.objects.get(action="club.anonymise")
    assert (done.by, done.subject_id, done.facts) == (alice, played.club.pk, {"name": "N.N.1"})


@pytest.mark.parametrize(
    ("name", "reason", "after"),
    [
        ("Sona O", "O was late", "N.N.1 was late"),
        ("Mei Li", "LI and mei left; Lisa stays", "N.N.1 and N.N.1 left; Lisa stays"),
        ("Jo Ott", "Ott's phone", "N.N.1's phone"),
        ("Jan van den Berg", "Berg legt den Zettel hin", "N.N.1 legt den Zettel hin"),
        ("김 철수", "철수가 늦음, 김 씨", "N.N.1가 늦음, N.N.1 씨"),
    ],
)
def test_short_names_are_forgotten_in_reasons_and_teams_names(club, alice, name, reason, after):
    section = section_with(9, club=club, by=alice)
    entry = section.entries.first()
    person = entry.players[0]
    Person.objects.filter(pk=person.pk).update(name=name)
    Entry.objects.filter(pk=entry.pk).update(name=reason)
    Penalty.objects.create(entry=entry, unit="top", amount=-1, kind="time", reason=reason)
    is_over(section)

    forgetting.anonymise_person(Person.objects.get(pk=person.pk), by=alice)

    assert Penalty.objects.get().reason == after
    assert Entry.objects.get(pk=entry.pk).name == after


def test_a_text_that_becomes_longer_than_its_column_loses_its_end(club, alice):
    section = section_with(9, club=club, by=alice)
    entry = section.entries.first()
    person = entry.players[0]
    Person.objects.filter(pk=person.pk).update(name="Sona O")
    Entry.objects.filter(pk=entry.pk).update(name="O " * 29 + "O")
    is_over(section)

    forgetting.anonymise_person(Person.objects.get(pk=person.pk), by=alice)

    assert Entry.objects.get(pk=entry.pk).name == ("N.N.1 " * 40)[: Entry.NAME_LENGTH]


def test_somebody_who_is_really_called_so_keeps_the_name(played, alice):
    PersonFactory(club=played.club, name="N.N.1")

    forgetting.anonymise_person(Person.objects.get(name="Hanna Brandt"), by=alice)

    assert Person.objects.exclude(anonymous_since=None).get().name == "N.N.2"


def test_what_was_played_stays_when_a_name_is_forgotten(played, alice):
    hanna = Person.objects.get(name="Hanna Brandt")
    plays = list(Play.objects.order_by("pk").values())
    results = list(Result.objects.values("play", "outcome"))

    forgetting.anonymise_person(hanna, by=alice)

    assert list(Play.objects.order_by("pk").values()) == plays
    assert list(Result.objects.values("play", "outcome")) == results
    assert "N.N.1 & Karl Fischer" in [entry.names for entry in Entry.objects.all()] + [
        " & ".join(p.name for p in entry.people_in(1)) for entry in Entry.objects.all()
    ]


def test_a_substitute_who_was_misspelt_at_first_is_forgotten_too(club, alice):
    section = section_with(10, "mitchell", round=2, club=club, by=alice)
    people.add_substitute(section.entries.first(), 1, "Ida Stien", from_round=2, by=alice)
    link = EntryPerson.objects.exclude(plays_for=None).get()
    people.correct_substitute(section, link.pk, "Ida Stein", from_round=2, by=alice)
    is_over(section)

    forgetting.anonymise_person(Person.objects.get(name="Ida Stein"), by=alice)

    assert "Ida" not in everything()


def test_other_people_keep_their_names_and_other_clubs_theirs(played, alice, carol):
    elsewhere = carol.clubs.get()
    namesake = PersonFactory(club=elsewhere, name="Hanna Brandt")
    AuditRecord.objects.create(
        action="club.person",
        subject="club",
        subject_id=elsewhere.pk,
        facts={"before": "Hanna Brandt"},
    )
    strange = {"team": "Team Brandt", "before": "Hanna Brandt"}
    AuditRecord.objects.create(
        action="x", subject="another", subject_id=played.pk, facts=strange, reason="Brandt says so"
    )
    karls = everything().count("Karl Fischer")

    forgetting.anonymise_person(Person.objects.get(name="Hanna Brandt", club=played.club), by=alice)

    namesake.refresh_from_db()
    assert namesake.name == "Hanna Brandt"
    assert AuditRecord.objects.get(subject_id=elsewhere.pk, subject="club").facts == {
        "before": "Hanna Brandt"
    }
    other = AuditRecord.objects.get(subject="another")
    assert (other.facts, other.reason) == (strange, "Brandt says so")
    assert everything().count("Karl Fischer") == karls


def test_a_name_within_another_name_is_not_touched(played, alice):
    PersonFactory(club=played.club, name="Johanna Brandtner")

    forgetting.anonymise_person(Person.objects.get(name="Hanna Brandt"), by=alice)

    assert Person.objects.filter(name="Johanna Brandtner").exists()


def test_open_pages_fetch_themselves_anew_without_the_name(played, alice):
    before = Section.objects.get(pk=played.pk)

    forgetting.anonymise_person(Person.objects.get(name="Hanna Brandt"), by=alice)

    after = Section.objects.get(pk=played.pk)
    assert after.shown > before.shown
    assert after.plan == before.plan


def test_who_plays_tonight_is_not_forgotten_yet(club, alice):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    section.session.date = timezone.localdate()
    section.session.save()
    person = section.entries.first().players[0]

    with pytest.raises(errors.StillPlaying) as refused:
        forgetting.anonymise_person(person, by=alice)

    assert refused.value.fields == {"name": person.name, "date": section.session.date}

    person.refresh_from_db()
    assert person.anonymous_since is None


def test_who_is_forgotten_already_is_not_forgotten_again(played, alice):
    hanna = Person.objects.get(name="Hanna Brandt")
    forgetting.anonymise_person(hanna, by=alice)

    with pytest.raises(errors.SectionChanged):
        forgetting.anonymise_person(Person.objects.get(pk=hanna.pk), by=alice)


def test_two_who_are_forgotten_are_still_two(played, alice):
    for name in ("Hanna Brandt", "Karl Fischer"):
        forgetting.anonymise_person(Person.objects.get(name=name), by=alice)

    nobody = Person.objects.exclude(anonymous_since=None).values_list("name", flat=True)
    assert sorted(nobody) == ["N.N.1", "N.N.2"]


def test_merged_people_have_one_name_on_record(club, alice):
    section = section_with(4, club=club, by=alice)
    gone = section.entries.first().players[0]
    AuditRecord.objects.create(
        action="section.withdraw",
        subject="section",
        subject_id=section.pk,
        facts={"names": f"{gone.name} & X"},
    )
    stays = PersonFactory(club=club, name="Real Name")

    roster.merge_people(stays, gone, by=alice)

    assert AuditRecord.objects.get(action="section.withdraw").facts == {"names": "Real Name & X"}


# ── after so many months ──


def aged(section, days):
    is_over(section)
    section.session.date = timezone.localdate() - datetime.timedelta(days=days)
    section.session.save()


@pytest.mark.parametrize(("months", "kept"), [(None, True), (12, True), (6, False)])
def test_names_are_kept_as_long_as_the_club_says(club, alice, months, kept, capsys):
    section = section_with(4, club=club, by=alice)
    aged(section, 200)
    Club.objects.filter(pk=club.pk).update(names_kept_for=months)

    call_command("tidy")

    assert Person.objects.filter(anonymous_since=None).exists() is kept
    assert f"Names forgotten: {0 if kept else 8}" in capsys.readouterr().out
    assert section.entries.count() == 4


def test_who_has_played_since_keeps_the_name_and_so_does_who_never_played(club, alice):
    old = section_with(4, club=club, by=alice)
    aged(old, 400)
    lately = section_with(4, club=club, by=alice)  # the same people
    aged(lately, 300)
    PersonFactory(club=club, name="New Member")
    club.names_kept_for = 12
    club.save()

    assert forgetting.anonymise_inactive_people() == 0

    aged(lately, 399)
    assert forgetting.anonymise_inactive_people() == 8
    assert [person.name for person in club.known_people] == ["New Member"]


def plays_on(section, day):
    is_over(section)
    section.session.date = day
    section.session.save()


def test_a_name_is_kept_on_the_day_itself_and_forgotten_the_day_after(club, alice):
    section = section_with(4, club=club, by=alice)
    club.names_kept_for = 12
    club.save()
    last_day = forgetting.months_before(club.today, 12)

    plays_on(section, last_day)
    assert forgetting.anonymise_inactive_people() == 0

    plays_on(section, last_day - datetime.timedelta(days=1))
    assert forgetting.anonymise_inactive_people() == 8


@pytest.mark.parametrize(("zone", "forgotten"), [("Australia/Sydney", 8), ("Europe/London", 0)])
def test_names_are_forgotten_by_the_day_of_the_club(club, alice, monkeypatch, zone, forgotten):
    """It is the evening of 24 November in London, and the morning of 25 November in Sydney."""
    now = datetime.datetime(2026, 11, 24, 20, tzinfo=datetime.UTC)
    section = section_with(4, club=club, by=alice)
    plays_on(section, datetime.date(2025, 11, 24))
    Club.objects.filter(pk=club.pk).update(time_zone=zone, names_kept_for=12)
    monkeypatch.setattr(timezone, "now", lambda: now)

    assert forgetting.anonymise_inactive_people() == forgotten


def test_who_had_a_substitute_lately_keeps_the_name(club, alice):
    long_ago = section_with(4, club=club, by=alice)
    lately = section_with(4, "howell", round=1, club=club, by=alice)  # the same people
    away = lately.entries.first().players[0]
    people.add_substitute(lately.entries.first(), 1, "Ida Stein", from_round=1, by=alice)
    club.names_kept_for = 12
    club.save()

    for older, newer in ((long_ago, lately), (lately, long_ago)):
        aged(older, 400)
        aged(newer, 300)
        assert forgetting.anonymise_inactive_people() == (0 if newer == lately else 1)
        away.refresh_from_db()
        assert away.anonymous_since is None


def test_who_plays_since_yesterday_is_not_forgotten_after_midnight(club, alice):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    section.session.date = club.today - datetime.timedelta(days=1)
    section.session.save()

    with pytest.raises(errors.StillPlaying):
        forgetting.anonymise_person(section.entries.first().players[0], by=alice)

    section.session.date = club.today - datetime.timedelta(days=2)
    section.session.save()
    forgetting.anonymise_person(section.entries.first().players[0], by=alice)


@pytest.mark.parametrize("forgotten", [0, 1])
def test_of_two_people_marked_as_different_each_can_be_forgotten(club, alice, forgotten):
    two = [PersonFactory(club=club), PersonFactory(club=club)]
    roster.mark_as_different(*two, by=alice)

    forgetting.anonymise_person(two[forgotten], by=alice)

    assert not DistinctPeople.objects.exists()


def test_files_that_wait_to_be_imported_go_with_a_name_in_its_own_club_alone(club, alice):
    elsewhere = ClubFactory()
    for owner in (club, elsewhere):
        Import.objects.create(club=owner)

    forgetting.anonymise_person(PersonFactory(club=club), by=alice)

    assert [left.club for left in Import.objects.all()] == [elsewhere]


def test_whose_place_somebody_had_all_evening_is_forgotten_when_they_are(club, alice):
    section = section_with(4, "howell", round=1, club=club, by=alice)
    entry = section.entries.first()
    away = entry.players[0]
    people.add_substitute(entry, 1, "Ida Stein", from_round=1, by=alice)
    club.names_kept_for = 12
    club.save()
    aged(section, 300)

    assert forgetting.anonymise_inactive_people() == 0
    away.refresh_from_db()
    assert away.anonymous_since is None

    aged(section, 400)
    assert forgetting.anonymise_inactive_people() == 9
    away.refresh_from_db()
    assert away.anonymous_since is not None


def test_whose_place_somebody_has_all_evening_is_not_forgotten_while_it_is_played(club, alice):
    section = section_with(4, "howell", round=1, club=club, by=alice)
    section.session.date = timezone.localdate()
    section.session.save()
    entry = section.entries.first()
    away = entry.players[0]
    people.add_substitute(entry, 1, "Ida Stein", from_round=1, by=alice)

    with pytest.raises(errors.StillPlaying):
        forgetting.anonymise_person(Person.objects.get(pk=away.pk), by=alice)


def test_what_has_expired_is_deleted_and_nothing_else(club, alice):
    old, now = timezone.now() - datetime.timedelta(days=1), timezone.now()
    AttemptCount.objects.create(who="old", tries=1, until=int(old.timestamp()))
    AttemptCount.objects.create(who="new", tries=1, until=int(now.timestamp()) + 60)
    later = now + datetime.timedelta(days=1)
    for email, until in (("old@example.org", old), ("new@example.org", later)):
        Invitation.objects.create(club=club, email=email, key=email, until=until, by=alice)
    for key, expires in (("old", old), ("new", later)):
        WebSession.objects.create(session_key=key, session_data="", expire_date=expires)
    cache.set("new", 2, 60)
    caches["sheets"].set("sheet", 3, 60)

    call_command("tidy")

    assert list(AttemptCount.objects.values_list("who", flat=True)) == ["new"]
    assert list(Invitation.objects.values_list("email", flat=True)) == ["new@example.org"]
    assert list(WebSession.objects.values_list("session_key", flat=True)) == ["new"]
    assert (cache.get("new"), caches["sheets"].get("sheet")) == (2, 3)


def test_answers_that_have_expired_are_not_kept(capsys):
    cache.set("old", 1, 60)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE bridgebuddy_cache SET expires = '2020-01-01 00:00:00'")

    call_command("tidy")

    assert "and limits deleted: 1" in capsys.readouterr().out
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM bridgebuddy_cache")
        assert cursor.fetchone() == (0,)


# ── clubs ──


def test_a_deleted_club_leaves_nothing_but_accounts(played, alice, carol):
    keep = section_with(10, "mitchell", round=1, club=carol.clubs.get(), by=carol)
    before = StoredMovement.objects.filter(pk=keep.movement_id).values().get()
    for section in (keep, played):
        AuditRecord.objects.create(action="x", subject="session", subject_id=section.session_id)
        AuditRecord.objects.create(action="x", subject="club", subject_id=section.club.pk)

    forgetting.delete_club(played.club, name="  lindenhof bridge club ")

    assert list(Club.objects.all()) == [carol.clubs.get()]
    assert set(Section.objects.all()) == {keep}
    assert not Person.objects.filter(club=played.club.pk).exists()
    assert not Event.objects.exclude(club=keep.club).exists()
    left = AuditRecord.objects.values_list("subject", "subject_id").distinct()
    assert set(left) == {
        ("section", keep.pk),
        ("session", keep.session_id),
        ("club", keep.club.pk),
    }
    assert StoredMovement.objects.values().get() == before
    assert set(User.objects.all()) == {alice, carol}


def test_a_club_is_not_deleted_by_another_name_nor_while_it_plays(club, alice):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    Section.objects.filter(pk=section.pk).update(round_started_at=timezone.now())

    with pytest.raises(errors.NameRequired):
        forgetting.delete_club(club, name="Lindenhof")
    with pytest.raises(errors.SessionUnderWay):
        forgetting.delete_club(club, name=club.name)

    assert Club.objects.filter(pk=club.pk).exists()


def test_an_empty_club_is_deleted(db):
    club = ClubFactory()

    forgetting.delete_club(club, name=club.name)

    assert not Club.objects.exists()
