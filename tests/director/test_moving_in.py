"""The pages of moving in: files chosen, looked at, taken over by one press, read, and taken back."""

import datetime
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.director.club_data import imports as pages
from bridgebuddy.events.models import Event, Import, PastLine, PastPlayer, PastSession, Session
from bridgebuddy.publication.models import ClubPage
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.rules.past import opening
from tests.factories import director_of
from tests.publication.test_moving_in import ROWS, import_all, season
from tests.scoring.test_past_files import SEMICOLONS, USEBIO, packed

pytestmark = pytest.mark.django_db


@pytest.fixture
def director(client, club, alice):
    client.force_login(alice)
    return client


def bring(client, club, *files):
    sent = [SimpleUploadedFile(name, data) for name, data in files]
    return client.post(reverse("moving-in", args=[club.pk]), {"chosen": sent}, follow=True)


def waiting(club):
    return reverse("import", args=[club.pk, Import.objects.get(taken_at=None).pk])


def ticked(page):
    """Return the data that the form would send unchanged."""
    text = page.content.decode()
    found = {"do": "take"}
    for name in re.findall(r'name="(take-\d+)" checked', text):
        found[name] = "on"
    return found


def test_a_season_of_thirty_files_is_three_presses(director, club):
    Person.objects.create(club=club, name="Eva Klein")
    days = [datetime.date(2025, 1, 7) + datetime.timedelta(days=7 * n) for n in range(30)]
    files = [(f"{day}.csv", season(day.isoformat())) for day in days]

    page = bring(director, club, *files)

    text = page.content.decode()
    assert "Import 30 sessions" in text
    assert "Who is this?" not in text
    done = director.post(waiting(club), ticked(page), follow=True)
    assert "30 sessions imported" in done.content.decode()
    assert PastSession.objects.count() == 30
    home = director.get(reverse("home")).content.decode()
    assert home.count("Eva &amp; Otto Klein") == 4
    last = reverse("import", args=[club.pk, Import.objects.get().pk])
    fold = f"?open=import&amp;import={Import.objects.get().pk}&amp;year=2025#session-"
    assert f'href="{reverse("moving-in", args=[club.pk])}{fold}' in home
    again = bring(director, club, files[0])
    assert "Already there: this file was imported." in again.content.decode()
    assert ticked(again) == {"do": "take"}
    director.post(last, {"do": "back"})
    assert not Session.objects.exists()


def by_the_year(page):
    """Return the data that the form of many sessions would send unchanged."""
    years = re.findall(r'name="(year-\d+)" checked', page.content.decode())
    return ticked(page) | dict.fromkeys(years, "on")


def test_an_archive_of_two_thousand_sessions_is_three_presses_and_one_takes_it_back(
    director, club, alice, django_assert_max_num_queries
):
    first = datetime.date(2004, 1, 6)
    days = [(first + datetime.timedelta(days=4 * n)).isoformat() for n in range(2000)]

    page = bring(director, club, ("archive.csv", season(*days)))

    text = page.content.decode()
    assert "Import 2000 sessions" in text
    assert len(page.content) < 50_000
    with django_assert_max_num_queries(400):
        done = director.post(waiting(club), by_the_year(page), follow=True)
    text = done.content.decode()
    assert "2000 sessions imported" in text
    assert text.count('id="session-') == len([day for day in days if day[:4] == days[-1][:4]])
    earlier = director.get(
        done.request["PATH_INFO"],
        {"open": "import", "import": Import.objects.get().pk, "year": 2004},
    ).content.decode()
    assert earlier.count('id="session-') == len([day for day in days if day[:4] == "2004"])
    assert Session.objects.count() == PastSession.objects.count() == 2000
    assert PastLine.objects.count() == 4000
    assert Event.objects.filter(name="Tuesday").count() == 1

    director.post(reverse("import", args=[club.pk, Import.objects.get().pk]), {"do": "back"})

    assert not Session.objects.exists()
    assert not PastLine.objects.exists()
    assert not Person.objects.filter(name="Eva Klein").exists()


def test_of_many_sessions_those_in_doubt_are_ticked_each_for_itself(
    director, club, alice, monkeypatch
):
    monkeypatch.setattr(pages, "MANY", 3)
    import_all(club, alice, "2025-01-14")
    lines = season("2025-01-07", "2025-01-14", "2024-01-21", "2024-01-28").decode()
    doubtful = "\n".join((lines, "2024-02-04;Tuesday;1;Ann Lee;Bob Day;;138.75;"))

    page = bring(director, club, ("many.csv", doubtful.encode()))

    sent = by_the_year(page)
    assert sorted(sent) == ["do", "year-2024", "year-2025"]
    assert "Import 3 sessions" in page.content.decode()
    del sent["year-2025"]
    unticked = director.post(
        waiting(club), {**sent, "year-2024": "on", "take-0": "on"}, follow=True
    )
    assert "2 sessions imported" in unticked.content.decode()


