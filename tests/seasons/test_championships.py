"""A club's championships: scores from final lists, and changed lists."""

import re
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Person
from bridgebuddy.director.season.views import table_line
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.events.services.play.people import correct_names
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.publishing import make_list_final, reopen_list
from bridgebuddy.scoring.services.publishing import publish_results as publish_list
from bridgebuddy.scoring.services.publishing import unpublish_results as unpublish_list
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.seasons.championship_views import ChampionshipView, LineExplanation
from bridgebuddy.seasons.models import Championship, FinalList
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.queries.final_lists import final_results, revised_lists
from bridgebuddy.seasons.queries.handicaps import ClubHandicaps
from bridgebuddy.seasons.queries.ratings import ratings_by_person
from bridgebuddy.seasons.services.championships import (
    make_championship_final as make_championship_final,
)
from bridgebuddy.seasons.services.championships import publish_championship
from bridgebuddy.seasons.words import distinct_totals
from tests.factories import section_with

from .evenings import evening

pytestmark = pytest.mark.django_db
DAYS = ("2026-10-06", "2026-10-13", "2026-10-20")


@pytest.fixture
def played(club, alice):
    """Three Tuesdays of four pairs."""
    return [evening(club, alice, day) for day in DAYS]


@pytest.fixture
def best_two(club, played):
    return Championship.objects.create(club=club, name="Tuesdays", best=2, least=2, weekday=1)


def percentages(section):
    """Return the exact percentages of the session's own list, by names of the pair."""
    (ranking,) = ScoredSession(SessionSnapshot(section)).main_lists
    return {standing.names: Fraction(standing.row.exact) for standing in ranking.standings}


def totals(one):
    table = ChampionshipTable(Championship.objects.get(pk=one.pk))
    return {table.line_text(line.who): line.total for line in table.standings.lines}


def test_a_line_is_the_mean_of_the_best_final_percentages(played, best_two):
    had = [percentages(section) for section in played]

    expected = {
        names: sum(sorted((item[names] for item in had), reverse=True)[:2]) / 2 for names in had[0]
    }

    assert totals(best_two) == expected


def test_the_first_and_the_last_day_count_also_where_all_lists_were_read_before(club, played):
    own = Championship.objects.create(club=club, name="Autumn", since=DAYS[0], until=DAYS[2])
    own.refresh_from_db()
    every = final_results(club)

    for table in (ChampionshipTable(own), ChampionshipTable(own, final_sessions=every)):
        assert [str(session.date) for session in table.sessions] == list(DAYS)


def test_what_is_not_final_does_not_count_and_a_list_taken_back_leaves(
    club, alice, played, best_two
):
    before = totals(best_two)
    fourth = evening(club, alice, "2026-10-27", is_final=False)
    assert totals(best_two) == before

    make_list_final(fourth, by=alice)
    with_four = totals(best_two)
    reopen_list(fourth, by=alice)

    assert with_four != before
    assert totals(best_two) == before


def test_a_revised_session_revises_the_list_and_back_again_it_is_the_same(alice, played, best_two):
    before, kept = totals(best_two), FinalList.objects.count()
    play = played[1].plays.order_by("pk").first()
    outcome = play.results.get(stands=True).outcome
    make_championship_final(best_two, True, by=alice)

    enter_result(played[1], play.pk, {"score": 170 if outcome["score"] < 0 else -150}, by=alice)
    table = ChampionshipTable(Championship.objects.get(pk=best_two.pk))

    assert totals(best_two) != before
    assert table.differs_from_final_ranking
    assert [section.session for section in revised_lists(table.sessions)] == [played[1].session_id]
    assert len(ChampionshipView(table).notes) == 2

    enter_result(played[1], play.pk, outcome, by=alice)
    assert totals(best_two) == before
    assert FinalList.objects.count() == kept


