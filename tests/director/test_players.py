"""The roster: search, correction, and merging of people entered twice."""

import datetime
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import DistinctPeople, Person
from bridgebuddy.director.roster.views import _last_evenings
from bridgebuddy.events.errors import BothPlayed, SectionChanged
from bridgebuddy.events.models import EntryPerson, Play, Section, Session
from bridgebuddy.events.queries.roster.players import DuplicateReason, possible_duplicates
from bridgebuddy.events.services import roster
from bridgebuddy.events.services.play import people
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.events.services.setup import entries
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.publication.models import PlayerSession, ResultsSubscription
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.publishing import make_list_final, publish_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.events.states import different, world
from tests.factories import PersonFactory, section_with
from tests.scoring.test_tonight import scored_section

from .reading import text

pytestmark = pytest.mark.django_db


def words(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def page(browser, club, **asked):
    return browser.get(reverse("players", args=[club.pk]), asked)


def listed(answer):
    return re.findall(r'<th scope="row">\s*<a [^>]*>(.*?)</a>', answer.content.decode())


def played(club, by, *pairs, on=None):
    """An evening of these pairs and as many others as make three tables; its first round has begun."""
    others = [(f"Xaver Ost{n}", f"Yvonne West{n}") for n in range(6 - len(pairs))]
    section = section_with(0, club=club, by=by)
    entries.add_pairs(section, [*pairs, *others], by=by)
    if on:
        type(section.session).objects.filter(pk=section.session_id).update(date=on)
    section = choose_movement(section, "mitchell", boards_per_round=3, by=by)
    section = start_next_round(section, after=0, by=by)
    return Section.objects.get(pk=section.pk)


def person(name):
    return Person.objects.get(name=name)


def test_players_are_listed_by_surname_with_what_they_played(browser, club, alice):
    played(club, alice, ("Jan van den Berg", "Uta Winter"), on=datetime.date(2026, 11, 3))
    played(club, alice, ("Jan van den Berg", "Uta Winter"), on=datetime.date(2026, 11, 10))
    PersonFactory(club=club, name="Alice Abbott")

    answer = page(browser, club)

    assert listed(answer)[0] == "Abbott, Alice"
    assert "van den Berg, Jan" in listed(answer)
    assert re.search(r"van den Berg, Jan (?:new )?Uta Winter [^0-9]*10 Nov\w* 2 ", words(answer))


def test_any_word_of_a_name_is_found_whatever_accents(browser, club):
    for name in ("Hans Müller", "Elisabeth Müller-Lüdenscheidt", "Otto Klein"):
        PersonFactory(club=club, name=name)

    assert listed(page(browser, club, q="mull")) == [
        "Müller, Hans",
        "Müller-Lüdenscheidt, Elisabeth",
    ]
    assert listed(page(browser, club, q="luden eli")) == ["Müller-Lüdenscheidt, Elisabeth"]
    assert "No player is called “xyz”." in words(page(browser, club, q="xyz"))
    for typed in ("¨", "\x00", "%", "x" * 500, "<b>"):
        assert page(browser, club, q=typed).status_code == 200


def test_a_long_roster_has_pages_and_costs_no_more_queries(
    browser, club, alice, django_assert_max_num_queries
):
    for n in range(120):
        PersonFactory(club=club, name=f"Anna Zulu{n:03}")

    with django_assert_max_num_queries(21):
        first = page(browser, club, all=1)
    last = page(browser, club, all=1, page=3)

    assert (len(listed(first)), len(listed(last))) == (50, 20)
    assert "1–50 of 120, by surname" in words(first)
    assert "101–120 of 120, by surname" in words(last)
    assert page(browser, club, page="nonsense").status_code == 200


def test_the_first_look_is_short_and_one_press_shows_everybody(browser, club):
    """The tools below the list are on the screen."""
    for n in range(15):
        PersonFactory(club=club, name=f"Anna Zulu{n:02}")

    first = page(browser, club)
    everybody = page(browser, club, all=1)
    found = page(browser, club, q="anna")

    assert len(listed(first)) == 12
    assert "Show 3 more" in words(first)
    assert "1–12 of 15, by surname" in words(first)
    assert 'href="?all=1"' in first.content.decode()
    for shown in (everybody, found):
        assert len(listed(shown)) == 15
        assert "more" not in re.findall(r"Show \d+ (more)", words(shown))
    assert len(listed(page(browser, club, merge=1))) == 15  # two are ticked among everybody


def test_of_many_members_one_press_shows_as_many_as_it_says(browser, club):
    for n in range(60):
        PersonFactory(club=club, name=f"Anna Zulu{n:02}")

    assert "Show 38 more" in words(page(browser, club))
    assert len(listed(page(browser, club, all=1))) == 12 + 38


def test_another_clubs_players_are_not_there(browser, club, carol):
    theirs = PersonFactory(club=carol.clubs.get(), name="Secret Person")
    mine = PersonFactory(club=club, name="Otto Klein")
    before = world()

    assert "Secret" not in words(page(browser, club, q="secret"))
    assert browser.get(reverse("edit-player", args=[club.pk, theirs.pk])).status_code == 404
    assert browser.post(reverse("forget-player", args=[club.pk, theirs.pk])).status_code == 404
    both = {"one": mine.pk, "other": theirs.pk}
    browser.post(reverse("merge-players", args=[club.pk]), both)
    browser.post(reverse("two-people", args=[club.pk]), both)
    asked = browser.get(
        reverse("merge-players", args=[club.pk]), {"who": [mine.pk, theirs.pk]}, follow=True
    )
    assert "Secret" not in words(asked)
    assert list(different(before, world())) == []


# ── twins ──


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("Hans Müller", "Müller Hans", DuplicateReason.ORDER),
        ("Hans Müller", "Hans Mueller", DuplicateReason.ORDER),
        ("Hans Müller", "H. Müller", DuplicateReason.INITIAL),
        ("Hans Müller", "Hanns Müller", DuplicateReason.SPELT_ALIKE),
        ("Renate Schmitz", "Renate Schmits", DuplicateReason.SPELT_ALIKE),
    ],
)
def test_twins_are_proposed_with_the_reason(club, one, other, reason):
    PersonFactory(club=club, name=one)
    PersonFactory(club=club, name=other)

    found = [(pair.one.name, pair.other.name, pair.reason) for pair in possible_duplicates(club)]

    assert found == [(one, other, reason)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Hans Müller", "Heike Müller"), ("Hans Müller", "Hans Winter"), ("Anna Ost1", "Anna Ost2")],
)
def test_people_who_are_plainly_two_are_not_proposed(club, one, other):
    PersonFactory(club=club, name=one)
    PersonFactory(club=club, name=other)

    assert possible_duplicates(club) == []


