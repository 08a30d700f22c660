"""A player's own page: its content, its readers, and only public or own data on it."""

import datetime
import io
import json
import logging.config
import zipfile
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Person
from bridgebuddy.events.code_limits import STRANGERS
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.lifecycle import deletions, forgetting
from bridgebuddy.events.services.play import people, rounds
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.jobs.models import Job
from bridgebuddy.publication.imports import importing
from bridgebuddy.publication.models import PlayerPage, PlayerSession, ResultsSubscription
from bridgebuddy.publication.own import links, own_sessions
from bridgebuddy.publication.own.own_page import BEST, PersonalPageContents
from bridgebuddy.publication.own.trend_chart import ResultsTrendChart
from bridgebuddy.registration.models import Registration
from bridgebuddy.registration.registering import register_pair, switch_registration
from bridgebuddy.scoring.models import Result, ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.seasons.models import (
    Championship,
    HandicapRule,
    ManualHandicap,
    MasterpointEntry,
    MasterpointReport,
)
from tests.factories import (
    ClubFactory,
    EventFactory,
    PersonFactory,
    section_to_enter,
    section_with,
)
from tests.markup import has_open_fold
from tests.pages.filled import count_filled
from tests.publication.test_moving_in import import_all
from tests.scoring.test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db

MOST_QUERIES = 10
A_DAY = datetime.timedelta(days=1)
GONE, NOT_FOUND, TOO_MANY = 410, 404, 429


def evening(club, by, day="2026-11-24", event="Tuesday Pairs", *, seed=1, is_public=True):
    """Make an evening with results, whose list is final and published."""
    section = scored_section(6, "mitchell", rounds=3, club=club, by=by, seed=seed)
    named = EventFactory(club=club, name=event)
    Session.objects.filter(pk=section.session_id).update(event=named, date=day)
    section = Section.objects.get(pk=section.pk)
    publishing.make_list_final(section, by=by)
    if is_public:
        publishing.publish_results(section, by=by)
    return Section.objects.get(pk=section.pk)


def person_of(club, name="Anna North1"):
    return Person.objects.select_related("club").get(club=club, name=name)


def page_of(club, name="Anna North1"):
    return links.give_address(person_of(club, name), by=None)


def addresses(page):
    code = links.page_code(page)
    names = ("own-page", "own-kept")
    files = [reverse("own-file", args=[code, kind]) for kind in ("json", "zip")]
    return [reverse(name, args=[code]) for name in names] + files


def unpacked(answer):
    if answer.headers["Content-Type"] == "application/zip":
        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        return "\n".join(archive.read(item).decode("utf-8-sig") for item in archive.namelist())
    return answer.content.decode()


def all_pages(client, page):
    """Return all texts at a person's address, picture and files included."""
    return "\n".join(unpacked(client.get(address)) for address in addresses(page))


# ── what it says ──


def test_one_button_is_filled_whether_or_not_a_session_waits_for_an_answer(client, club, alice):
    evening(club, alice, day=club.today - A_DAY)
    page = page_of(club)
    address = links.page_address(page)
    before = client.get(address).content.decode()
    coming = section_to_enter(club, alice)

    waiting = client.get(address).content.decode()
    partner = PersonFactory(club=club)
    register_pair(coming.session, person_of(club), partner, by=alice)
    answered = client.get(address).content.decode()

    assert [count_filled(shown) for shown in (before, waiting, answered)] == [1, 1, 1]
    assert "We are coming" in waiting
    assert "All my boards" in waiting


def test_it_says_what_the_published_list_says(client, club, alice):
    section = evening(club, alice)
    page = page_of(club)

    whole = client.get(links.page_address(page)).content.decode()

    ranking, standing = ScoredSession(SessionSnapshot(section)).list_with_contestant(
        section.name, "NS1"
    )
    said = f"with Bob South1 you took place <b>{standing.place.rstrip('=')} of {len(ranking.standings)}</b>"
    assert said in " ".join(whole.split())
    assert f"<b>{standing.row.percent:.2f} %</b>" in whole
    token = section.session.scoring.token
    assert reverse("public-sheet", args=[token, section.name, "NS1"]) in whole


def test_who_sat_there_has_the_board_and_not_whose_place_it_was(club, alice):
    section = section_with(6, "mitchell", round=1, club=club, by=alice)
    people.add_substitute(section.entries.first(), 1, "Zoë Neu", from_round=3, by=alice)
    for after in (1, 2):
        section = rounds.start_next_round(section, after=after, by=alice)
    enter_by_chance(section)
    publishing.make_list_final(section, by=alice)
    publishing.publish_results(section, by=alice)

    (mine,) = PersonalPageContents(person_of(club)).evenings
    (theirs,) = PersonalPageContents(person_of(club, "Zoë Neu")).evenings

    assert (mine.sums["boards"], theirs.sums["boards"]) == (6, 3)
    assert mine.place
    assert not theirs.place  # who played one round of three was not "second"


