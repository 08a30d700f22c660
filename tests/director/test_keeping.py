"Stored personal data: shown, handed out, forgotten; to the club's directors alone."

import csv
import io
import json
import zipfile

import pytest
from django.apps import apps
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.director.club_data.tables import TABLES
from bridgebuddy.events.models import Section
from bridgebuddy.publication.own.personal_data import LEFT_OUT
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import PersonFactory, section_with
from tests.markup import has_open_fold
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db
#: what belongs to no club, or is handed out in another way
NOT_A_TABLE = {
    *("User", "Club", "Membership", "ClubLogo"),  # accounts, the first two tables, a picture
    *("Invitation", "AttemptCount"),  # gone in a week, in an hour
    "Upkeep",  # of the server, and of no club
    "PublishedOutcome",  # worked out anew from results, which are handed out, and their counts
    "PlayerSession",  # the same
    *("ListImport", "ListImportPerson"),  # gone in a day, and of details that are handed out
}


@pytest.fixture
def browser(signed_in, alice):
    return signed_in(alice)


@pytest.fixture
def hanna(skip_section):
    """Return a person who has played in a finished session."""
    Section.objects.update(finished_at=timezone.now())
    person = skip_section.entries.first().players[0]
    person.name = "=Hanna Brandt"
    person.save()
    return person


def test_the_page_says_what_is_kept_and_for_how_long(browser, club):
    address = reverse("kept", args=[club.pk])
    assert "until you ask the club" in browser.get(address, follow=True).content.decode()

    settings = reverse("club-privacy", args=[club.pk])

    browser.post(settings, {"names_kept_for": "24"})

    assert Club.objects.get(pk=club.pk).names_kept_for == 24
    assert "absent for 24 months" in browser.get(address, follow=True).content.decode()
    browser.post(settings, {"names_kept_for": ""})
    assert Club.objects.get(pk=club.pk).names_kept_for is None


@pytest.mark.parametrize("sent", ["0", "7", "-1", "²", "x"])
def test_no_other_time_is_taken(browser, club, sent):
    answer = browser.post(reverse("club-privacy", args=[club.pk]), {"names_kept_for": sent})

    assert answer.status_code == 422
    assert Club.objects.get(pk=club.pk).names_kept_for is None


def test_a_name_is_forgotten_after_a_warning(browser, club, hanna):
    address = reverse("anonymise-player", args=[club.pk, hanna.pk])
    assert "This cannot be undone" in browser.get(address, follow=True).content.decode()
    assert Person.objects.get(pk=hanna.pk).name == "=Hanna Brandt"

    answer = browser.post(address)

    assert answer.url == reverse("players", args=[club.pk])
    assert Person.objects.get(pk=hanna.pk).name == "N.N.1"
    assert "N.N.1" not in browser.get(answer.url).content.decode().replace(
        "=Hanna Brandt is forgotten", ""
    )
    assert browser.get(reverse("edit-player", args=[club.pk, hanna.pk])).status_code == 404
    suggestions = reverse("suggestions", args=[Section.objects.get().code])
    assert "N.N.1" not in browser.get(suggestions, {"q": "n", "field": "first"}).content.decode()


def test_why_a_name_is_not_forgotten_is_said(browser, club, alice):
    section = section_with(4, club=club, by=alice)
    section.session.date = timezone.localdate()
    section.session.save()
    person = section.entries.first().players[0]

    answer = browser.post(reverse("anonymise-player", args=[club.pk, person.pk]))

    assert answer.status_code == 422
    assert "which is not over" in answer.content.decode()
    assert has_open_fold(answer, "forget")
    assert answer.templates[0].name == "director/edit_player.html"


def test_a_person_is_handed_what_is_kept_of_them(browser, club, hanna):
    answer = browser.get(reverse("person-data", args=[club.pk, hanna.pk, "json"]))

    tables = json.loads(answer.content)["tables"]
    assert [row["name"] for row in tables["person"]] == ["=Hanna Brandt"]
    assert tables["sessions"][0].items() >= {"event": "Tuesday Pairs", "with": "Bob South1"}.items()
    assert {row["seat"] for row in tables["plays"]} <= {"north", "south", "east", "west"}
    assert {row["round"] for row in tables["plays"]} == {1, 2, 3, 4}
    assert "Anna North2" not in answer.content.decode()
    assert answer.headers["Content-Disposition"] == 'attachment; filename="hanna-brandt.json"'


def test_a_club_is_handed_everything_without_what_opens_pages(browser, club, skip_section, hanna):
    answer = browser.get(reverse("club-data", args=[club.pk, "json"]))

    document = json.loads(answer.content)
    tables = document["tables"]
    assert (document["format"], document["version"]) == ("bridgebuddy-club", 1)
    assert len(tables["people"]) == 32
    assert len(tables["plays"]) == 4 * 8 * 3
    assert tables["movements"][0]["family"] == "skip-mitchell"
    assert tables["members"][0]["email"] == "alice@example.org"
    assert skip_section.code not in answer.content.decode()
    assert "password" not in answer.content.decode()