def test_who_has_played_in_one_room_is_never_proposed(club, alice):
    played(club, alice, ("Hans Müller", "Hanns Müller"))

    assert possible_duplicates(club) == []


def test_a_director_says_that_they_are_two_and_is_not_asked_again(browser, club, alice):
    one, other = (
        PersonFactory(club=club, name="Hans Müller"),
        PersonFactory(club=club, name="H. Müller"),
    )
    assert "“Hans Müller” and “H. Müller” may be one person." in words(page(browser, club))

    for _press in range(2):
        browser.post(reverse("two-people", args=[club.pk]), {"one": other.pk, "other": one.pk})

    assert "may be one person" not in words(page(browser, club))
    assert DistinctPeople.objects.count() == 1
    assert Person.objects.filter(club=club).count() == 2
    noted = AuditRecord.objects.get(action="club.two_people")
    assert (noted.by, noted.subject_id) == (alice, club.pk)
    assert noted.facts == {"name": "Hans Müller", "other": "H. Müller"}


# ── merging ──


def test_merging_keeps_everything_that_was_played(browser, club, alice):
    first = played(club, alice, ("Hans Müller", "Uta Winter"))
    second = played(club, alice, ("Müller Hans", "Uta Winter"))
    stays, goes = person("Hans Müller"), person("Müller Hans")
    plays = Play.objects.count()
    looked = words(
        browser.get(
            reverse("merge-players", args=[club.pk]), {"who": [stays.pk, goes.pk]}, follow=True
        )
    )
    assert "Both are Hans Müller" in looked
    assert "Both are Müller Hans" in looked
    shown = second.shown

    told = browser.post(
        reverse("merge-players", args=[club.pk]), {"one": stays.pk, "other": goes.pk}, follow=True
    )

    assert "Müller Hans is Hans Müller now, in all sessions." in words(told)
    assert not Person.objects.filter(pk=goes.pk).exists()
    assert EntryPerson.objects.filter(person=stays).count() == 2
    assert Play.objects.count() == plays
    assert {p.section_id for p in Play.objects.filter(north=stays)} == {first.pk, second.pk}
    second.refresh_from_db()
    assert (second.shown, second.plan) == (shown + 1, second.plan)
    record = AuditRecord.objects.first()
    assert (record.action, record.subject, record.subject_id) == ("club.merge", "club", club.pk)
    assert record.facts == {"name": "Hans Müller", "gone": "Müller Hans"}