def test_whose_section_played_fewer_rounds_has_a_place_in_it(club, alice):
    section = scored_section(8, "howell", rounds=7, club=club, by=alice)
    other = Section.objects.create(session=section.session, name="B")
    entries.add_pairs(other, [(f"Zoë Neu{n}", f"Zeno Alt{n}") for n in range(4)], by=alice)
    other = movement.choose_movement(other, "howell", boards_per_round=3, by=alice)
    for after in range(3):
        other = rounds.start_next_round(other, after=after, by=alice)
    enter_by_chance(other)
    publishing.make_list_final(section, by=alice)
    publishing.publish_results(section, by=alice)

    (mine,) = PersonalPageContents(person_of(club, "Zoë Neu0")).evenings

    assert mine.place
    assert mine.partner == "Zeno Alt0"


def test_what_was_kept_when_it_was_worked_out_otherwise_is_worked_out_anew(club, alice):
    evening(club, alice)
    person = person_of(club)
    place = PersonalPageContents(person).last_session.place
    for kept in PlayerSession.objects.all():
        kept.state = kept.state.partition(" ")[2]  # as it was written at first
        kept.sums = json.dumps(json.loads(kept.sums) | {"place": ""})
        kept.save()

    assert PersonalPageContents(person).last_session.place == place != ""


def test_whose_section_never_had_a_movement_has_no_evening_and_it_is_asked_once(club, alice):
    section = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    other = Section.objects.create(session=section.session, name="B")
    entries.add_pairs(other, [("Zoë Neu", "Zeno Alt")], by=alice)
    publishing.make_list_final(section, by=alice)
    publishing.publish_results(section, by=alice)
    assert PersonalPageContents(person_of(club, "Zoë Neu")).evenings == []

    with CaptureQueriesContext(connection) as asked:
        assert PersonalPageContents(person_of(club, "Zoë Neu")).evenings == []

    assert len(asked) <= 3  # who they are, what is published of it, what is known


def test_seats_and_lines_are_added_up_board_by_board(club, alice):
    section = evening(club, alice)
    own = PersonalPageContents(person_of(club))
    scored = ScoredSession(SessionSnapshot(section))
    mine = [
        line for line in scored.tonight.lines if any(player.slug == "NS1" for player in line.ns)
    ]

    found = dict(own.seats)

    for role, seats in (("declarer", "N"), ("dummy", "S"), ("defence", "EW")):
        shares = [
            scored.side(line, "ns").percent for line in mine if line.outcome["declarer"] in seats
        ]
        if shares:
            assert found[role].count == len(shares)
            assert abs(found[role].mean - sum(shares) / len(shares)) < 1 / 100
        else:
            assert role not in found


def test_boards_without_a_declarer_are_counted_below_the_seats(client, club, alice):
    section = evening(club, alice)
    assert "no declarer" not in client.get(links.page_address(page_of(club))).content.decode()
    lines = ScoredSession(SessionSnapshot(section)).tonight.lines
    mine = [line.play for line in lines if any(player.slug == "NS1" for player in line.ns)]
    Result.objects.filter(play__in=mine[:2], stands=True).update(outcome={"passed": True})
    PlayerSession.objects.all().delete()

    own = PersonalPageContents(person_of(club))

    assert sum(mean.count for _line, mean in own.lines) == len(mine)
    assert sum(mean.count for _role, mean in own.seats) == len(mine) - 2
    assert (
        "2 boards had no declarer" in client.get(links.page_address(page_of(club))).content.decode()
    )


def test_the_mean_of_five_goes_on_with_each_evening(club, alice):
    for number, day in enumerate(("03", "10", "17", "24"), 1):
        evening(club, alice, f"2026-11-{day}", seed=number)
    own = PersonalPageContents(person_of(club))

    values = [item.percent for item in own.evenings]

    assert [item.open.day.day for item in own.evenings] == [24, 17, 10, 3]
    assert own.trend_chart.session_count == 4
    assert own.trend_chart.means[-1] == sum(values) / 4
    assert own.trend_chart.means[0] == values[-1]
    assert own.partners[0].count == 4
    assert own.partners[0].is_little