def test_where_one_of_many_cannot_be_stored_none_is(director, club, monkeypatch):
    page = bring(director, club, ("a.csv", season("2025-01-07", "2025-01-14")))
    monkeypatch.setattr(PastPlayer.objects, "bulk_create", broken)

    with pytest.raises(OSError, match="disk"):
        director.post(waiting(club), ticked(page))

    assert not Session.objects.exists()
    assert not Person.objects.filter(name="Eva Klein").exists()
    assert Import.objects.get().taken_at is None


def broken(*_args, **_kwargs):
    raise OSError("the disk is full")


def test_who_is_doubtful_is_asked_with_the_proposed_one_first(director, club):
    known = Person.objects.create(club=club, name="William Ford")
    rows = ("1;Bill Ford;Otto Klein;;61;",)

    page = bring(director, club, ("a.csv", season("2025-01-07", rows=rows)))
    sent = ticked(page)
    field = re.search(r'name="(who-\w+)"', page.content.decode())[1]

    options = re.findall(r"<option value=\"(\w+)\"", page.content.decode())
    assert options == [str(known.pk), "new"]
    refused = director.post(waiting(club), {"do": "take", field: "new"})
    assert refused.status_code == 422
    assert re.search(r'value="new"\s+selected', refused.content.decode())
    director.post(waiting(club), {**sent, field: "new"})
    assert set(club.people.values_list("name", flat=True)) == {
        "William Ford",
        "Bill Ford",
        "Otto Klein",
    }


def test_a_session_without_a_day_is_asked_for_it(director, club):
    page = bring(director, club, ("Pokal.csv", SEMICOLONS.encode()))
    sent = ticked(page)

    refused = director.post(waiting(club), {**sent, "day-0": "2999-01-01"})
    director.post(waiting(club), {**sent, "day-0": "2024-02-29"})

    assert "It must be in the past." in refused.content.decode()
    session = Session.objects.get()
    assert (session.event.name, session.date) == ("Pokal", datetime.date(2024, 2, 29))


def test_what_cannot_be_read_is_told_beside_what_can(director, club):
    page = bring(
        director,
        club,
        ("all.zip", packed([("a.xml", USEBIO), ("b.pbn", '[Board "1"]')])),
        ("evil.xml", f'<!DOCTYPE x [<!ENTITY a "b">]>{USEBIO}'.encode()),
        ("=1+1.csv", b"\x89PNG\r\n\x1a\n12345678901234567890"),
    )

    text = page.content.decode()
    assert "The file contains no ranking." in text
    assert "defines its own entities" in text
    assert "This kind of file cannot be imported." in text
    assert "Import 1 session" in text


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("half.zip", b"PK\x03\x04" + b"x" * 50, "The ZIP file is damaged."),
        ("many.zip", packed([(f"{n}.csv", "x") for n in range(13)]), "Too many"),
    ],
)
def test_too_much_is_refused_in_words(director, club, name, data, said, monkeypatch):
    monkeypatch.setattr(opening, "MOST_FILES", 12)

    page = bring(director, club, (name, data))

    assert (page.status_code, said in page.content.decode()) == (422, True)
    assert not Import.objects.exists()


def test_nothing_chosen_is_refused_in_words(director, club):
    page = director.post(reverse("moving-in", args=[club.pk]))

    assert page.status_code == 422


def test_rubbish_in_the_form_changes_nothing(director, club):
    bring(director, club, ("a.csv", season("2025-01-07")))
    address = waiting(club)

    for sent in ({"do": "take", "take-99": "on"}, {"do": "read"}, {"do": "\0"}, {"take-0": "on"}):
        assert director.post(address, sent).status_code in (302, 422)

    assert not Session.objects.exists()
    director.post(address, {"do": "away"})
    assert not Import.objects.exists()


def test_files_are_not_put_away_that_somebody_else_has_taken_over(director, club, alice):
    past_import = import_all(club, alice, "2025-01-07")

    page = director.post(
        reverse("import", args=[club.pk, past_import.pk]), {"do": "away"}, follow=True
    )

    assert "This import has already been completed" in page.content.decode()
    assert Session.objects.count() == 1


def test_what_was_pressed_twice_or_replaced_by_other_files_leads_back(director, club, alice):
    past_import = import_all(club, alice, "2025-01-07")
    own = reverse("import", args=[club.pk, past_import.pk])
    bring(director, club, ("a.csv", season("2025-01-14")))
    before = waiting(club)
    bring(director, club, ("b.csv", season("2025-01-21")))

    once, twice = (director.post(own, {"do": "back"}) for _ in range(2))
    late = director.post(before, {"do": "take", "take-0": "on"}, follow=True)

    assert (once.status_code, twice.status_code) == (302, 302)
    assert "This import has already been completed or discarded." in late.content.decode()
    assert not Session.objects.exists()


@pytest.mark.parametrize("most", ["MOST_FILES", "MOST_SESSIONS", "MOST_LINES_IN_ALL"])
def test_many_files_are_refused_in_words(director, club, monkeypatch, most):
    monkeypatch.setattr(opening, most, 12)

    page = bring(director, club, *((f"{n}.csv", season(f"2025-01-{n}")) for n in range(10, 24)))

    assert (page.status_code, "Too many" in page.content.decode()) == (422, True)