def test_a_merged_person_has_everything_that_either_played(club, alice, played, best_two):
    _ = totals(best_two)
    evening(club, alice, "2026-10-27")
    one = Person.objects.get(club=club, name="Anna North1")
    double = Person.objects.create(club=club, name="Ana North1")
    links = played[0].entries.get(position=1).entry_people
    links.filter(person=one).update(person=double)
    FinalList.objects.all().delete()
    assert len(ChampionshipTable(best_two).standings.lines) == 4
    assert len(ChampionshipTable(best_two).standings.below) == 1

    merge_people(one, double, by=alice)

    table = ChampionshipTable(Championship.objects.get(pk=best_two.pk))
    assert [len(line.values) for line in table.standings.lines] == [4] * 4
    assert table.standings.below == ()


def test_forgetting_somebody_moves_nobody(club, alice, played, best_two):
    before = totals(best_two)

    anonymise_person(Person.objects.get(club=club, name="Anna North1"), by=alice)

    after = totals(best_two)
    assert sorted(after.values()) == sorted(before.values())
    assert {names for names in before if "North1" not in names} < set(after)
    assert any("N.N." in names for names in after)


def test_sessions_come_in_and_go_out_by_hand(client, club, alice, played, best_two):
    client.force_login(alice)
    wednesday = evening(club, alice, "2026-10-28")
    address = reverse("championship-evenings", args=[club.pk, best_two.pk])

    shown = [item.session_id for item in (*played, wednesday)]
    ticked = [item.session_id for item in (played[0], played[2], wednesday)]
    client.post(address, {"shown": shown, "session": ticked})

    best_two.refresh_from_db()
    assert best_two.brought_in == [wednesday.session_id]
    assert best_two.left_out == [played[1].session_id]
    counted = [session.session for session in ChampionshipTable(best_two).sessions]
    assert counted == [played[0].session_id, played[2].session_id, wednesday.session_id]


@pytest.mark.parametrize("digits", [19, 5000])
def test_a_number_longer_than_any_key_is_no_session(client, club, alice, played, best_two, digits):
    client.force_login(alice)
    address = reverse("championship-evenings", args=[club.pk, best_two.pk])
    shown = [item.session_id for item in played]

    answer = client.post(address, {"shown": shown, "session": [*shown, "9" * digits]})

    assert answer.status_code == 302
    best_two.refresh_from_db()
    assert (best_two.brought_in, best_two.left_out) == ([], [])


def test_what_became_final_after_its_page_was_made_is_not_left_out(
    client, club, alice, played, best_two
):
    client.force_login(alice)
    address = reverse("championship-evenings", args=[club.pk, best_two.pk])
    page = client.get(address, follow=True).content.decode()
    sent = {
        name: re.findall(rf'name="{name}" value="(\d+)"', page) for name in ("shown", "session")
    }
    assert len(sent["shown"]) == len(sent["session"]) == 3
    fourth = evening(club, alice, "2026-10-27")

    client.post(address, sent | {"session": sent["session"][:2]})

    left_out = {int(sent["session"][2])}
    best_two.refresh_from_db()
    assert set(best_two.left_out) == left_out
    counted = {session.session for session in ChampionshipTable(best_two).sessions}
    assert counted == {item.session_id for item in (*played, fourth)} - left_out


def test_why_says_what_is_needed_to_be_first_and_it_is_enough(club, alice, played, best_two):
    best_two.planned = 4
    table = ChampionshipTable(best_two)
    second = next(line for line in table.standings.lines if line.place > 1)

    said = LineExplanation(table, second).needed_to_lead_sentence

    assert said.startswith("Needs ")
    assert "in the last session" in said
    needed = Fraction(said.split()[1])
    best = max(line.total for line in table.standings.lines)
    had = sorted((line.amount for line in second.values), reverse=True)
    assert sum(sorted([*had, needed], reverse=True)[:2]) / 2 >= best
    assert sum(sorted([*had, needed - Fraction(1, 5)], reverse=True)[:2]) / 2 < best