def test_the_line_is_the_mean_of_five_and_the_chart_has_forty_evenings():
    first = date(2026, 1, 1)
    values = [Decimal(number) for number in range(30, 72)]
    chart = ResultsTrendChart(
        [(first + timedelta(days=at), value) for at, value in enumerate(values)]
    )

    assert (chart.session_count, chart.first_day) == (40, first + timedelta(days=2))
    assert chart.values == values[2:]
    assert chart.means == [31, Fraction(63, 2), *range(32, 70)]


def test_a_correction_is_on_the_page_at_once(client, club, alice):
    section = evening(club, alice)
    page = page_of(club)
    before = client.get(links.page_address(page)).content
    play = section.plays.filter(north=page.person).first()

    enter_result(section, play.pk, {"contract": "7NTxx", "declarer": "E", "tricks": 0}, by=alice)

    assert client.get(links.page_address(page)).content != before


def test_a_first_evening_has_no_picture_and_nobody_to_compare(client, club, alice):
    evening(club, alice)
    whole = client.get(links.page_address(page_of(club))).content.decode()

    assert "me-chart" not in whole
    assert "My best boards" in whole


def test_who_has_played_nothing_is_told_so(client, club):
    person = PersonFactory(club=club, name="Nora Neu")
    page = links.give_address(person, by=None)

    answers = [client.get(address, follow=True) for address in addresses(page)]

    assert [answer.status_code for answer in answers] == [200] * 4
    assert "No results yet." in answers[0].content.decode()


def test_the_season_is_what_the_club_publishes(client, club, alice):
    section = evening(club, alice)
    page = page_of(club)
    Championship.objects.create(club=club, name="Secret Cup", of="player")
    shown = Championship.objects.create(
        club=club, name="Best of Tuesday", of="player", published_at=timezone.now()
    )
    report = MasterpointReport.objects.create(club=club, until=section.session.date)
    given = {"report": report, "person": page.person, "day": section.session.date, "name": "x"}
    MasterpointEntry.objects.create(**given, points="1.25")
    for hide in (unpublished, embargoed, deleted):
        MasterpointEntry.objects.create(**given, session=hide(club, alice).session, points="7")

    whole = client.get(links.page_address(page)).content.decode()

    assert "Best of Tuesday" in whole
    assert reverse("public-championship", args=[shown.token]) in whole
    assert "Secret Cup" not in whole
    assert "1.25" in whole
    own = reverse("own-file", args=[links.page_code(page), "json"])
    told = json.loads(client.get(own).content)["tables"]["masterpoints"]
    assert [masterpoint["points"] for masterpoint in told] == ["1.25"]


def test_what_another_program_scored_is_there_once_it_is_published(client, club, alice):
    evening(club, alice)
    past_import = import_all(
        club, alice, "2020-03-04", rows=("1;Anna North1;Bob South1;;61,25;12",)
    )
    page = page_of(club)
    assert "2020" not in all_pages(client, page)

    importing.publish_import(past_import, True, by=alice)

    whole = client.get(links.page_address(page)).content.decode()
    assert "61.25 %" in whole
    token = ScoringSettings.objects.get(session__date="2020-03-04").token
    list_of_it = reverse("public-results", args=[token])
    assert f'href="{list_of_it}"' in whole
    assert client.get(list_of_it).status_code == 200
    assert "2020-03-04" in all_pages(client, page)
    assert PersonalPageContents(page.person).partners[0].count == 2


def test_a_list_of_places_alone_says_the_place(client, club, alice):
    csv = "Date;Event;Place;Name 1;Name 2\n2025-01-07;Tue;1;Ann Lee;\n2025-01-07;Tue;2;Cy Po;Di Qu"
    draft = importing.read_import(club, [("a.csv", csv.encode())])
    [read] = importing.ImportDraft(draft).sessions
    wanted = importing.AcceptedSession(read.number, read.session.date, read.session.name)
    importing.import_sessions(draft, [wanted], {}, by=alice)
    importing.publish_import(draft, True, by=alice)

    alone, two = (
        " ".join(client.get(links.page_address(page_of(club, name))).content.decode().split())
        for name in ("Ann Lee", "Cy Po")
    )

    assert "you took place <b>1 of 2</b>. </h1>" in alone
    assert "with Di Qu you took place <b>2 of 2</b>. </h1>" in two


# ── what is not on it ──


def unpublished(club, by):
    return evening(club, by, event="Secret Cup", is_public=False)


def taken_back(club, by):
    section = evening(club, by, event="Secret Cup")
    publishing.unpublish_results(section, by=by)
    return section


def opened_again(club, by):
    section = evening(club, by, event="Secret Cup")
    publishing.reopen_list(section, by=by)
    return section


