"""A club's page: visible at the club's choice, with public data only."""

import datetime
import re
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Entry, EntryPerson, Event, Section, Session
from bridgebuddy.events.queries.states import state_digest
from bridgebuddy.events.services.lifecycle import deletions, forgetting
from bridgebuddy.events.services.roster import change_person
from bridgebuddy.planning.models import Series, SessionPlan
from bridgebuddy.publication.feeds import CalendarItem, calendar_file
from bridgebuddy.publication.imports import importing
from bridgebuddy.publication.models import ClubPage, PublishedOutcome
from bridgebuddy.publication.queries import next_sessions
from bridgebuddy.scoring.models import Result, ScoringSettings
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.services.rulings import give_penalty
from tests.factories import (
    ClubFactory,
    EventFactory,
    PersonFactory,
    SectionFactory,
    SessionFactory,
    section_with,
)
from tests.publication.test_moving_in import import_all
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

MOST_QUERIES = 8
A_DAY = datetime.timedelta(days=1)


@pytest.fixture
def page(club):
    return ClubPage.objects.create(club=club, address="lindenhof", is_on=True, words="Tuesdays")


def played(club, by, event="Tuesday Pairs", name="", on=None, *, is_public=True):
    """Make an evening of a club with results; one of its winners has a rare name."""
    section = scored_section(6, "mitchell", rounds=3, club=club, by=by)
    Session.objects.filter(pk=section.session_id).update(
        event=EventFactory(club=club, name=event), date=on or section.session.date
    )
    if name:
        person = section.entries.order_by("pk").first().players[0]
        Person.objects.filter(pk=person.pk).update(name=name, search=name.casefold())
        first = section.entries.order_by("pk").first()
        give_penalty(section, first.pk, unit="percent", amount=60, kind="bonus", by=by)
    section = Section.objects.get(pk=section.pk)
    if is_public:
        publishing.publish_results(section, by=by)
    return section


def addresses(page, *people):
    year = Session.objects.order_by("date").last().date.year
    of_page = [
        reverse(f"club-{text}", args=[page.address]) for text in ("page", "feed", "calendar")
    ]
    of_page += [reverse(f"club-{text}", args=[page.address]) for text in ("embedded", "players")]
    of_page += [reverse("club-year", args=[page.address, year])]
    of_page += [reverse("club-month", args=[page.address, year, month]) for month in range(1, 13)]
    of_page += [
        f"{reverse('club-players', args=[page.address])}?q={word}"
        for word in ("zach", "Zacharias", "wil", "Guest", "N.N", "an")
    ]
    return of_page + [reverse("club-player", args=[page.address, person.pk]) for person in people]


def public_pages(client, page, *people):
    return "\n".join(client.get(address).content.decode() for address in addresses(page, *people))


def test_nothing_is_there_until_the_club_says_so(client, club, alice, signed_in):
    section = played(club, alice, "Lindenhof Cup", "Wilhelmine Zacharias")
    settings = reverse("club-public", args=[club.pk])
    browser = signed_in(alice)
    assert "lindenhof-bridge-club" in browser.get(settings).content.decode()
    assert not ClubPage.objects.exists()

    browser.post(settings, {"is_on": "True"})

    own = client.get(reverse("club-page", args=["lindenhof-bridge-club"]))
    assert "Lindenhof Cup" in own.content.decode()
    assert "Wilhelmine Zacharias" in own.content.decode()
    assert own["X-Robots-Tag"] == "noindex"
    assert reverse("public-results", args=[section.session.scoring.token]) in own.content.decode()
    browser.post(settings, {"is_on": "False"})
    assert {client.get(address).status_code for address in addresses(ClubPage.objects.get())} == {
        404
    }


def test_an_address_that_another_club_has_is_refused(club, alice, signed_in):
    ClubPage.objects.create(club=ClubFactory(), address="lindenhof-bridge-club")
    settings = reverse("club-public", args=[club.pk])
    browser = signed_in(alice)
    assert "lindenhof-bridge-club-2" in browser.get(settings).content.decode()

    for address in ("lindenhof-bridge-club", "Ünder", "a--b", "-a", "a/b", "x" * 41):
        assert browser.post(settings, {"address": address}).status_code == 422

    assert browser.post(settings, {"address": "linden", "is_indexed": "True"}).status_code == 302
    assert ClubPage.objects.get(club=club).address == "linden"


#: what nobody may read, by the state it is in
def unpublished(club, by):
    return played(club, by, "Secret Cup", "Wilhelmine Zacharias", is_public=False)