def test_another_clubs_director_finds_nothing(client, club, alice):
    past_import = import_all(club, alice, "2025-01-07")
    other = director_of(type(club).objects.create(name="Elsewhere"))
    client.force_login(other)
    own = other.memberships.get().club

    for address in (
        reverse("import", args=[club.pk, past_import.pk]),
        reverse("moving-in", args=[club.pk]),
    ):
        assert client.post(address, {"do": "back"}).status_code == 404
    through_own = reverse("import", args=[own.pk, past_import.pk])
    assert client.get(through_own).status_code == 404
    for wish in ("back", "away", "take", "read"):
        assert client.post(through_own, {"do": wish}).url == reverse("moving-in", args=[own.pk])
    assert Session.objects.count() == 1


def test_everybody_reads_what_the_club_lets_be_read(director, client, club, alice):
    club.public_names = "initials"
    club.save()
    page = ClubPage.objects.create(club=club, address="ours", is_on=True)
    past_import = import_all(club, alice, "2025-01-07", rows=(*ROWS, "3;Zoe Ott;Max Roth;;20;"))
    address = reverse("public-results", args=[ScoringSettings.objects.get().token])
    own = reverse("import", args=[club.pk, past_import.pk])
    assert director.get(address).status_code == 404

    director.post(own, {"do": "read"})
    client.logout()

    text = client.get(address).content.decode()
    assert "61.25 %" in text
    assert "as another program scored it" in text
    for name in ("Klein", "Zoe", "Roth"):
        assert name not in text
    club_page = client.get(reverse("club-page", args=[page.address])).content.decode()
    assert address in club_page
    feed = client.get(reverse("club-feed", args=[page.address])).content.decode()
    assert address in feed
    assert "Klein" not in club_page + feed
    for name, rest in {
        "public-sheets": [],
        "public-boards": [],
        "public-matches": [],
        "public-pairs": [],
        "public-find": [],
        "public-deals": [],
        "public-sheet": ["A", "1"],
        "public-board": ["A", 1],
        "public-deals-file": ["A", "pbn"],
    }.items():
        where = reverse(name, args=[ScoringSettings.objects.get().token, *rest])
        assert client.get(where).status_code == 404, name
    privacy = client.get(reverse("public-privacy", args=[ScoringSettings.objects.get().token]))
    assert address in privacy.content.decode()
    client.force_login(alice)
    client.post(own, {"do": "unread"})
    assert client.get(address).status_code == 404


def test_pages_ask_as_much_for_many_as_for_few(
    director, club, alice, django_assert_max_num_queries
):
    past_import = import_all(club, alice, *(f"2025-01-{day:02}" for day in range(1, 29)))
    assert PastLine.objects.count() == 56

    with django_assert_max_num_queries(14):
        director.get(reverse("import", args=[club.pk, past_import.pk]))
    with django_assert_max_num_queries(30):
        director.get(reverse("home"))


TITLES = (
    "1;Dr. Ann Lee;W. Day;;61.25;",
    "2;Frau Eva Klein;Phil Jones;;38.75;",
    ";DIRECTOR;Bye;;;",
)


def test_titles_are_removed_only_where_the_director_does_not_keep_them(director, club):
    page = bring(director, club, ("season.csv", season("2025-01-07", rows=TITLES)))

    text = page.content.decode()
    boxes = dict(re.findall(r'name="(whole-[^"]+)">\s*<span>([^<]+) →', text))
    assert list(boxes.values()) == ["Dr. Ann Lee", "Frau Eva Klein"]
    kept = {name: "on" for name, written in boxes.items() if written == "Frau Eva Klein"}
    director.post(waiting(club), ticked(page) | kept)
    names = set(club.people.values_list("name", flat=True))
    assert names == {"Ann Lee", "W. Day", "Frau Eva Klein", "Phil Jones"}


def test_missing_pairs_of_all_files_are_named_with_their_sessions(director, club):
    files = [(f"{day}.csv", season(day, rows=TITLES)) for day in ("2025-01-07", "2025-01-14")]

    text = " ".join(bring(director, club, *files).content.decode().split())

    assert "Left out, because they are no people: DIRECTOR (2), Bye (2)" in text


def test_a_session_with_the_identifier_of_an_imported_one_is_asked_about(director, club, alice):
    named = USEBIO.replace("<DATE>", "<EVENT_IDENTIFIER>E77</EVENT_IDENTIFIER><DATE>")
    page = bring(director, club, ("monday.xml", named.encode()))
    director.post(waiting(club), ticked(page))

    others = named.replace("Zoë Oğuz", "Ann Lee").replace("Monday", "Club night")
    again = bring(director, club, ("again.xml", others.encode()))
    later = bring(director, club, ("later.xml", others.replace("05/01", "12/01").encode()))

    assert "a session with the same identifier on this day" in again.content.decode()
    assert not re.search(r'name="take-\d+" checked', again.content.decode())
    assert re.search(r'name="take-\d+" checked', later.content.decode())