def being_played(club, by):
    section = scored_section(6, "mitchell", rounds=2, club=club, by=by)
    Session.objects.filter(pk=section.session_id).update(
        event=EventFactory(club=club, name="Secret Cup")
    )
    publishing.publish_results(Section.objects.get(pk=section.pk), by=by)
    return section


def embargoed(club, by):
    section = evening(club, by, event="Secret Cup")
    ScoringSettings.objects.filter(session=section.session_id).update(
        embargo_until=timezone.now() + A_DAY
    )
    return section


def deleted(club, by):
    section = evening(club, by, event="Secret Cup")
    deletions.delete_session(section, name="Secret Cup", by=by)
    return section


def rehearsed(club, by):
    section = evening(club, by, event="Secret Cup")
    Session.objects.filter(pk=section.session_id).update(rehearsal_until=timezone.now() + A_DAY)
    return section


STATES = (unpublished, taken_back, opened_again, being_played, embargoed, deleted, rehearsed)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("is_known", [False, True])
def test_nothing_of_what_is_not_for_everybody_is_anywhere(client, club, alice, state, is_known):
    """Search for a name, a day, a result and an address: with warm caches, and without."""
    section = state(club, alice)
    Session.objects.filter(pk=section.session_id).update(date="2025-02-03")
    partner = Person.objects.get(club=club, name="Bob South1")
    Person.objects.filter(pk=partner.pk).update(name="Zacharias Geheim", search="zacharias geheim")
    if is_known:
        own_sessions.cache_own_page_data(section.session_id, "as it was before")
        PlayerSession.objects.update(sums='{"boards":9,"value":"66.66","with":[],"against":[]}')
    page = page_of(club)

    whole = all_pages(client, page)

    code = Section.objects.get(pk=section.pk).code
    secrets = ["Secret Cup", "2025", "66.66", "Zacharias", code]
    scoring = ScoringSettings.objects.filter(session=section.session_id).first()
    secrets += [scoring.token] if scoring else []
    assert [secret for secret in secrets if secret in whole] == []


def test_another_clubs_namesake_is_somebody_else(client, club, alice):
    evening(ClubFactory(), alice, event="Secret Cup")
    page = links.give_address(PersonFactory(club=club, name="Anna North1"), by=None)

    assert "Secret Cup" not in all_pages(client, page)


def test_others_have_the_names_that_they_let_be_seen_and_oneself_ones_own(client, club, alice):
    evening(club, alice)
    Person.objects.filter(club=club).update(public_name="initials")
    page = page_of(club)

    whole = all_pages(client, page)

    assert "Anna North1" in whole
    assert "Bob South1" not in whole
    assert "North2" not in whole
    assert "B. S." in whole


def test_nothing_of_others_is_in_ones_file(client, club, alice):
    evening(club, alice)
    partner = person_of(club, "Bob South1")
    Person.objects.filter(pk=partner.pk).update(national_number="SECRET99", strength=7777)
    ResultsSubscription.objects.create(person=partner, email="secret@example.org")
    links.give_address(partner, by=None)

    whole = all_pages(client, page_of(club))

    assert [text for text in ("SECRET99", "7777", "secret@example.org") if text in whole] == []


def test_a_forgotten_person_has_no_page_and_no_name_on_others(client, club, alice):
    section = evening(club, alice)
    Section.objects.update(finished_at=timezone.now())
    mine, theirs = page_of(club), page_of(club, "Bob South1")
    PersonalPageContents(person_of(club)).evenings  # noqa: B018
    old = addresses(theirs)

    forgetting.anonymise_person(person_of(club, "Bob South1"), by=alice)

    assert {client.get(address).status_code for address in old} == {NOT_FOUND}
    assert not PlayerPage.objects.filter(person__name__startswith="N.N.").exists()
    whole = all_pages(client, mine)
    assert "Bob South1" not in whole
    assert "N.N.1" in whole
    assert section.session.scoring.token in whole


def test_a_merged_person_is_one_with_all_evenings(client, club, alice):
    evening(club, alice, "2026-11-17")
    other = PersonFactory(club=club, name="Anne Nord")
    section = evening(club, alice, "2026-11-24", seed=2)
    first = section.entries.first()
    first.entry_people.filter(position=1).update(person=other)
    section.plays.filter(north__name="Anna North1").update(north=other)
    partner = PersonalPageContents(person_of(club, "Bob South1"))
    assert {item.partner for item in partner.evenings} == {"Anna North1", "Anne Nord"}
    page = links.give_address(other, by=None)
    PersonalPageContents(person_of(club, "Anne Nord")).evenings  # noqa: B018

    merge_people(person_of(club), other, by=alice)

    assert client.get(links.page_address(page)).status_code == 200  # the only address there was
    assert len(PersonalPageContents(person_of(club)).evenings) == 2
    assert {
        item.partner for item in PersonalPageContents(person_of(club, "Bob South1")).evenings
    } == {"Anna North1"}


