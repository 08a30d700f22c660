"""An event of several sessions: qualifiers by the ranking, and the common results."""

import re
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Event, Section, Session
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.scoring.files.exports import exported_file
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.classes import store_classes
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot import earlier
from bridgebuddy.scoring.snapshot.counted import CountedResults
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import begun, director_of

from .test_drawing import SWISS_PAIRS, score, swiss
from .test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db

SENT = {"with_entries": "yes", "name": "Final", "date": "2026-12-01", "starts_at": "19:00"}


def second(client, section, **sent):
    client.force_login(director_of(section.club))
    address = reverse("copy-session", args=[section.code])
    answer = client.post(f"{address}?second=1", SENT | sent)
    return answer, list(Section.objects.exclude(session=section.session).order_by("pk"))


def names_in_order(section):
    [ranking] = ScoredSession(SessionSnapshot(section)).main_lists
    return [standing.names for standing in ranking.standings]


def test_finals_are_of_the_upper_and_the_lower_half(client):
    section = scored_section(8, "howell", rounds=7)

    _, (upper, lower) = second(client, section, sit="finals")

    found = [[entry.names for entry in x.entries.order_by("position")] for x in (upper, lower)]
    assert found[0] + found[1] == names_in_order(section)
    assert [len(item) for item in found] == [4, 4]
    assert upper.movement is None


def test_a_session_once_more_is_scored_as_before_and_everybody_stays_in_their_stratum(client):
    section = scored_section(8, "howell", rounds=7)
    keys = {entry.contestant: entry.pk for entry in section.entries.all()}
    publishing.set_scoring_profile(section, {"method": "butler", "sessions": "sum"}, by=None)
    classes = {keys[1]: {"stratum": 2, "handicap": "2.5"}, keys[2]: {"categories": ["juniors"]}}
    store_classes(section, strata=["A", "B"], classes=classes, masterpoints="abf-session", by=None)
    publishing.show_after_rounds(section, True, by=None)
    publishing.publish_results(section, by=None)
    client.force_login(director_of(section.club))
    sent = SENT | {"sit": "same", "key": "a"}

    for _ in range(2):  # pressed twice
        client.post(reverse("copy-session", args=[section.code]), sent)

    [made] = Section.objects.exclude(session=section.session)
    scoring = ScoringSettings.objects.get(session=made.session)
    assert scoring.profile == {"method": "butler", "strata": {"names": ["A", "B"]}}
    assert (scoring.masterpoints, scoring.barometer) == ("abf-session", True)
    assert (scoring.is_published, scoring.is_final, scoring.revealed) == (False, False, None)
    names = {str(entry.pk): entry.names for entry in (*section.entries.all(), *made.entries.all())}
    told = [
        {names[key]: item for key, item in of.classes.items()}
        for of in ScoringSettings.objects.order_by("pk")
    ]
    assert told[0] == told[1]
    assert set(scoring.classes) <= {str(entry.pk) for entry in made.entries.all()}
    publishing.set_scoring_profile(made, {"method": "cross-imps"}, by=None)
    client.post(reverse("copy-session", args=[section.code]), sent)
    scoring.refresh_from_db()
    assert scoring.profile == {"method": "cross-imps"}


def test_a_rehearsal_and_a_second_session_are_scored_alike_too(client):
    section = scored_section(8, "howell", rounds=7)
    publishing.set_scoring_profile(section, {"method": "butler", "sessions": "sum"}, by=None)

    _, [again] = second(client, section, sit="same")
    client.post(reverse("rehearse", args=[section.code]))

    rehearsed = Section.objects.exclude(session__in=(section.session, again.session)).get()
    assert ScoringSettings.objects.get(session=again.session).profile == {
        "method": "butler",
        "sessions": "sum",
    }
    assert ScoringSettings.objects.get(session=rehearsed.session).profile == {"method": "butler"}


def test_finals_are_scored_as_before_but_each_for_itself(client):
    section = scored_section(8, "howell", rounds=7)
    publishing.set_scoring_profile(section, {"unequal": "own-tops"}, by=None)

    _, [upper, _] = second(client, section, sit="finals")

    wanted = {"unequal": "own-tops", "scope": "section"}
    assert ScoringSettings.objects.get(session=upper.session).profile == wanted