def test_who_played_for_oneself_is_no_substitute_any_more(club, alice):
    section = played(club, alice, ("Hans Müller", "Uta Winter"))
    entry = section.entries.first()
    people.add_substitute(entry, 1, "Hanns Muller", from_round=2, until_round=2, by=alice)

    roster.merge_people(person("Hans Müller"), person("Hanns Muller"), by=alice)

    links = EntryPerson.objects.filter(entry=entry, position=1)
    assert [(x.person.name, x.from_round, x.until_round, x.plays_for) for x in links] == [
        ("Hans Müller", 1, None, None)
    ]


def test_places_of_others_stay_as_they_are_when_two_are_merged(club, alice):
    section = played(club, alice, ("Hans Müller", "Uta Winter"), ("Ida Stein", "Karl Fischer"))
    first, second = section.entries.order_by("position")[:2]
    people.add_substitute(first, 1, "Hanns Muller", from_round=2, until_round=2, by=alice)
    link = EntryPerson.objects.get(entry=second, position=1)
    link.until_round = 3
    link.save()
    for rounds in ((4, 4), (5, None)):  # which are one to whoever looks at the place alone
        link.pk, (link.from_round, link.until_round) = None, rounds
        link.save()
    theirs = list(EntryPerson.objects.exclude(entry=first).order_by("pk").values())

    roster.merge_people(person("Hans Müller"), person("Hanns Muller"), by=alice)

    assert list(EntryPerson.objects.exclude(entry=first).order_by("pk").values()) == theirs


def test_whoever_is_played_for_is_the_merged_one(club, alice):
    section = played(club, alice, ("Müller Hans", "Uta Winter"))
    PersonFactory(club=club, name="Hans Müller", strength=None)
    Person.objects.filter(name="Müller Hans").update(strength=7)
    people.add_substitute(section.entries.first(), 1, "Zoë Neu", from_round=2, by=alice)

    stays = roster.merge_people(person("Hans Müller"), person("Müller Hans"), by=alice)

    assert EntryPerson.objects.get(person__name="Zoë Neu").plays_for == stays
    assert stays.strength == 7

    PersonFactory(club=club, name="Hannes Müller", strength=3)
    assert roster.merge_people(stays, person("Hannes Müller"), by=alice).strength == 7


def test_two_who_played_at_once_are_never_merged(browser, club, alice):
    played(club, alice, ("Hans Müller", "Uta Winter"), ("Hanns Müller", "Otto Klein"))
    one, other = person("Hans Müller"), person("Hanns Müller")
    before = world()

    with pytest.raises(BothPlayed) as refused:
        roster.merge_people(one, other, by=alice)
    assert refused.value.fields["name"] == "Hans Müller"
    assert refused.value.fields["other"] == "Hanns Müller"
    told = browser.post(
        reverse("merge-players", args=[club.pk]), {"one": one.pk, "other": other.pk}, follow=True
    )
    looked = browser.get(
        reverse("merge-players", args=[club.pk]), {"who": [one.pk, other.pk]}, follow=True
    )

    assert "they are two people." in words(told)
    assert "Both are" not in words(looked)
    assert list(different(before, world())) == []


def test_who_is_no_longer_there_is_merged_with_nobody(club, alice, carol):
    one, other = PersonFactory(club=club), PersonFactory(club=club)
    theirs = PersonFactory(club=carol.clubs.get())
    gone = Person(pk=10_000, club=club, name="Gone")

    for stays, goes in ((one, gone), (gone, one), (one, one), (one, theirs)):
        with pytest.raises(SectionChanged):
            roster.merge_people(stays, goes, by=alice)
    assert Person.objects.filter(pk__in=[one.pk, other.pk, theirs.pk]).count() == 3
    with pytest.raises(SectionChanged):
        roster.change_person(gone, "Still There", None, by=alice)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_exactly_two_are_ticked(browser, club, count):
    ticked = [PersonFactory(club=club).pk for _ in range(count)]

    answer = browser.get(reverse("merge-players", args=[club.pk]), {"who": ticked}, follow=True)

    assert "Tick two players." in words(answer)