# ── the address ──


def test_nothing_that_is_kept_opens_a_page(club):
    page = links.give_address(PersonFactory(club=club), by=None)
    code = links.page_code(page)

    kept = [str(value) for value in PlayerPage.objects.values_list().get()]
    told = json.dumps([record.facts for record in AuditRecord.objects.all()])

    assert code not in " ".join(kept) + told
    assert links.find_page(code).pk == page.pk
    assert links.find_page(page.salt) is links.find_page(page.key) is links.find_page("") is None


def test_answers_are_kept_by_nobody_and_found_by_no_search_engine(client, club, alice):
    evening(club, alice)
    for address in [
        *addresses(page_of(club)),
        reverse("own-page", args=["WRONG"]),
        reverse("own-code"),
    ]:
        answer = client.get(address)
        assert "no-store" in answer["Cache-Control"], address
        assert "noindex" in answer["X-Robots-Tag"]
        assert answer["Referrer-Policy"] == "same-origin"


def test_no_log_has_an_address(client, club, settings):
    page = links.give_address(PersonFactory(club=club), by=None)
    formatter = logging.config.DictConfigurator(settings.LOGGING).configure_formatter(
        dict(settings.LOGGING["formatters"]["text"])
    )
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter)
    logging.getLogger("django.request").addHandler(handler)

    client.get(reverse("own-file", args=[links.page_code(page), "exe"]))
    client.get("/me/ENDED/")
    logging.getLogger("django.request").removeHandler(handler)

    assert written.getvalue().splitlines() == [
        "Not Found: /me/<str:code>/file/<str:kind>/",
        "Not Found: /me/<str:code>/",
    ]


def test_a_new_address_ends_the_old_one(client, club):
    page = links.give_address(PersonFactory(club=club), by=None)
    old = links.page_address(page)

    answer = client.post(reverse("own-kept", args=[links.page_code(page)]), {"do": "new"})

    assert answer.url != old
    assert client.get(old).status_code == NOT_FOUND
    assert client.get(answer.url).status_code == 200


def test_a_second_tap_on_the_button_leads_to_the_new_address_too(client, club):
    press = reverse(
        "own-kept", args=[links.page_code(links.give_address(PersonFactory(club=club), by=None))]
    )
    client.get(press, follow=True)

    once, twice = (client.post(press, {"do": "new"}) for _ in range(2))
    PlayerPage.objects.update(since=timezone.now() - A_DAY)
    later = client.post(press, {"do": "new"})

    assert once.url == twice.url
    assert client.get(twice.url).status_code == 200
    assert client.get(press, follow=True).status_code == later.status_code == NOT_FOUND


def test_a_renewed_address_is_dead_at_once_to_everybody_else_who_has_it(
    client, club, alice, signed_in
):
    page = page_of_somebody(club)
    press, stranger = reverse("own-kept", args=[links.page_code(page)]), Client()
    for browser in (client, stranger):
        browser.get(press)

    client.post(press, {"do": "new"})
    answers = [stranger.post(press, {"do": "new"}), Client().post(press, {"do": "new"})]

    new = PlayerPage.objects.select_related("person__club").get()
    theirs = reverse("own-kept", args=[links.page_code(new)])
    assert client.get(theirs, follow=True).status_code == 200
    signed_in(alice).post(reverse("player-own-page", args=[club.pk, new.person_id]), {"do": "give"})
    answers.append(client.post(theirs, {"do": "new"}))
    assert [answer.status_code for answer in answers] == [NOT_FOUND] * 3


def page_of_somebody(club):
    return links.give_address(PersonFactory(club=club), by=None)


def test_wrong_codes_are_counted_as_those_of_sessions_are(client, club, monkeypatch):
    monkeypatch.setattr(
        "bridgebuddy.events.code_limits.STRANGERS", STRANGERS.__class__("x", 3, 600)
    )
    page = links.give_address(PersonFactory(club=club), by=None)
    for number in range(5):
        client.get(reverse("own-page", args=[f"WRONG{number}"]))

    answers = {client.get(links.page_address(page)).status_code for _ in range(3)}

    assert TOO_MANY in answers


def test_a_code_is_read_as_it_is_typed(client, club):
    page = links.give_address(PersonFactory(club=club), by=None)
    code = links.page_code(page)
    typed = f" {code[:4].lower()}-{code[4:8]} {code[8:]} "

    answer = client.get(reverse("own-code"), {"code": typed})

    assert answer.url == links.page_address(page)


# ── forgetting ──


