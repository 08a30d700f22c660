"""Whole texts of publication: a feed, a session's results, an import, and a player's own page."""

import datetime
from xml.etree import ElementTree

import pytest
from django.contrib.messages import get_messages
from django.contrib.messages.storage.fallback import FallbackStorage

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.sign_in.accounts import MAILS
from bridgebuddy.events.models import Section, Session
from bridgebuddy.publication import bridgewebs, feeds, outcomes
from bridgebuddy.publication.imports import importing
from bridgebuddy.publication.mails import subscribing
from bridgebuddy.publication.models import PublishedOutcome
from bridgebuddy.publication.own.imported_sessions import imported_session_totals
from bridgebuddy.publication.own.personal_data import tables_of_person
from bridgebuddy.publication.queries import PublicPlayerSearch
from bridgebuddy.scoring.rules.past import opening
from bridgebuddy.scoring.services import publishing, results
from tests.publication.test_moving_in import ROWS, import_all
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


def test_a_feed_has_what_readers_need():
    at = datetime.datetime(2026, 3, 2, 22, tzinfo=datetime.UTC)
    one = feeds.FeedItem("https://here/1", "Tuesday", "Ann & Bob won", at)
    other = feeds.FeedItem("https://here/2", "Monday", "", at - datetime.timedelta(days=1))

    text = feeds.atom_feed("Club & Co", "https://here/", "https://here/feed", [one, other], "de")

    feed = ElementTree.fromstring(text)
    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == "de"
    assert [(part.tag.removeprefix(ATOM), part.text) for part in feed if part.text] == [
        ("title", "Club & Co"),
        ("id", "https://here/feed"),
        ("updated", "2026-03-02T22:00:00+00:00"),
    ]
    assert {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")} == {
        "alternate": "https://here/",
        "self": "https://here/feed",
    }
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Club & Co"
    assert [
        {part.tag.removeprefix(ATOM): part.text or part.get("href") for part in entry}
        for entry in feed.findall(f"{ATOM}entry")
    ] == [
        {
            "id": "https://here/1",
            "title": "Tuesday",
            "updated": "2026-03-02T22:00:00+00:00",
            "link": "https://here/1",
            "summary": "Ann &amp; Bob won",
        },
        {
            "id": "https://here/2",
            "title": "Monday",
            "updated": "2026-03-01T22:00:00+00:00",
            "link": "https://here/2",
        },
    ]
    assert feeds.atom_feed("Club", "h", "o", [], "en") == feeds.atom_feed(
        "Club", "h", "o", [], "en"
    )


def outcome_of(section):
    there = Session.objects.prefetch_related("sections").select_related("outcome")
    is_new = outcomes.update_outcomes([there.get(pk=section.session_id)])
    return is_new, PublishedOutcome.objects.get(session=section.session_id).lists


def test_what_came_of_a_session_is_kept_until_it_is_changed():
    section = scored_section(6, "mitchell", rounds=2)
    is_new, lists = outcome_of(section)

    assert is_new
    assert [(row["field"], row["section"], row["unit"]) for row in lists] == [
        ("NS", "", "percent"),
        ("EW", "", "percent"),
    ]
    [first, *_] = lists[0]["rows"]
    assert first[0] in set(section.entries.values_list("pk", flat=True))
    assert (first[1], len(first[2].partition(".")[2])) == ("1", 2)
    assert outcome_of(section) == (False, lists)
    results.enter_result(section, section.plays.first().pk, {"passed": True}, by=None)
    assert outcome_of(section)[0]


def test_points_have_no_more_places_than_they_need():
    assert [outcomes._formatted_value(item, True) for item in (None, 10.0, 12.5, 0.25)] == [
        "",
        "10",
        "12.5",
        "0.25",
    ]
    assert [outcomes._formatted_value(item, False) for item in (None, 10.0)] == ["", "10.00"]