def test_pages_of_a_championship(client, club, alice, played, best_two):
    client.force_login(alice)

    listed = client.get(reverse("season", args=[club.pk]))
    table = client.get(reverse("championship", args=[club.pk, best_two.pk]))
    line = client.get(reverse("championship-line", args=[club.pk, best_two.pk, 1]), follow=True)
    none = client.get(reverse("championship-line", args=[club.pk, best_two.pk, 5]), follow=True)

    assert "The best 2 of all count, at least 2." in listed.content.decode()
    assert table.content.decode().count("<s>") == 4
    assert "How it is counted" in line.content.decode()
    assert table.context["shown"].lines
    assert "How it is counted" not in none.content.decode()


def test_a_list_is_made_in_one_form_that_shows_what_it_says(client, club, alice, played):
    client.force_login(alice)
    address = reverse("new-championship", args=[club.pk])
    form = client.get(address, follow=True).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}
    assert sent["which"] == "1"
    assert form.initial["name"].startswith("Tuesday championship")
    sent |= {"least": 2, "best": 2, "since": "2026-09-01", "until": "2027-08-31"}

    preview = client.get(address, sent, headers={"HX-Request": "true", "HX-Target": "preview"})
    made = client.post(address, sent)

    assert "With the 3 sessions played so far" in preview.content.decode()
    one = Championship.objects.get()
    assert made.headers["Location"] == reverse("championship", args=[club.pk, one.pk])
    assert one.weekday == 1
    assert len(ChampionshipTable(one).standings.lines) == 4


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"since": "2026-09-01", "until": "2026-08-01"}, "until"),
        ({"planned": 5, "least": 6}, "least"),
        ({"planned": 5, "least": 2, "best": 6}, "best"),
        ({"best": 0}, "best"),
        ({"name": ""}, "name"),
        ({"has_handicap": "on", "counts": "places"}, "has_handicap"),
        ({"has_handicap": "on", "is_frozen": "on"}, "since"),
        ({"which": "9"}, "which"),
    ],
)
def test_rules_nobody_could_fulfil_are_refused(client, club, alice, sent, field):
    client.force_login(alice)
    usual = {"name": "Cup", "of": "pair", "which": "all", "best": 3, "least": 2}
    usual |= {"counts": "percentage", "rule": "mean", "whose": "seat"}

    answer = client.post(reverse("new-championship", args=[club.pk]), usual | sent)

    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert not Championship.objects.exists()


def test_a_published_championship_shows_names_as_they_may_be_seen(
    client, club, alice, played, best_two
):
    address = reverse("public-championship", args=[best_two.token])
    assert client.get(address).status_code == 404
    club.public_names = "none"
    club.save()
    publish_championship(best_two, True, by=alice)

    pages = [
        client.get(address).content.decode(),
        client.get(reverse("public-championship-line", args=[best_two.token, 1])).content.decode(),
    ]

    assert all("Guest" in page and "North" not in page for page in pages)
    publish_championship(best_two, False, by=alice)
    assert client.get(address).status_code == 404


def test_a_championship_is_final_published_and_deleted_by_presses(
    client, club, alice, played, best_two
):
    client.force_login(alice)
    address = reverse("championship-state", args=[club.pk, best_two.pk])
    for wish in ("publish", "final"):
        client.post(address, {"do": wish})
    best_two.refresh_from_db()
    assert best_two.is_published
    assert best_two.is_final
    assert (
        " won" in client.get(reverse("championship", args=[club.pk, best_two.pk])).content.decode()
    )

    answers = [client.post(address, {"do": "delete"}) for _ in range(2)]  # pressed twice

    assert not Championship.objects.exists()
    assert [answer.url for answer in answers] == [reverse("season", args=[club.pk])] * 2
    assert FinalList.objects.exists()