def test_each_final_has_a_list_and_a_winner_of_its_own(client):
    section = scored_section(8, "howell", rounds=7)
    _, finals = second(client, section, sit="finals")
    for final in finals:
        by = director_of(final.club)
        choose_movement(final, "howell", boards_per_round=3, by=by)
        enter_by_chance(begun(Section.objects.get(pk=final.pk), 3))

    lists = ScoredSession(SessionSnapshot(Section.objects.get(pk=finals[0].pk))).main_lists

    assert [(ranking.section, len(ranking.standings)) for ranking in lists] == [("A", 4), ("B", 4)]
    shown = client.get(reverse("ranking", args=[finals[0].code])).content.decode()
    *most, last = [
        f"{ranking.section}{each.label}"
        for ranking in lists
        for each in ranking.standings
        if each.place in ("1", "1=")
    ]
    assert f": {', '.join(most)} and {last}</h1>" in " ".join(shown.split())


def test_the_text_of_a_final_is_in_the_order_of_the_list_and_has_its_totals(client):
    section = scored_section(8, "howell", rounds=7)
    _, finals = second(client, section, sit="finals")
    for seed, final in enumerate(finals):
        choose_movement(final, "howell", boards_per_round=3, by=director_of(final.club))
        enter_by_chance(begun(Section.objects.get(pk=final.pk), 3), seed)
    final = Section.objects.get(pk=finals[0].pk)
    publishing.set_scoring_profile(final, {"sessions": "sum", "scope": "section"}, by=None)

    lines = exported_file(final, "text").decode().splitlines()

    lists = ScoredSession(SessionSnapshot(final)).main_lists
    assert [line for line in lines if " %" in line] == [
        f"{row.place}. {row.names}, {row.row.overall:.2f} %"
        for ranking in lists
        for row in ranking.standings
    ]
    publishing.set_scoring_profile(
        final, {"sessions": "carry-forward", "scope": "section"}, by=None
    )
    first = ScoredSession(SessionSnapshot(final)).main_lists[0].standings[0]
    carried = exported_file(final, "text").decode()
    assert f"1. {first.names}, {first.row.overall:.2f} MP\n" in carried


def test_the_best_alone_play_on_as_seeds(client):
    section = scored_section(8, "howell", rounds=7)

    _, [final] = second(client, section, sit="best", best=4)

    assert [entry.names for entry in final.entries.order_by("position")] == names_in_order(section)[
        :4
    ]


def test_behind_a_final_of_the_best_all_others_play_a_consolation(client):
    section = scored_section(10, "howell", rounds=9)

    _, made = second(client, section, sit="consolation", best=4)

    found = [[entry.names for entry in x.entries.order_by("position")] for x in made]
    assert [(x.name, len(names)) for x, names in zip(made, found, strict=True)] == [
        ("A", 4),
        ("B", 6),
    ]
    assert found[0] + found[1] == names_in_order(section)


def test_single_players_bring_their_first_session_along_whoever_their_partners_were(client):
    section = scored_section(12, "individual", rounds=3, contest="individual")
    first = {
        standing.names: standing.row.percent
        for standing in ScoredSession(SessionSnapshot(section)).main_lists[0].standings
    }
    _, [again] = second(client, section, sit="ranking")
    begun(again, 3)
    enter_by_chance(again, seed=9)
    profile = {"sessions": "plain"}
    ScoringSettings.objects.update_or_create(session=again.session, defaults={"profile": profile})

    [together] = ScoredSession(SessionSnapshot(again)).main_lists

    for row in together.standings:
        mean = (first[row.names] + row.row.percent) / 2
        assert row.row.overall == pytest.approx(mean, abs=0.011)
    label = together.standings[0].contestant.slug
    page = client.get(reverse("score-sheet", args=[again.code, label])).content.decode()
    assert ">Partners<" in page


@pytest.mark.parametrize("sit", ["best", "consolation"])
def test_of_the_best_it_has_to_be_said_how_many(client, sit):
    section = scored_section(8, "howell", rounds=7)

    answer, made = second(client, section, sit=sit, best="")

    assert (answer.status_code, made) == (422, [])


@pytest.mark.parametrize("way", ["weighted", "plain", "sum", "carry-forward"])
def test_both_sessions_count_together_as_the_profile_says(client, way):
    section = scored_section(8, "howell", rounds=7)
    first = {
        standing.names: standing.row
        for standing in ScoredSession(SessionSnapshot(section)).main_lists[0].standings
    }
    _, [again] = second(client, section, sit="same")
    begun(again, 4)
    enter_by_chance(again, seed=9)
    alone = {
        standing.names: standing.row
        for standing in ScoredSession(SessionSnapshot(again)).main_lists[0].standings
    }
    assert all(row.overall is None for row in alone.values())

    ScoringSettings.objects.update_or_create(
        session=again.session, defaults={"profile": {"sessions": way}}
    )

    [together] = ScoredSession(SessionSnapshot(again)).main_lists
    for item in together.standings:
        was, now = first[item.names], alone[item.names]
        a, b = (row.total / row.top for row in (was, now))
        m, n = was.boards, now.boards
        wanted = {
            "weighted": 100 * (a * m + b * n) / (m + n),
            "plain": 100 * (a + b) / 2,
            "sum": 100 * (was.total + now.total) / (was.top + now.top),
            # half of the share before, of what can be had now board by board
            "carry-forward": now.total + a * m / 2 * now.top / n,
        }[way]
        assert item.row.overall == pytest.approx(wanted, abs=0.011)
    orders = [standing.row.overall for standing in together.standings]
    assert orders == sorted(orders, reverse=True)