def taken_back(club, by):
    section = played(club, by, "Secret Cup", "Wilhelmine Zacharias")
    publishing.unpublish_results(section, by=by)
    return section


def embargoed(club, by):
    section = played(club, by, "Secret Cup", "Wilhelmine Zacharias")
    ScoringSettings.objects.update(embargo_until=timezone.now() + A_DAY)
    return section


def deleted(club, by):
    section = played(club, by, "Secret Cup", "Wilhelmine Zacharias")
    deletions.delete_session(section, name="Secret Cup", by=by)
    return section


def rehearsed(club, by):
    section = played(club, by, "Secret Cup", "Wilhelmine Zacharias")
    Session.objects.update(rehearsal_until=timezone.now() + A_DAY)
    return section


def of_another_club(club, by):
    other = ClubFactory()
    ClubPage.objects.create(club=other, address="other", is_on=True)
    return played(other, by, "Secret Cup", "Wilhelmine Zacharias")


STATES = (unpublished, taken_back, embargoed, deleted, rehearsed, of_another_club)


@pytest.mark.parametrize("state", STATES)
def test_what_is_not_for_everybody_is_at_no_address(client, club, alice, page, state):
    section = state(club, alice)
    person = Person.objects.get(name="Wilhelmine Zacharias")

    words = public_pages(client, page, person)

    for secret in ("Zacharias", "Wilhelmine", "Secret Cup"):
        assert secret not in re.sub(r'value="Zacharias"|“Zacharias”', "", words)
    scoring = ScoringSettings.objects.filter(session=section.session_id).first()
    assert scoring is None or scoring.token not in words
    assert client.get(reverse("club-player", args=[page.address, person.pk])).status_code == 404


@pytest.mark.parametrize("how", ["initials", "none", "forgotten"])
def test_a_name_that_is_not_shown_is_not_found_and_its_owner_has_no_page(
    client, club, alice, page, how
):
    played(club, alice, "Lindenhof Cup", "Wilhelmine Zacharias")
    person = Person.objects.get(name="Wilhelmine Zacharias")
    own = reverse("club-player", args=[page.address, person.pk])
    assert "Wilhelmine Zacharias" in public_pages(client, page)
    assert "Lindenhof Cup" in client.get(own).content.decode()

    if how == "forgotten":
        Section.objects.update(finished_at=timezone.now())
        forgetting.anonymise_person(person, by=alice)
    else:
        change_person(person, person.name, None, how, by=alice)

    words = public_pages(client, page, person)
    assert "Lindenhof Cup" in words
    assert "Zacharias" not in re.sub(r'value="Zacharias"|“Zacharias”', "", words)
    assert client.get(own).status_code == 404


def test_who_won_follows_what_is_corrected(client, club, alice, page):
    section = played(club, alice, "Lindenhof Cup", "Wilhelmine Zacharias")
    own = reverse("club-page", args=[page.address])
    assert "Wilhelmine Zacharias" in client.get(own).content.decode()

    first = section.entries.order_by("pk").first()
    give_penalty(section, first.pk, unit="percent", amount=-90, kind="time", by=alice)

    assert "Wilhelmine Zacharias" not in client.get(own).content.decode()
    assert "Lindenhof Cup" in client.get(own).content.decode()


def test_the_next_sessions_are_those_from_today_to_the_same_day_of_next_year(club):
    for days in (-1, 0, 366, 367):
        event = EventFactory(club=club, name=f"in {days} days")
        SectionFactory(session=SessionFactory(event=event, date=club.today + days * A_DAY))

    assert [str(session.event) for session in next_sessions(club)] == ["in 0 days", "in 366 days"]


def test_next_sessions_are_on_the_page_and_in_the_calendar(client, club, alice, page):
    section = section_with(2, club=club, by=alice)
    Session.objects.filter(pk=section.session_id).update(date=club.today + 3 * A_DAY)
    SessionPlan.objects.create(
        session=section.session,
        series=Series.objects.create(
            event=section.session.event, days="2", starts_at=datetime.time(19), until=club.today
        ),
        host=PersonFactory(club=club, name="Hanna Brandt", public_name="initials"),
        price="5 €",
    )
    SessionFactory(
        event=EventFactory(club=club, name="Deleted Cup"),
        date=club.today + A_DAY,
        deleted_at=timezone.now(),
    )

    words = public_pages(client, page)

    assert words.count("SUMMARY:Tuesday Pairs") == 1
    assert "LOCATION:Tuesdays\r\n" in words
    assert "DESCRIPTION:every Tuesday\\, host: H. B.\\, price: 5 €\r\n" in words
    assert "Anna North1" not in words
    assert "Deleted Cup" not in words