def test_the_sheet_for_the_wall_has_everybody(client, club, alice, played, best_two, monkeypatch):
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    client.force_login(alice)

    answer = client.get(reverse("print-championship", args=[club.pk, best_two.pk]))

    assert answer.headers["Content-Type"] == "application/pdf"
    assert all(f"North{n}" in answer.content.decode() for n in range(1, 5))


def test_evenings_played_are_added_up_whatever_else_is_preset(client, club, alice):
    client.force_login(alice)
    sent = {"name": "Most faithful", "of": "player", "which": "all", "counts": "evenings"}

    client.post(
        reverse("new-championship", args=[club.pk]), sent | {"rule": "mean", "whose": "seat"}
    )

    assert Championship.objects.get().rule == "sum"


def test_whose_name_was_entered_by_mistake_has_nothing_of_a_list_that_was_final(
    club, alice, played, best_two
):
    _ = totals(best_two)
    entry = played[0].entries.get(position=1)
    Person.objects.create(club=club, name="Zoë Neu")

    correct_names(entry, ["Zoë Neu", "Bob South1"], must_stay_seated=False, by=alice)

    table = ChampionshipTable(Championship.objects.get(pk=best_two.pk))
    had = {table.line_text(line.who): len(line.values) for line in table.standings.lines}
    below = {table.line_text(line.who): len(line.values) for line in table.standings.below}
    assert had["Anna North1 & Bob South1"] == 2
    assert below == {"Bob South1 & Zoë Neu": 1}


def test_who_is_merged_is_in_what_was_worked_out_before(club, alice, played, best_two):
    evening(club, alice, (club.today - timedelta(days=7)).isoformat())
    anna = Person.objects.get(club=club, name="Anna North1")
    better = Person.objects.create(club=club, name="Annette North1")
    before, known = totals(best_two), (ratings_by_person(club), ClubHandicaps(club).of)
    assert all(str(anna.pk) in found for found in known)

    merge_people(better, anna, by=alice)

    after = {names.replace("Annette", "Anna"): value for names, value in totals(best_two).items()}
    assert after == before
    for found in (ratings_by_person(club), ClubHandicaps(club).of):
        assert str(better.pk) in found
        assert str(anna.pk) not in found


def test_a_list_that_was_final_is_not_revised_by_merging_somebody_in_it(
    club, alice, played, best_two
):
    make_championship_final(best_two, True, by=alice)
    anna = Person.objects.get(club=club, name="Anna North1")

    merge_people(Person.objects.create(club=club, name="Anni North1"), anna, by=alice)

    table = ChampionshipTable(Championship.objects.get(pk=best_two.pk))
    assert "Anni North1 & Bob South1" in totals(best_two)
    assert not table.differs_from_final_ranking


def test_a_list_was_final_on_the_day_of_the_clubs_own_clock(best_two):
    best_two.final_at = datetime(2026, 12, 31, 21, tzinfo=UTC)
    best_two.final_rows = [["somebody else", "50", 1]]

    with timezone.override(ZoneInfo("Australia/Sydney")):
        (note,) = ChampionshipView(ChampionshipTable(best_two)).notes

    assert note == "This list was final on 1 January 2027, and has been revised since."


def test_a_double_tap_makes_one_championship_and_other_answers_another(client, club, alice, played):
    client.force_login(alice)
    address = reverse("new-championship", args=[club.pk])
    shown = client.get(address, follow=True).content.decode()
    [key] = re.findall(r'name="key" value="([^"]+)"', shown)
    answers = {"key": key, "name": "Cup", "of": "pair", "counts": "percentage", "rule": "mean"}
    answers |= {"which": "all", "whose": "seat", "best": 2, "least": 1}

    once, twice = (client.post(address, answers) for _ in range(2))
    third = client.post(address, answers | {"name": "Other cup"})

    assert once.status_code == 302
    assert once.url == twice.url != third.url
    assert [championship.name for championship in Championship.objects.order_by("pk")] == [
        "Cup",
        "Other cup",
    ]
    assert AuditRecord.objects.filter(action="season.new").count() == 2