def exactly(section):
    """Return all values of this session alone, by names."""
    listed = CountedResults(
        tonight := SessionSnapshot(section), tonight.session_only_document
    ).main_lists[0]
    return {standing.names: standing.row for standing in listed.standings}


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ({"method": "cross-imps"}, {"method": "cross-imps", "sessions": "sum"}),
        ({}, {"sessions": "sum"}),
        ({"preset": "ACBL"}, {"preset": "ACBL", "sessions": "sum"}),
        ({"preset": "ACBL"}, {"sessions": "sum"}),
        ({}, {"preset": "ACBL", "sessions": "sum"}),
        ({}, {"sessions": "plain"}),
        ({}, {"sessions": "sum", "vp": "swiss-pairs"}),  # of matches, which nobody plays here
    ],
)
def test_nothing_is_rounded_between_sessions_nor_weighs_half(client, then, now):
    section = scored_section(8, "howell", rounds=7)
    play = section.plays.exclude(ns=None).exclude(ew=None).first()
    enter_result(section, play.pk, {"not_played": "time"}, by=None)  # a board by Neuberg
    _, [again] = second(client, section, sit="same")
    again = begun(again, 7)
    enter_by_chance(again, seed=9)
    for each, profile in ((section, then), (again, now)):
        ScoringSettings.objects.update_or_create(
            session=each.session, defaults={"profile": profile}
        )
    was, alone = exactly(section), exactly(again)

    [together] = ScoredSession(SessionSnapshot(again)).main_lists

    for standing in together.standings:
        rows = (was[standing.names], alone[standing.names])
        if "method" in now:
            wanted = sum(Fraction(row.exact_total) for row in rows)
        elif now["sessions"] == "sum":  # the tops are the same a board, halves or not
            tops = [
                Fraction(row.top) * (2 if profile.get("preset") else 1)
                for row, profile in zip(rows, (then, now), strict=True)
            ]
            shares = [Fraction(row.exact) * top for row, top in zip(rows, tops, strict=True)]
            wanted = sum(shares) / sum(tops)
        else:
            wanted = sum(Fraction(row.exact) for row in rows) / 2
        assert Fraction(standing.row.exact) == wanted


@pytest.mark.parametrize(("then", "now"), [("butler", "matchpoints"), ("matchpoints", "butler")])
def test_imps_are_not_added_to_matchpoints(client, then, now):
    section = scored_section(8, "howell", rounds=7)
    ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"profile": {"method": then}}
    )
    _, [again] = second(client, section, sit="same")
    again = begun(again, 7)
    enter_by_chance(again, seed=9)
    profile = {"method": now, "sessions": "sum"}
    ScoringSettings.objects.update_or_create(session=again.session, defaults={"profile": profile})

    [listed] = ScoredSession(SessionSnapshot(again)).main_lists

    assert {standing.row.overall for standing in listed.standings} == {None}
    assert not listed.has_overall


def test_victory_points_of_two_swiss_of_pairs_are_added_up(client):
    section = swiss(8, rounds=2, boards_per_round=1)
    score(section, Random(1))
    was = exactly(section)
    _, [again] = second(client, section, sit="same")
    choose = {"rounds": 2, "boards_per_round": 1, "options": SWISS_PAIRS}
    choose_movement(again, "swiss", **choose, by=director_of(section.club))
    again = begun(Section.objects.get(pk=again.pk), 1)
    score(again, Random(2))
    ScoringSettings.objects.update_or_create(
        session=again.session, defaults={"profile": {"sessions": "sum"}}
    )
    alone = exactly(again)

    [together] = ScoredSession(SessionSnapshot(again)).main_lists

    assert [standing.row.overall for standing in together.standings] == [
        pytest.approx(was[standing.names].total + alone[standing.names].total)
        for standing in together.standings
    ]