def test_what_was_brought_in_is_kept_as_it_was_read(club):
    lists = [(section, field) for section in "GH" for field in ("N/S", "E/W")]
    text = "Place;Names;Section;Direction;%\n" + "".join(
        f"{place};Ann{section} & Bob{field[0]};{section};{field};{70 - 20 * place}\n"
        for section, field in lists
        for place in (1, 2)
    )
    read = opening.read_sessions(text.encode())

    brought = importing.read_import(club, [("a.csv", text.encode())])

    [found] = importing.ImportDraft(brought).sessions
    known = [(ranking.section, ranking.field) for ranking in read[0].rankings]
    assert known == [("G", "NS"), ("G", "EW"), ("H", "NS"), ("H", "EW")]
    assert found.session.rankings == read[0].rankings


def test_of_a_session_from_elsewhere_everybody_has_the_line(club, alice):
    three = "3;One Alone;;;20;"
    [session] = [
        session.session
        for session in import_all(
            club, alice, "2024-05-07", rows=(*ROWS, three)
        ).past_sessions.all()
    ]
    eva, otto, alone = (
        Person.objects.get(name=n) for n in ("Eva Klein", "Otto Klein", "One Alone")
    )

    found = imported_session_totals(session.pk)

    assert found[eva.pk] == (
        {
            "boards": 0,
            "has_boards": False,
            "where": ["", ""],
            "seats": {},
            "lines": {},
            "against": [],
            "with": [otto.pk],
            "place": "1",
            "of": 3,
            "value": "61.25",
            "unit": "percent",
        },
        [],
    )
    assert (found[alone.pk][0]["with"], len(found)) == ([], 5)


def test_what_is_known_of_somebody_has_their_plays_alone():
    section = scored_section(6, "mitchell", rounds=2)
    entry = section.entries.first()

    found = tables_of_person(entry.players[0])

    assert len(found["plays"]) == section.plays.filter(ns=entry).count() > 0


def test_who_played_elsewhere_is_found_and_nobody_who_did_not(club, alice):
    brought = import_all(club, alice, "2024-05-07")
    importing.publish_import(brought, is_public=True, by=alice)
    Person.objects.create(club=club, name="Eva Other")

    assert [person.name for person in PublicPlayerSearch(club).people("eva")] == ["Eva Klein"]


def messages_of(request):
    return [str(message) for message in get_messages(request)]


@pytest.fixture
def request_of_somebody(rf):
    request = rf.get("/")
    request.session = {}
    request._messages = FallbackStorage(request)
    return request


def test_an_address_that_has_had_many_mails_gets_no_more(request_of_somebody, monkeypatch):
    sent = []
    monkeypatch.setattr(type(MAILS), "count", lambda self, email: email == "a@b.example")

    subscribing.send_one(request_of_somebody, "a@b.example", lambda: sent.append(1), "Sent.")
    subscribing.send_one(request_of_somebody, "c@d.example", lambda: sent.append(2), "Sent.")

    assert sent == [2]
    assert messages_of(request_of_somebody) == [
        "Too many mails have been sent to this address. Try again in an hour.",
        "Sent.",
    ]


def test_a_mail_server_that_is_away_is_told_and_noted(request_of_somebody, caplog):
    def broken():
        raise OSError("no route")

    subscribing.send_one(request_of_somebody, "a@b.example", broken, "Sent.")

    assert messages_of(request_of_somebody) == ["The mail server does not answer. Try again later."]
    assert "An e-mail could not be sent: OSError: no route" in caplog.text


def test_only_pairs_are_sent_to_bridgewebs(settings):
    settings.BRIDGEWEBS_URL = "https://nowhere.invalid/"
    section = scored_section(6, "mitchell", rounds=1)
    bridgewebs.store_bridgewebs_account(section.club, "x", "secret")
    publishing.publish_results(section, by=None)
    Section.objects.filter(pk=section.pk).update(contest="individual")

    with pytest.raises(bridgewebs.UploadNotSent) as refused:
        bridgewebs.upload_session(Section.objects.get(pk=section.pk))

    assert refused.value.kind == "contest"