def test_who_wants_to_be_forgotten_is_after_a_while_in_which_the_club_can_say_no(
    client, club, alice
):
    evening(club, alice)
    Section.objects.update(finished_at=timezone.now())
    page = page_of(club)
    ResultsSubscription.objects.create(person=page.person, email="anna@example.org")
    ask = reverse("own-forget", args=[links.page_code(page)])
    assert has_open_fold(client.get(ask, follow=True), "forget")
    assert PlayerPage.objects.get().forget_at is None

    answer = client.post(ask, {"do": "forget"})

    assert "Your name will be deleted." in answer.content.decode()
    links.hide_requested_names()  # the day is not over
    assert client.get(links.page_address(page)).status_code == 200
    assert ResultsSubscription.objects.exists()
    assert person_of(club).public_name == ""
    PlayerPage.objects.update(hide_at=timezone.now())
    links.hide_requested_names()
    assert client.get(links.page_address(page)).status_code == NOT_FOUND
    assert not ResultsSubscription.objects.exists()
    assert person_of(club).public_name == "none"
    links.delete_requested_names()
    assert person_of(club)
    PlayerPage.objects.update(forget_at=timezone.now() - A_DAY)
    links.delete_requested_names()
    assert not Person.objects.filter(name="Anna North1").exists()
    assert not PlayerPage.objects.exists()


def test_a_name_is_hidden_at_the_moment_that_was_told(club, monkeypatch):
    page = links.give_address(PersonFactory(club=club), by=None)
    links.ask_to_be_forgotten(page)
    told = PlayerPage.objects.get().hide_at
    monkeypatch.setattr(timezone, "now", lambda: told)

    links.hide_requested_names()

    assert PlayerPage.objects.get().hide_at is None
    assert Person.objects.get().public_name == "none"


def test_a_second_tap_says_the_same_of_being_forgotten(client, club):
    page = links.give_address(PersonFactory(club=club), by=None)
    press = reverse("own-forget", args=[links.page_code(page)])

    once, twice = (client.post(press, {"do": "forget"}).content.decode() for _ in range(2))

    assert "Your name will be deleted." in once
    assert "Your name will be deleted." in twice


def test_who_asked_to_be_forgotten_takes_it_back_within_a_day(client, club):
    person = PersonFactory(club=club, public_name="initials")
    page = links.give_address(person, by=None)
    press = reverse("own-forget", args=[links.page_code(page)])
    client.post(press, {"do": "forget"})
    assert "It is deleted for good" in client.get(own_kept(page), follow=True).content.decode()

    client.post(press, {"do": "keep"})

    PlayerPage.objects.filter(hide_at__isnull=False).update(hide_at=timezone.now())
    links.hide_requested_names()
    person.refresh_from_db()
    page.refresh_from_db()
    assert (page.forget_at, page.hide_at, page.ended_at) == (None, None, None)
    assert person.public_name == "initials"


def own_kept(page):
    return reverse("own-kept", args=[links.page_code(page)])


def hidden_now():
    """Hide the names of all people who asked to be forgotten."""
    PlayerPage.objects.filter(hide_at__isnull=False).update(hide_at=timezone.now())
    links.hide_requested_names()


def test_asked_again_the_name_comes_back_as_it_was(club, alice):
    person = PersonFactory(club=club, public_name="full")
    links.ask_to_be_forgotten(links.give_address(person, by=None))
    hidden_now()
    first = PlayerPage.objects.get().forget_at
    person.refresh_from_db()

    links.ask_to_be_forgotten(links.give_address(person, by=alice))

    assert PlayerPage.objects.get().forget_at == first
    assert PlayerPage.objects.get().ended_at is not None
    links.cancel_deletion(PlayerPage.objects.get(), by=alice)
    person.refresh_from_db()
    assert person.public_name == "full"


def test_who_is_merged_within_the_day_is_hidden_when_it_is_over(club, alice):
    stays = PersonFactory(club=club, public_name="initials")
    goes = PersonFactory(club=club, public_name="full")
    ResultsSubscription.objects.create(person=stays, email="ada@example.org")
    links.ask_to_be_forgotten(links.give_address(goes, by=None))

    merge_people(stays, goes, by=alice)

    page = PlayerPage.objects.get()
    assert (page.person, page.hide_at is None, page.ended_at) == (stays, False, None)
    assert ResultsSubscription.objects.exists()
    hidden_now()
    links.cancel_deletion(page, by=alice)
    stays.refresh_from_db()
    assert stays.public_name == "initials"