# ── putting right ──


def test_a_new_name_that_is_refused_is_shown_again_above_the_list(browser, club):
    PersonFactory(club=club, name="Otto Klein")

    answer = browser.post(reverse("new-player", args=[club.pk]), {"name": "otto klein"})

    assert answer.status_code == 422
    assert answer.templates[0].name == "director/players.html"
    assert 'value="otto klein"' in answer.content.decode()


def test_a_player_is_new_put_right_and_taken_off(browser, club, alice):
    browser.post(reverse("new-player", args=[club.pk]), {"name": " Otto  Klien ", "strength": ""})
    otto = Person.objects.get(club=club, name="Otto Klien")
    edit = reverse("edit-player", args=[club.pk, otto.pk])

    browser.post(edit, {"name": "Otto Klein", "strength": "12"})
    otto.refresh_from_db()
    assert (otto.name, otto.search, otto.strength) == ("Otto Klein", "otto klein", 12)
    record = AuditRecord.objects.first()
    assert record.action == "club.person"
    assert record.facts == {"before": "Otto Klien", "after": "Otto Klein"}

    browser.post(reverse("forget-player", args=[club.pk, otto.pk]))
    assert not Person.objects.filter(pk=otto.pk).exists()


def test_who_is_in_a_session_stays_on_the_roster(browser, club, alice):
    section_with(6, club=club, by=alice)
    anna = person("Anna North1")

    answer = browser.post(reverse("forget-player", args=[club.pk, anna.pk]), follow=True)

    assert "Anna North1 is in a session and stays." in words(answer)


def test_a_name_that_is_there_leads_to_merging(browser, club):
    PersonFactory(club=club, name="Hans Müller")
    other = PersonFactory(club=club, name="Hans Miller")

    answer = browser.post(reverse("edit-player", args=[club.pk, other.pk]), {"name": "hans muller"})

    assert answer.status_code == 422
    assert "Compare and merge the two players" in words(answer)
    for name in ("", "´", "x" * 61, "A\x00B"):
        refused = browser.post(reverse("edit-player", args=[club.pk, other.pk]), {"name": name})
        assert refused.status_code == 422


def test_a_name_is_found_with_spaces_around_it(browser, club):
    PersonFactory(club=club, name="Alice Abbott")
    PersonFactory(club=club, name="Bob Baker")

    answer = page(browser, club, q="  abbott ")

    assert (listed(answer), answer.context["typed"]) == (["Abbott, Alice"], "abbott")


def test_a_persons_page_shows_the_last_published_evenings(browser, club, alice):
    section = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    person = club.people.get(name="Anna North1")
    address = reverse("edit-player", args=[club.pk, person.pk])
    assert "The last sessions" not in browser.get(address).content.decode()

    make_list_final(section, by=alice)
    publish_results(section, by=alice)
    page = " ".join(browser.get(address).content.decode().split())

    ranking, standing = ScoredSession(SessionSnapshot(section)).list_with_contestant(
        section.name, "NS1"
    )
    assert "The last sessions" in page
    assert f"{standing.place.rstrip('=')} of {len(ranking.standings)}" in page
    assert f"{standing.row.percent:.2f} %" in page
    assert "<td>Bob South1</td>" in page
    assert page.index("The last sessions") < page.index('name="national_number"')
    refused = browser.post(address, {"name": ""}).content.decode()
    assert refused.index('name="national_number"') < refused.index("The last sessions")


def test_a_persons_page_names_sessions_whose_results_are_not_published(browser, club, alice):
    over = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    make_list_final(over, by=alice)
    publish_results(over, by=alice)
    section_with(6, "mitchell", round=1, club=club, by=alice)
    ended = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    make_list_final(ended, by=alice)
    Section.objects.filter(pk=ended.pk).update(finished_at=timezone.now())
    person = club.people.get(name="Anna North1")

    page = text(browser.get(reverse("edit-player", args=[club.pk, person.pk])))

    assert "3 sessions, the last on" in page
    assert page.count("still running") == 1
    assert page.count("results not published") == 1
    assert "Show all sessions" not in page