def test_a_calendar_is_in_the_clubs_language_for_all_readers(client, club, alice, page):
    club.language = "de"
    club.save()
    section = section_with(2, club=club, by=alice)
    Session.objects.filter(pk=section.session_id).update(date=club.today + 3 * A_DAY)
    series = Series.objects.create(
        event=section.session.event, days="2", starts_at=datetime.time(19), until=club.today
    )
    host = PersonFactory(club=club, name="Hanna Brandt", public_name="full")
    SessionPlan.objects.create(session=section.session, series=series, host=host, price="5 €")

    calendars = {
        client.get(
            reverse("club-calendar", args=[page.address]), headers={"Accept-Language": wanted}
        )
        .content.decode()
        .replace("\r\n ", "")
        for wanted in ("en", "de", "ko", "")
    }
    names = [re.sub(r"DTSTAMP:.*", "", calendar) for calendar in calendars]

    assert len(set(names)) == 1
    assert "DESCRIPTION:jeden Dienstag\\, Gastgeber: Hanna Brandt\\, Preis: 5 €" in names[0]


def test_a_club_without_sessions_has_a_whole_feed_and_calendar(client, page):
    feed = client.get(reverse("club-feed", args=[page.address]))
    root = ElementTree.fromstring(feed.content)
    assert root.tag == "{http://www.w3.org/2005/Atom}feed"
    assert not root.findall("{http://www.w3.org/2005/Atom}entry")
    text = client.get(reverse("club-calendar", args=[page.address])).content
    assert text.startswith(b"BEGIN:VCALENDAR\r\n")
    assert text.endswith(b"END:VCALENDAR\r\n")
    assert client.get(reverse("club-page", args=[page.address])).status_code == 200
    assert client.get(reverse("club-month", args=[page.address, 2026, 13])).status_code == 404


ENTRY = "{http://www.w3.org/2005/Atom}"


def feed_of(client, page, **headers):
    answer = client.get(reverse("club-feed", args=[page.address]), headers=headers)
    return ElementTree.fromstring(answer.content)


def test_a_feed_is_in_the_clubs_language_for_all_readers(client, club, alice, page):
    club.language = "de"
    club.save()
    played(club, alice, "Müller & Söhne <Cup>", on=datetime.date(2026, 11, 24))

    feeds = [feed_of(client, page, **{"Accept-Language": wanted}) for wanted in ("en", "de")]

    assert ElementTree.tostring(feeds[0]) == ElementTree.tostring(feeds[1])
    assert feeds[0].get("{http://www.w3.org/XML/1998/namespace}lang") == "de"
    entry = feeds[0].find(f"{ENTRY}entry")
    assert entry.findtext(f"{ENTRY}title") == "Müller & Söhne <Cup>, Di 24. Nov 2026"
    assert entry.findtext(f"{ENTRY}summary").startswith("Sieger: ")
    assert entry.findtext(f"{ENTRY}id") == entry.find(f"{ENTRY}link").get("href")


def test_a_feed_is_new_only_when_readers_see_another_figure(client, club, alice, page):
    section = played(club, alice, "Lindenhof Cup")
    publishing.make_list_final(section, by=alice)
    result = Result.objects.filter(play__section=section, stands=True).order_by("pk").first()

    def updated():
        feed = feed_of(client, page)
        times = {feed.findtext(f"{ENTRY}updated")}
        return times | {entry.findtext(f"{ENTRY}updated") for entry in feed.iter(f"{ENTRY}entry")}

    def revise(outcome, days):
        """Enter another outcome, so many days after the list was published."""
        enter_result(section, result.play_id, outcome, after=result.number, by=alice)
        result.number += 1
        ScoringSettings.objects.update(final_at=published + days * A_DAY)

    published = ScoringSettings.objects.get().first_final_at
    at_first = updated()

    revise(result.outcome | {"lead": "S2"}, 1)
    invisible = updated()
    revise({"passed": True}, 2)
    visible = updated()
    revise({"score": 0}, 3)
    without_a_figure = updated()

    expected = [f"{published + days * A_DAY:%Y-%m-%dT%H:%M:%S}+00:00" for days in (0, 0, 2, 2)]
    found = [at_first, invisible, visible, without_a_figure]
    assert found == [{time} for time in expected]