@pytest.mark.parametrize("has_page", [True, False])
def test_who_is_merged_is_forgotten_as_either_has_asked(club, alice, has_page):
    stays = PersonFactory(club=club, name="Ada Wolf", public_name="initials")
    goes = PersonFactory(club=club, name="Ada Wolff", public_name="full")
    ResultsSubscription.objects.create(person=stays, email="ada@example.org")
    if has_page:
        links.give_address(stays, by=None)
    links.ask_to_be_forgotten(links.give_address(goes, by=None))
    hidden_now()
    goes.refresh_from_db()

    merge_people(stays, goes, by=alice)

    page = PlayerPage.objects.get()
    assert (page.person, page.forget_at is None, page.ended_at is None) == (stays, False, False)
    assert not ResultsSubscription.objects.exists()
    stays.refresh_from_db()
    assert stays.public_name == "none"
    links.cancel_deletion(page, by=alice)
    stays.refresh_from_db()
    assert stays.public_name == "initials"


def test_who_is_merged_gets_their_results_at_the_only_address_there_was(club, alice):
    stays, goes = PersonFactory(club=club), PersonFactory(club=club)
    kept = ResultsSubscription.objects.create(person=goes, email="ada@example.org")

    merge_people(stays, goes, by=alice)

    assert ResultsSubscription.objects.get(person=stays) == kept


def test_who_still_plays_is_forgotten_later(club, alice):
    section = evening(club, alice)
    Session.objects.filter(pk=section.session_id).update(date=club.today)
    page = page_of(club)
    links.ask_to_be_forgotten(page)
    PlayerPage.objects.update(forget_at=timezone.now() - A_DAY)

    links.delete_requested_names()

    assert person_of(club)
    assert PlayerPage.objects.get().forget_at


def test_the_director_gives_ends_and_keeps(client, club, alice, signed_in):
    evening(club, alice)
    person, browser = person_of(club), signed_in(alice)
    press = reverse("player-own-page", args=[club.pk, person.pk])
    edit = reverse("edit-player", args=[club.pk, person.pk])

    shown = browser.post(press, {"do": "give"}).content.decode()

    address = links.page_address(PlayerPage.objects.get())
    assert links.page_code(PlayerPage.objects.get())[:4] in shown
    assert address not in browser.get(edit).content.decode()
    assert address in browser.post(press, {"do": "show"}).content.decode()
    browser.post(press, {"do": "end"})
    assert client.get(address).status_code == NOT_FOUND
    assert links.page_to_mail(person) is None
    browser.post(press, {"do": "give"})
    links.ask_to_be_forgotten(PlayerPage.objects.get())
    roster = browser.get(reverse("players", args=[club.pk])).content.decode()
    assert "Deletion was requested on the player’s own page" in roster
    browser.post(press, {"do": "keep"})
    assert PlayerPage.objects.get().forget_at is None
    assert person_of(club).public_name == ""


def test_slips_are_for_who_played_lately_and_has_no_ended_address(club, alice, signed_in):
    evening(club, alice, club.today.isoformat())
    PersonFactory(club=club, name="Nora Neu")
    ended, kept = page_of(club, "Bob South1"), page_of(club)
    links.end_address(ended, by=alice)

    slips = signed_in(alice).post(reverse("players-own-pages", args=[club.pk]))

    whole = slips.content.decode()
    assert "no-store" in slips["Cache-Control"]
    assert whole.count('class="ownslip"') == 11
    assert links.page_code(kept)[:4] in whole  # who had one keeps it
    assert [text for text in ("Nora Neu", "Bob South1") if text in whole] == []


def test_what_everybody_reads_of_a_name_is_its_owners_choice(client, club, alice):
    evening(club, alice)
    page = page_of(club)
    address = reverse("own-kept", args=[links.page_code(page)])

    client.post(address, {"do": "name", "name": "initials"})
    client.post(address, {"do": "name", "name": "nonsense"})

    assert person_of(club).public_name == "initials"
    assert "Anna North1" in client.get(address, follow=True).content.decode()


# ── how fast ──


def several(club, by, count):
    """The same evening as it was kept, so many weeks before."""
    first = evening(club, by)
    PersonalPageContents(person_of(club)).evenings  # noqa: B018
    scoring = ScoringSettings.objects.get(session=first.session_id)
    kept = list(PlayerSession.objects.filter(session=first.session_id))
    for week in range(1, count):
        day = first.session.date - week * datetime.timedelta(days=7)
        session = Session.objects.create(
            event=first.session.event, date=day, starts_at=datetime.time(19)
        )
        section = Section.objects.create(session=session)
        ScoringSettings.objects.create(
            session=session, final_at=scoring.final_at, published_at=scoring.published_at
        )
        entry = section.entries.create(contestant=1, position=1)
        entry.entry_people.create(section=section, person=person_of(club), position=1)
        (state,) = (
            section.state
            for section in own_sessions.published_sessions_of(person_of(club))
            if section.session == session.pk
        )
        PlayerSession.objects.bulk_create(
            PlayerSession(
                session=session, person_id=item.person_id, state=state, sums=item.sums, boards="[]"
            )
            for item in kept
        )