def test_a_session_that_is_published_as_it_stands_is_not_called_unpublished(browser, club, alice):
    section = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    publish_results(section, by=alice)
    Section.objects.filter(pk=section.pk).update(finished_at=timezone.now())
    person = club.people.get(name="Anna North1")

    page = text(browser.get(reverse("edit-player", args=[club.pk, person.pk])))

    assert "results published, not final yet" in page
    assert "results not published" not in page


def test_all_sessions_of_a_person_are_listed_without_a_limit(browser, club, alice, monkeypatch):
    for _session in range(3):
        section_with(6, "mitchell", round=1, club=club, by=alice)
    for _session in range(2):
        final = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
        make_list_final(final, by=alice)
        publish_results(final, by=alice)
    monkeypatch.setattr("bridgebuddy.director.roster.views.LAST_EVENINGS", 2)
    monkeypatch.setattr("bridgebuddy.publication.own.own_sessions.AT_ONCE", 1)
    address = reverse("edit-player", args=[club.pk, club.people.get(name="Anna North1").pk])

    whole = text(browser.get(address, {"sessions": "all"}))
    first = text(browser.get(address))

    assert whole.count("still running") == 3
    assert "1 older session is still being counted." in whole
    assert first.count("still running") == 2
    assert "Show all sessions" in first


def test_an_address_is_stored_where_the_server_sends_no_mails(browser, club):
    person = PersonFactory(club=club)
    address = reverse("edit-player", args=[club.pk, person.pk])
    mail = reverse("player-mail", args=[club.pk, person.pk])
    assert 'name="email"' in browser.get(address).content.decode()

    browser.post(mail, {"email": "no address"})
    assert not ResultsSubscription.objects.exists()
    page = browser.post(mail, {"email": "anna@example.org"}, follow=True)

    stored = ResultsSubscription.objects.get()
    assert (stored.person, stored.email, stored.confirmed_at) == (person, "anna@example.org", None)
    assert "anna@example.org (not confirmed yet)" in text(page)


@pytest.mark.parametrize(
    ("typed", "said"),
    [("no address", "This is no e-mail address: no address."), ("b@example.org", "already stored")],
)
def test_an_address_that_is_not_stored_is_told(browser, club, typed, said):
    person = PersonFactory(club=club)
    ResultsSubscription.objects.create(person=person, email="a@example.org")
    mail = reverse("player-mail", args=[club.pk, person.pk])

    page = browser.post(mail, {"email": typed}, follow=True)

    assert said in text(page)
    assert ResultsSubscription.objects.get().email == "a@example.org"


def test_a_persons_page_computes_only_the_evenings_that_it_shows(browser, club, alice, monkeypatch):
    for day in range(1, 5):
        section = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
        Session.objects.filter(pk=section.session_id).update(date=f"2026-01-0{day}")
        make_list_final(section, by=alice)
        publish_results(section, by=alice)
    monkeypatch.setattr("bridgebuddy.director.roster.views.LAST_EVENINGS", 2)

    answer = browser.get(
        reverse("edit-player", args=[club.pk, club.people.get(name="Anna North1").pk])
    )

    assert [evening.open.day.day for evening in answer.context["evenings"]] == [4, 3]
    stored = PlayerSession.objects.values_list("session__date__day", flat=True)
    assert set(stored) == {3, 4}
    assert f"{answer.wsgi_request.path}?sessions=all#sessions" in answer.content.decode()
    whole = browser.get(answer.wsgi_request.path, {"sessions": "all"})
    assert [evening.open.day.day for evening in whole.context["evenings"]] == [4, 3, 2, 1]
    assert "sessions=all" not in whole.content.decode()


def test_a_persons_page_reads_older_sessions_where_the_newest_have_no_result(club, monkeypatch):
    class Contents:
        def __init__(self, person, *, maximum=None):
            self.open = ["of November", "of October"][:maximum]
            self.evenings = [] if maximum else ["of October"]

    monkeypatch.setattr("bridgebuddy.director.roster.views.LAST_EVENINGS", 1)
    monkeypatch.setattr("bridgebuddy.director.roster.views.PersonalPageContents", Contents)

    assert _last_evenings(PersonFactory(club=club)) == ["of October"]
