"""Private names, deals and results are on no public page, and in no file, feed or mail."""

import datetime
import re
from contextlib import suppress

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.lifecycle import deletions, forgetting
from bridgebuddy.events.services.roster import change_person
from bridgebuddy.jobs.kinds import RetryLater
from bridgebuddy.publication.mails.results_mailing import mail_results
from bridgebuddy.publication.models import ClubPage, ResultsSubscription
from bridgebuddy.scoring.models import Result, ScoringSettings
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.cards.deals import store_deals
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.seasons.models import Championship
from tests.factories import ClubFactory, EventFactory, director_of
from tests.publication_mail import smtp
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

#: 7 no trumps redoubled and made, of none vulnerable: on nobody else's line
OUTCOME, SCORE = {"contract": "7NTXX", "declarer": "N", "tricks": 13}, "2280"
PBN = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
#: thirteen spades as files, and as pages of both languages, write them
CARDS = re.compile(r"AKQJ(?:T|10)98765432|A K Q J 10 9 8 7 6 5 4 3 2")
NAME = "Wilhelmine Zacharias"


@pytest.fixture(autouse=True)
def with_mail(settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"


@pytest.fixture
def page(club):
    return ClubPage.objects.create(club=club, address="lindenhof", is_on=True)


def planted(club):
    """An evening that is over and final, in which all of it stands."""
    by = director_of(club, email=f"by{club.pk}@example.org")
    section = scored_section(6, "mitchell", rounds=3, club=club, by=by)
    event = EventFactory(club=club, name="Secret Cup")
    Session.objects.filter(pk=section.session_id).update(event=event)
    person = section.entries.order_by("pk").first().players[0]
    change_person(person, NAME, None, "", by=by)
    section = Section.objects.get(pk=section.pk)
    store_deals(section, {1: PBN}, by=by)
    first = section.plays.filter(board=1).order_by("pk").first()
    standing = Result.objects.get(play=first, stands=True)
    enter_result(section, first.pk, OUTCOME, after=standing.number, by=by)
    Section.objects.filter(pk=section.pk).update(finished_at=timezone.now())
    section = Section.objects.get(pk=section.pk)
    publishing.make_list_final(section, by=by)
    publishing.publish_results(section, by=by)
    others = Person.objects.filter(club=club).exclude(name=NAME)
    ResultsSubscription.objects.create(
        person=others.first(), email=f"reader{club.pk}@example.org", confirmed_at=timezone.now()
    )
    Championship.objects.create(club=club, name="Winter", of="player", published_at=timezone.now())
    return Section.objects.get(pk=section.pk), by


def taken_back(section, by):
    publishing.unpublish_results(section, by=by)


def embargoed(section, by):
    later = timezone.now() + datetime.timedelta(days=1)
    ScoringSettings.objects.filter(session=section.session).update(embargo_until=later)


def deleted(section, by):
    deletions.delete_session(section, name="Secret Cup", by=by)


def rehearsed(section, by):
    later = timezone.now() + datetime.timedelta(days=1)
    Session.objects.filter(pk=section.session_id).update(rehearsal_until=later)


STATES = (taken_back, embargoed, deleted, rehearsed)


def addresses(page, section, token):
    """Return every public address of the club and of the session."""
    at = f"/r/{token}/"
    labels = [f"{way}{number}" for way in ("NS", "EW") for number in (1, 2, 3)]
    yield from (f"/club/{page.address}/{text}" for text in ("", "feed.xml", "calendar.ics"))
    yield from (
        f"/club/{page.address}/{text}" for text in ("embed/", "players/", "players/?q=zach")
    )
    day = section.session.date
    yield from (
        f"/club/{page.address}/{day.year}/",
        f"/club/{page.address}/{day.year}/{day.month}/",
    )
    yield from (
        reverse("club-player", args=[page.address, person.pk])
        for person in Person.objects.filter(club=section.club)
    )
    yield from (f"{at}{text}" for text in ("", "find/?name=zach", "privacy/", "deals/", "matches/"))
    yield from (f"{at}{text}" for text in ("sheets/", "boards/", "pairs/"))
    yield from (f"{at}sheets/A/{label}/" for label in labels)
    yield from (f"{at}boards/A/{board}/" for board in (1, 2, 3))
    yield from (f"{at}deals/A/{form}/" for form in ("pbn", "lin"))
    for championship in Championship.objects.all():
        yield from (
            f"/c/{championship.token}/",
            f"/c/{championship.token}/1/",
            f"/api/v1/championships/{championship.token}/",
        )
    yield from (f"/api/v1/clubs/{page.address}/", f"/api/v1/clubs/{page.address}/results/")
    yield f"/api/v1/results/{token}/"
    yield from (f"/api/v1/results/{token}/boards/A/{board}/" for board in (1, 2, 3))
    yield from (f"/api/v1/results/{token}/sheets/A/{label}/" for label in labels)
    yield f"/api/v1/results/{token}/matches/A/1/1/2/"
    yield "/"


def public_texts(client, page, section, settings, *, but=None, languages=("en", "de")):
    """Return all texts that strangers read and that subscribers are sent."""
    token = ScoringSettings.objects.get(session=section.session_id).token
    found = []
    for language in languages:
        for address in addresses(page, section, token):
            if but and address.startswith(but):
                continue
            answer = client.get(address, headers={"Accept-Language": language})
            assert answer.status_code < 500, address
            found.append(answer.content.decode())
    with smtp(settings) as box, suppress(RetryLater):
        mail_results(str(section.session_id))
    found += [letter for _to, letter in box.letters]
    return re.sub(r'value="[^"]*"|“zach”|„zach“', "", "\n".join(found))


def test_all_of_it_is_read_where_it_is_published(client, club, page, settings):
    """Check that the texts searched below can be found at all."""
    section, _by = planted(club)

    found = public_texts(client, page, section, settings)

    assert NAME in found
    assert "Secret Cup" in found
    assert SCORE in found
    assert CARDS.search(found)


@pytest.mark.parametrize(
    ("state", "of_another_club"),
    # what another club has published is on no page of this one's, see below: once is enough
    [*((state, False) for state in STATES), (taken_back, True)],
)
def test_nothing_of_it_is_anywhere(client, club, page, settings, state, of_another_club):
    """Read the pages before, so that caches are filled."""
    section, by = planted(ClubFactory() if of_another_club else club)
    languages = ("de",) if of_another_club else ("en", "de")
    public_texts(client, page, section, settings, languages=languages)
    state(section, by)

    # a rehearsal that was published is read by whoever was given its address, and nowhere else
    but = ("/r/", "/api/v1/results/") if state is rehearsed else None
    found = public_texts(client, page, section, settings, but=but, languages=languages)

    for secret in ("Zacharias", "Wilhelmine", "Secret Cup", SCORE):
        assert secret not in found
    assert not CARDS.search(found)


def test_whoever_was_forgotten_is_nowhere_in_what_everybody_reads_on(client, club, page, settings):
    section, by = planted(club)
    public_texts(client, page, section, settings)

    forgetting.anonymise_person(Person.objects.get(name=NAME), by=by)

    found = public_texts(client, page, section, settings)
    assert "Zacharias" not in found
    assert SCORE in found


def test_nobody_reads_another_clubs_session_on_a_clubs_pages(client, club, page, settings):
    section, _by = planted(ClubFactory())

    own = [address for address in addresses(page, section, "x") if address.startswith("/club/")]

    assert NAME not in "".join(client.get(address).content.decode() for address in own)