def test_who_plays_with_somebody_else_brings_nothing_along(client):
    section = scored_section(8, "howell", rounds=7)
    _, [again] = second(client, section, sit="same")
    one, other = again.entries.order_by("position")[:2]
    mine, theirs = one.entry_people.get(position=2), other.entry_people.get(position=2)
    mine.person, theirs.person = theirs.person, mine.person
    theirs_person, theirs.person = theirs.person, section.club.people.create(name="Nobody Yet")
    theirs.save()
    mine.save()
    theirs.person = theirs_person
    theirs.save()
    begun(again, 2)
    enter_by_chance(again, seed=9)
    ScoringSettings.objects.update_or_create(
        session=again.session, defaults={"profile": {"sessions": "weighted"}}
    )

    with_earlier = [
        contestant
        for contestant in SessionSnapshot(again).document.session.contestants
        if contestant.earlier
    ]

    assert len(with_earlier) == 6


def test_how_sessions_count_together_is_asked_where_the_second_one_is_made(client):
    section = scored_section(8, "howell", rounds=7)
    client.force_login(director_of(section.club))
    address = reverse("copy-session", args=[section.code])
    asked = "half of what came before is carried forward"

    assert asked not in client.get(address).content.decode()
    assert asked in client.get(f"{address}?second=1").content.decode()
    _, [final] = second(client, section, sit="best", best=4, sessions="carry-forward")
    alone = second(client, section, sit="best", best=4, sessions="")[1][-1]

    profiles = {item.session_id: item.profile for item in ScoringSettings.objects.all()}
    assert profiles[final.session_id] == {"sessions": "carry-forward"}
    assert profiles[alone.session_id] == {}


def test_the_sum_over_sessions_is_headed_total_and_tonights_this_session(client):
    section = scored_section(8, "howell", rounds=7)
    publishing.set_scoring_profile(section, {"method": "butler"}, by=None)
    _, [again] = second(client, section, sit="same", sessions="sum")
    for round in range(1, again.movement.rounds + 1):
        enter_by_chance(begun(again, round))
    scoring = publishing.publish_results(again, by=None)

    for address in (
        reverse("ranking", args=[again.code]),
        reverse("public-results", args=[scoring.token]),
        reverse("print-preview", args=[again.code, "ranking"]),
    ):
        page = client.get(address).content.decode()
        head = [" ".join(text.split()) for text in re.findall(r"<t[hd][^>]*>([^<]+)</t[hd]>", page)]
        assert head.index("This session") < head.index("Total IMPs"), address
        assert "All sessions" not in head


def test_an_event_of_one_session_leads_to_its_desk(client):
    section = scored_section(8, "howell", rounds=7)
    client.force_login(director_of(section.club))

    answer = client.get(reverse("event", args=[section.code]))

    assert answer.headers["Location"] == reverse("desk", args=[section.code])


def test_an_evening_of_every_week_leads_to_its_desk(client):
    section = scored_section(8, "howell", rounds=7)
    weekly = scored_section(8, "howell", rounds=7, club=section.club)
    Session.objects.filter(pk=weekly.session_id).update(event=section.session.event_id)
    client.force_login(director_of(section.club))

    answer = client.get(reverse("event", args=[section.code]))

    assert answer.headers["Location"] == reverse("desk", args=[section.code])


def test_an_event_has_a_page_with_its_sessions(client):
    section = scored_section(8, "howell", rounds=7)
    _, [final] = second(client, section, sit="best", best=4)
    other = scored_section(6, "mitchell", rounds=3, club=section.club)
    Session.objects.filter(pk=other.session_id).update(event=final.session.event_id)
    assert final.session.event.name == "Final"
    named = client.get(reverse("event", args=[section.code])).content.decode()
    assert [name in named for name in ("Final,", section.session.event.name)] == [True, True]
    Event.objects.filter(pk=final.session.event_id).update(name="Club Championship")
    Session.objects.filter(pk=section.session_id).update(event=final.session.event_id)
    token = publishing.publish_results(section, by=None).token

    page = client.get(reverse("event", args=[final.code])).content.decode()

    assert re.findall(r">\s+(Session \d)\s+</a>", page) == ["Session 2", "Session 1"]
    assert "goes on from" in page
    assert reverse("ranking", args=[section.code]) in page
    assert reverse("ranking", args=[final.code]) not in page  # nothing is played yet
    assert reverse("public-results", args=[token]) in page
    assert other.code not in page


def test_of_a_long_event_so_many_sessions_are_carried_forward(client, monkeypatch):
    monkeypatch.setattr(earlier, "MOST_SESSIONS", 2)
    chain = [scored_section(4, "howell", rounds=1).session for _ in range(4)]
    for before, session in pairwise(chain):
        session.follows = before
        session.save()

    found = [earlier.sessions_before(session) for session in chain]

    assert found == [[], chain[:1], chain[:2], chain[1:3]]