def test_where_all_are_level_all_are_first_and_nobody_is_named(club, alice):
    section = section_with(6, "howell", club=club, by=alice, round=5)
    for play in section.plays.exclude(ns=None).exclude(ew=None):
        enter_result(section, play.pk, {"score": 0}, by=alice)
    make_list_final(section, by=alice)
    one = Championship.objects.create(club=club, name="Cup", of="player", ties="next")

    shown = ChampionshipView(ChampionshipTable(one))

    assert {line.place for line in shown.lines} == {"1="}
    assert {line.total for line in shown.lines} == {"50.00"}
    assert shown.leaders_sentence == "Cup"
    assert len(shown.lines) == 12
    assert {
        LineExplanation(ChampionshipTable(one), line).needed_to_lead_sentence
        for line in ChampionshipTable(one).standings.lines
    } == {""}
    assert {
        LineExplanation(ChampionshipTable(one), line).tie_sentence[-26:]
        for line in ChampionshipTable(one).standings.lines
    } == {", …: they share the place."}


def test_who_is_level_reads_with_whom_and_by_which_rule_they_were_put_in_order(club, alice):
    """All scores are equal and no result was dropped: the player with more sessions is ahead."""
    evening(club, alice, "2026-10-06", pairs=6)
    evening(club, alice, "2026-10-13", pairs=4)
    rules = {"counts": "evenings", "least": 1, "ties": "next", "then": "played"}
    one = Championship.objects.create(club=club, name="Cup", **rules)

    shown, table = ChampionshipView(ChampionshipTable(one)), ChampionshipTable(one)

    said = [LineExplanation(table, line).tie_sentence for line in table.standings.lines]
    assert [(line.place, line.star) for line in shown.lines] == [("1=", "**")] * 4 + [
        ("5=", "**")
    ] * 2
    assert shown.notes == ["** Level; the order was decided by: more sessions."]
    assert all(text.endswith("What decides: more sessions.") for text in said)
    assert "Level: the next best session, then more sessions." in shown.rule_sentence


def test_a_page_of_ten_lists_reads_what_is_final_once(client, club, alice, played):
    def queries(count):
        for number in range(club.championships.count(), count):
            Championship.objects.create(
                club=club, name=f"{number}", has_handicap=True, most_strength=9999
            )
        client.get(address)
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        return len(asked)

    client.force_login(alice)
    address = reverse("season", args=[club.pk])

    few, many = queries(2), queries(10)

    assert many - few <= 8  # of each the names of those in it


def test_a_published_list_that_is_taken_back_counts_again_when_published(alice, played, best_two):
    before = totals(best_two)
    publish_list(played[0], by=alice)
    assert totals(best_two) == before

    unpublish_list(played[0], by=alice)
    without = totals(best_two)
    publish_list(played[0], by=alice)

    assert without != before
    assert totals(best_two) == before


def test_each_line_of_a_championship_explains_itself(best_two):
    table = ChampionshipTable(best_two)
    lines = [*table.standings.lines, *table.standings.below]

    explained = [table_line(table, number) for number in range(1, len(lines) + 1)]

    assert [explanation.line for explanation in explained] == lines
    assert (table_line(table, 0), table_line(table, len(lines) + 1)) == (None, None)


def test_totals_that_differ_and_would_look_equal_have_more_decimals():
    mean = Championship(counts="percentage", rule="mean")
    close = [Fraction(55974, 1000), Fraction(55974, 1000), Fraction(55966, 1000), Fraction(50)]
    assert distinct_totals(mean, close) == ["55.974", "55.974", "55.966", "50.00"]
    closer = [Fraction(60), 60 - Fraction(1, 10**9)]
    assert distinct_totals(mean, closer) == ["60.000000", "60.000000"]