def test_a_calendar_has_no_line_too_long_and_no_sign_that_ends_one():
    now = datetime.datetime(2026, 11, 24, 18, tzinfo=datetime.UTC)
    title = "Pärchen, Söhne; Größe\\n\nEND:VEVENT " + "ü" * 90
    text = calendar_file("Club", "1", [CalendarItem("k", title, now, now)], now)

    lines = text.split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    whole = text.replace(b"\r\n ", b"").decode()
    assert whole.count("\r\nEND:VEVENT") == 1
    assert "Pärchen\\, Söhne\\; Größe\\\\n END:VEVENT " + "ü" * 90 in whole


def test_only_the_embedded_page_stands_in_another_websites_frame(client, page):
    embedded = client.get(reverse("club-embedded", args=[page.address]))
    own = client.get(reverse("club-page", args=[page.address]))

    assert "X-Frame-Options" not in embedded
    assert "frame-ancestors *" in embedded["Content-Security-Policy"]
    assert own["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in own["Content-Security-Policy"]


def archive(club, count):
    """So many published sessions, each with a pair that has won."""
    event = Event.objects.create(club=club, name="Tuesday Pairs")
    pair = [PersonFactory(club=club, name=name) for name in ("Hanna Brandt", "Karl Frey")]
    first = datetime.date(2026, 11, 24)
    sessions = Session.objects.bulk_create(
        Session(event=event, date=first - n * A_DAY, starts_at=datetime.time(19))
        for n in range(count)
    )
    sections = Section.objects.bulk_create(
        Section(session=item, code=f"{n:06}", round=1) for n, item in enumerate(sessions)
    )
    entries = Entry.objects.bulk_create(Entry(section=section, position=1) for section in sections)
    EntryPerson.objects.bulk_create(
        EntryPerson(entry=entry, section=entry.section, person=person, position=place)
        for entry in entries
        for place, person in enumerate(pair, start=1)
    )
    ScoringSettings.objects.bulk_create(
        ScoringSettings(session=session, published_at=timezone.now()) for session in sessions
    )
    PublishedOutcome.objects.bulk_create(
        PublishedOutcome(
            session=entry.section.session,
            state=state_digest([(entry.section_id, 1, 1)]),
            lists=[
                {"field": "", "section": "", "unit": "percent", "rows": [[entry.pk, "1", "59.13"]]}
            ],
        )
        for entry in entries
    )
    return pair


def test_an_archive_of_2000_sessions_is_read_in_few_queries(client, club, page):
    hanna, _karl = archive(club, 2000)
    wanted = [
        reverse("club-page", args=[page.address]),
        reverse("club-embedded", args=[page.address]),
        reverse("club-feed", args=[page.address]),
        reverse("club-year", args=[page.address, 2026]),
        reverse("club-month", args=[page.address, 2025, 12]),
        f"{reverse('club-players', args=[page.address])}?q=brandt",
        reverse("club-player", args=[page.address, hanna.pk]),
    ]

    found = {}
    for address in wanted:
        with CaptureQueriesContext(
            connection,
        ) as query_counts:
            answer = client.get(address)
        assert "Hanna Brandt" in answer.content.decode() or address == wanted[3]
        found[address] = len(query_counts)

    assert max(found.values()) <= MOST_QUERIES, found
    assert "59.13" in client.get(wanted[-1]).content.decode()


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_a_longer_archive_asks_no_more(client, club, alice, page, is_elsewhere):
    def grown(first, many):
        """More evenings of as many pairs as there are, played here or taken over from another program."""
        days = [datetime.date(2025, 1, 7) + n * A_DAY for n in range(first, first + many)]
        if is_elsewhere:
            past_import = import_all(club, alice, *(str(day) for day in days), name=f"{first}.csv")
            importing.publish_import(past_import, True, by=alice)
        else:
            for day in days:
                played(club, alice, on=day)
        return Person.objects.filter(club=club).order_by("pk").first()

    who = grown(0, 2)
    name = who.name.split()[0]
    wanted = [reverse(f"club-{text}", args=[page.address]) for text in ("page", "embedded", "feed")]
    wanted += [reverse("club-year", args=[page.address, 2025])]
    wanted += [reverse("club-month", args=[page.address, 2025, 1])]
    wanted += [f"{reverse('club-players', args=[page.address])}?q={name}"]
    wanted += [reverse("club-player", args=[page.address, who.pk])]

    def query_counts():
        found = []
        for address in wanted:
            client.get(address)  # what came of evenings is worked out once
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            found.append(len(queries))
        return found

    few = query_counts()
    grown(2, 5)

    assert query_counts() == few
    assert max(few) <= MOST_QUERIES