@pytest.mark.parametrize("count", [3, 30])
def test_a_page_costs_the_same_queries_with_three_evenings_and_with_thirty(
    client, club, alice, count
):
    several(club, alice, count)
    for name in ("A", "B", "C"):
        Championship.objects.create(club=club, name=name, of="player", published_at=timezone.now())
    page = page_of(club)
    client.get(links.page_address(page))

    with CaptureQueriesContext(connection) as asked:
        answer = client.get(links.page_address(page))

    assert answer.content.decode().count('<circle class="d"') == count
    assert len(asked) <= MOST_QUERIES, [row["sql"][:90] for row in asked]


def everything_there_is(club, by):
    """Sessions to come, one of them answered, and lists of all kinds: as much as a page can say."""
    played = [f"2026-11-{day}" for day in ("10", "17", "24")]
    for number, day in enumerate(played, 1):
        evening(club, by, day, seed=number)
    whole = {"club": club, "published_at": timezone.now()}
    Championship.objects.create(
        name="A", of="player", has_handicap=True, most_strength=1000, **whole
    )
    groups = [[[str(person_of(club).pk)]]]
    Championship.objects.create(name="B", of="player", groups=groups, **whole)
    Championship.objects.create(name="C", of="team", **whole)
    Person.objects.filter(club=club).update(strength=500)
    ManualHandicap.objects.create(person=person_of(club), handicap=2)
    report = MasterpointReport.objects.create(club=club, until=club.today)
    given = {"report": report, "person": person_of(club), "day": club.today, "name": "x"}
    MasterpointEntry.objects.create(**given, points="1.25")
    for _ in range(2):
        section = section_with(0, club=club, by=by)
        Session.objects.filter(pk=section.session_id).update(date=club.today)
        switch_registration(Section.objects.get(pk=section.pk), is_on=True, maximum=None, by=by)
    register_pair(section.session, person_of(club, "Bob South1"), person_of(club))


@pytest.mark.parametrize("has_rule", [False, True])
def test_no_page_asks_more_whatever_there_is_to_say(client, club, alice, has_rule):
    everything_there_is(club, alice)
    if has_rule:
        HandicapRule.objects.create(club=club)
    page = page_of(club)
    code = links.page_code(page)
    session = Registration.objects.get().session_id
    addresses = [
        links.page_address(page),
        *(reverse(name, args=[code]) for name in ("own-coming", "own-kept", "own-forget")),
        reverse("own-come", args=[code, session]),
    ]
    found = {}
    for address in addresses:
        client.get(address)
        with CaptureQueriesContext(connection) as asked:
            answer = client.get(address)
        found[address] = [row["sql"][:90] for row in asked]
        if address == addresses[0]:
            whole = answer.content.decode()

    assert {key: asked for key, asked in found.items() if len(asked) > MOST_QUERIES} == {}
    said = (
        "1.25",
        "<span>A</span>",
        "<span>B</span>",
        "would like to play with you",
        "My best boards",
    )
    assert [text for text in said if text not in whole] == []


def test_boards_are_those_of_the_newest_evening_in_which_there_are_any(club, alice):
    section = evening(club, alice)
    Person.objects.filter(name="Anna North1").update(name="Anna Nord", search="anna nord")
    later = evening(club, alice, "2026-12-01", seed=2)
    anna = person_of(club, "Anna Nord")
    late = later.entries.create(position=99)
    late.entry_people.create(section=later, person=anna, position=1)

    own = PersonalPageContents(anna)

    assert own.last_session.open.session == section.session_id
    assert len(own.best_boards) == BEST


def test_more_evenings_than_somebody_waits_for_are_a_jobs(client, club, alice, monkeypatch):
    monkeypatch.setattr(own_sessions, "AT_ONCE", 1)
    for number, day in enumerate(("10", "17", "24"), 1):
        evening(club, alice, f"2026-11-{day}", seed=number)
    page = page_of(club)

    first = client.get(links.page_address(page)).content.decode()

    assert "2 older sessions are still being counted" in first
    job = Job.objects.get(kind=own_sessions.JOB)
    own_sessions.compute_missing_sessions(job.key)
    assert "still being counted" not in client.get(links.page_address(page)).content.decode()
    assert len(PersonalPageContents(page.person).evenings) == 3