def test_a_club_is_handed_totals_and_places_that_need_no_program(browser, club, alice):
    pairs = scored_section(8, "howell", club=club, by=alice)
    teams = scored_section(6, "team-round-robin", contest="teams", club=club, by=alice)

    tables = json.loads(browser.get(reverse("club-data", args=[club.pk, "json"])).content)["tables"]

    for section, count in ((pairs, 8), (teams, 6)):
        scored = ScoredSession(SessionSnapshot(section))
        mine = [
            standing
            for standing in tables["standings"]
            if standing["session_id"] == section.session_id
        ]
        [shown] = scored.main_lists
        assert [
            (standing["place"], standing["total"], standing["percent"]) for standing in mine
        ] == [
            (standing.row.place or "", standing.row.total, standing.row.percent)
            for standing in shown.standings
        ]
        assert len(mine) == count
        names = {entry["id"]: entry for entry in tables["entries"]}
        assert {standing["entry_id"] for standing in mine} <= set(names)
        plays = {play["id"] for play in tables["plays"] if play["section_id"] == section.pk}
        values = {
            value["play_id"]: value for value in tables["values"] if value["play_id"] in plays
        }
        for line in scored.tonight.lines:
            if line.outcome:
                side = scored.side(line, "ns")
                assert values[line.play]["value_ns"] == side.value
                assert values[line.play]["score"] == scored.score(line)
    assert {score["section_id"] for score in tables["match_scores"]} == {teams.pk}
    played = [score for score in tables["match_scores"] if score["rule"] == "match"]
    assert played
    assert all(score["imps_home"] == -score["imps_away"] for score in played)


def test_a_spreadsheet_is_handed_the_same_tables(browser, club, hanna):
    as_json = json.loads(browser.get(reverse("club-data", args=[club.pk, "json"])).content)
    archive = zipfile.ZipFile(
        io.BytesIO(browser.get(reverse("club-data", args=[club.pk, "zip"])).content)
    )

    rows = {
        name.removesuffix(".csv"): list(
            csv.DictReader(io.StringIO(archive.read(name).decode("utf-8-sig")))
        )
        for name in archive.namelist()
    }
    assert {name: len(found) for name, found in rows.items()} == {
        name: len(found) for name, found in as_json["tables"].items()
    }
    assert "'=Hanna Brandt" in {row["name"] for row in rows["people"]}  # nothing to compute


def test_other_formats_are_not_there(browser, club, hanna):
    assert browser.get(reverse("club-data", args=[club.pk, "exe"])).status_code == 404
    assert browser.get(reverse("person-data", args=[club.pk, hanna.pk, "exe"])).status_code == 404


def test_nothing_of_another_club_is_handed_out(signed_in, carol, club, hanna):
    browser = signed_in(carol)
    theirs = carol.clubs.get()
    PersonFactory(club=theirs, name="Own Member")

    handed = browser.get(reverse("club-data", args=[theirs.pk, "json"])).content.decode()

    assert "Own Member" in handed
    assert "Hanna" not in handed
    assert "Lindenhof" not in handed
    assert (
        browser.get(reverse("person-data", args=[theirs.pk, hanna.pk, "json"])).status_code == 404
    )


def test_every_table_of_a_club_is_handed_out():
    """A new table is in the list of tables, or named here with the reason."""
    named = {model.__name__ for model, _path in TABLES.values()} | NOT_A_TABLE
    ours = {
        model.__name__
        for app in ("clubs", "events", "scoring", "publication")
        for model in apps.get_app_config(app).get_models()
    }

    assert ours - named == set()
    assert {
        *("code", "once", "token", "next_token", "search", "sealed", "salt", "key", "former_key")
    } == LEFT_OUT


def test_a_club_is_deleted_by_whoever_types_its_name(browser, club, hanna):
    address = reverse("delete-club", args=[club.pk])
    assert "cannot be undone" in browser.get(address, follow=True).content.decode()
    refused = browser.post(address, {"name": "Lindenhof"})
    assert refused.status_code == 422
    assert "Type the name of the club: Lindenhof Bridge Club" in refused.content.decode()
    assert 'value="Lindenhof"' in refused.content.decode()
    assert has_open_fold(refused, "delete")
    assert refused.templates[0].name == "director/club/privacy.html"

    answer = browser.post(address, {"name": "Lindenhof Bridge Club"})

    assert answer.url == reverse("home")
    assert not Club.objects.exists()
    assert browser.get(answer.url).url == reverse("new-club")
