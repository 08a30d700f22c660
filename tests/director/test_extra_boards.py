"""A level match of a knock-out goes on with extra boards, by which it is decided."""

from collections import Counter

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import User
from bridgebuddy.director.desk.log import latest_events
from bridgebuddy.events.errors import (
    CannotGoBack,
    ChangeRefused,
    NoSuchProposal,
    NotRunning,
    SectionChanged,
)
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.home_tables import evening_at_home_tables
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.play.line_up import seat_team
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.errors import NotLevel
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.draws.extra_boards import add_extra_boards, take_back_extra_boards
from bridgebuddy.scoring.services.publishing import play_same_cards
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.director.reading import text
from tests.events.states import different, world
from tests.factories import ClubFactory, director_of, section_with

from .test_draw import at  # noqa: F401
from .test_knockout import strength

pytestmark = pytest.mark.django_db


def now(section):
    return Section.objects.get(pk=section.pk)


def entries(section, *numbers):
    return [section.entries.get(contestant=number).pk for number in numbers]


def level(at, teams=4, level=((1, 4),), **sent):  # noqa: F811
    """Play the first round of a knock-out in which some matches end level; return its section and pages."""
    section = section_with(teams, contest="teams")
    page = at(section)
    boards = {"boards": 4, "cards": "shuffled", "numbers": "again"}
    page.post("choose-drawn", kind="knockout", rounds="", **boards | sent)
    page.post("next-round", after=0)
    strength(section, [set(two) for two in level])
    return now(section), page


def add(section, one=1, other=4, boards=2, **said):
    said = {"plan": now(section).plan, "by": User.objects.first(), **said}
    return add_extra_boards(section, *entries(section, one, other), boards=boards, **said)


def take_back(section, one=1, other=4, round=1, **said):
    said = {"plan": now(section).plan, "by": User.objects.first(), **said}
    return take_back_extra_boards(section, round, *entries(section, one, other), **said)


def extra(section, *boards):
    found = now(section).plays.filter(board__in=boards, taken_back_at=None)
    return sorted(found.values_list("table", "board", "ns__contestant", "ew__contestant"))


def score(section, *boards, ns=0):
    """Let a team (by its number) win some boards at both tables; all are passed out without it."""
    plays = now(section).plays.filter(board__in=boards, taken_back_at=None)
    enter_results(
        section,
        [
            EnteredResult(
                play.pk,
                {"score": 140 if play.ns.contestant == ns else -140} if ns else {"passed": True},
            )
            for play in plays
        ],
        by=None,
    )


def ties(section):
    knockout = KnockOut(ScoredSession(SessionSnapshot(now(section))), now(section))
    return [tie.numbers_by_score for tie in knockout.ties]


def test_the_director_adds_boards_on_the_page_of_the_match_and_who_wins_them_goes_on(at, client):  # noqa: F811
    section, page = level(at)
    the_match = reverse("match", args=[section.code, 1, "1", "4"])
    assert the_match in page.get("draw").content.decode()
    shown = client.get(the_match)
    assert "Let both teams play more boards." in text(shown)
    assert "Let both teams play more boards." not in text(
        client.get(the_match.replace("1/4", "2/3"))
    )

    more = reverse("extra-boards", args=[section.code, 1, "1", "4"])
    sent = {"boards": 2, "plan": section.plan}
    answer = client.post(more, sent, follow=True)
    client.post(more, sent)  # pressed twice

    assert extra(section, 5, 6, 7, 8) == [(1, 5, 1, 4), (1, 6, 1, 4), (4, 5, 4, 1), (4, 6, 4, 1)]
    assert "Extra boards: 5–6." in text(answer)
    assert ties(section) == [(), (2,)]
    score(section, 5, 6, ns=4)
    assert ties(section) == [(4,), (2,)]
    assert page.press(page.get("draw")).status_code == 302
    met = [set(s.contestants) for s in now(section).movement.movement.in_round(2)]
    assert met == [{4, 2}]
    assert "1 : 4" not in text(client.get(the_match))


def test_who_is_level_once_more_plays_on(at):  # noqa: F811
    section, _page = level(at)
    add(section)
    score(section, 5, 6)
    assert ties(section) == [(), (2,)]

    add(section, boards=1)
    assert extra(section, 7) == [(1, 7, 1, 4), (4, 7, 4, 1)]
    assert ties(section) == [(), (2,)]
    score(section, 7, ns=1)

    assert ties(section) == [(1,), (2,)]


def test_the_boards_that_were_added_last_are_taken_back_first(at):  # noqa: F811
    section, _page = level(at)
    add(section)
    score(section, 5, 6)
    add(section, boards=1)

    take_back(section)

    assert extra(section, 5, 6, 7) == [(1, 5, 1, 4), (1, 6, 1, 4), (4, 5, 4, 1), (4, 6, 4, 1)]
    assert [each["boards"] for each in now(section).extra_boards] == [[5, 6]]


def test_phones_and_tables_of_the_match_show_the_boards_and_no_others_do(at, client):  # noqa: F811
    section, _page = level(at)
    add(section)

    phones = {
        team: text(client.get(reverse("player", args=[section.code, str(team)])))
        for team in (1, 2, 3, 4)
    }
    tables = evening_at_home_tables(SessionEvening(now(section))).games[1]

    assert "Extra boards 5" in phones[1]
    assert "Extra boards 6" in phones[1]
    assert "then 6 from table 4" in phones[1]
    assert {team for team, shown in phones.items() if "Extra boards" in shown} == {1, 4}
    assert {game.table: game.half_texts for game in tables} == {
        1: ("1–2", "3–4", "5", "6"),
        2: ("1–2", "3–4"),
        3: ("3–4", "1–2"),
        4: ("3–4", "1–2", "6", "5"),
    }
    chairs = now(section).plays.filter(board=5, table=1).values_list("north", "east")
    assert chairs.get() == section.plays.filter(board=1, table=1).values_list("north", "east").get()


def test_who_sits_there_after_half_time_plays_the_extra_boards_and_the_halves_stay(at):  # noqa: F811
    section, _page = level(at)
    team = section.entries.get(contestant=1)
    north, south, east, west = (person.name for person in team.players)
    seat_team(team, [east, south, north, west], from_round=1, half=2, by=User.objects.first())
    add(section)

    plays = now(section).plays.filter(table=1, taken_back_at=None).order_by("board")
    assert [str(play.north) for play in plays] == [north, north, east, east, east, east]


def test_adding_and_taking_back_change_the_match_alone_and_are_recorded(at):  # noqa: F811
    section, _page = level(at)
    other = ClubFactory()
    section_with(6, "mitchell", round=2, club=other, by=director_of(other))
    before = world()

    add(section)

    after = world()
    was, is_now = before["Section"][section.pk], after["Section"][section.pk]
    assert {name for name in was if was[name] != is_now[name]} == {"plan", "shown", "extra_boards"}
    assert (is_now["plan"], is_now["shown"]) == (was["plan"] + 1, was["shown"] + 1)
    touched = Counter((model, old is None) for model, old, _ in different(before, after))
    assert touched == {("Section", False): 1, ("AuditRecord", True): 1, ("Play", True): 4}

    take_back(section)

    assert extra(section, 5, 6) == []
    assert now(section).extra_boards == []
    assert now(section).plan == was["plan"] + 2
    told = list(AuditRecord.objects.filter(action__startswith="section.extra").order_by("pk"))
    assert [record.action for record in told] == [
        "section.extra_boards",
        "section.extra_boards_back",
    ]
    told = [line.sentence for line in latest_events(now(section))]
    assert "is level in round 1: 2 extra boards." in told[1]
    assert "the extra boards were taken back." in told[0]


def test_a_list_that_was_final_is_a_revised_one_with_either(at):  # noqa: F811
    section, _page = level(at)
    ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"final_at": timezone.now(), "revision": 1}
    )

    add(section)
    added = ScoringSettings.objects.get(session=section.session).revision
    take_back(section)

    assert (added, ScoringSettings.objects.get(session=section.session).revision) == (2, 3)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"one": 2, "other": 3}, NotLevel),
        ({"one": 1, "other": 2}, NotLevel),
        ({"boards": 0}, NoSuchProposal),
        ({"boards": 33}, NoSuchProposal),
        ({"plan": 1}, SectionChanged),
    ],
)
def test_more_boards_are_refused_where_they_decide_nothing(at, said, why):  # noqa: F811
    section, _page = level(at)
    before = world()

    with pytest.raises(why):
        add(section, **said)

    assert list(different(before, world())) == []


def test_more_boards_need_every_result_and_a_round_that_is_played_last(at):  # noqa: F811
    section, page = level(at)
    add(section)
    with pytest.raises(NotLevel):
        add(section)  # they are still to be played
    score(section, 5, 6)
    chosen = page.get("draw", **{"through-1": "4", "through-2": "2"})
    assert page.press(chosen).status_code == 302
    with pytest.raises(NotLevel):
        add(section)  # the director has said who goes on
    with pytest.raises(CannotGoBack):
        take_back(section)  # they have results

    rounds.finish_session(now(section), round=1, by=User.objects.first())
    with pytest.raises(NotRunning):
        add(section)


def test_no_other_contest_has_extra_boards():
    section = section_with(4, "team-round-robin", contest="teams", round=1)

    with pytest.raises(ChangeRefused):
        add(section, 1, 2)


def test_boards_that_were_not_played_after_all_are_taken_back_later(at):  # noqa: F811
    section, page = level(at)
    add(section)
    page.press(page.get("draw", **{"through-1": "4", "through-2": "2"}))
    page.post("next-round", after=1)

    take_back(section)

    assert extra(section, 5, 6) == []
    assert now(section).plays.filter(taken_back_at=None, round=1).count() == 16


def test_a_start_that_is_taken_back_comes_again_with_its_extra_boards(at):  # noqa: F811
    section, page = level(at)
    add(section)
    score(section, 5, 6, ns=1)

    page.post("back", after=1)
    assert extra(section, 5, 6) == []
    page.post("next-round", after=0)

    assert ties(section) == [(1,), (2,)]


def test_of_a_level_triangle_those_play_on_of_whom_one_has_to_go(at):  # noqa: F811
    section, page = level(at, teams=12, level=[(1, 8), (1, 12), (8, 12)])
    assert text(page.get("draw")).count("Extra boards:") == 3
    add(section, 8, 12)

    mine = [item for item in extra(section, 3, 4) if {item[2], item[3]} == {8, 12}]
    assert mine == [(8, 3, 8, 12), (8, 4, 8, 12), (12, 3, 12, 8), (12, 4, 12, 8)]
    plays = now(section).plays.filter(ns__contestant=8, ew__contestant=12, board=3)
    enter_results(section, [EnteredResult(play.pk, {"score": 140}) for play in plays], by=None)
    left = now(section).plays.filter(results=None, taken_back_at=None)
    enter_results(section, [EnteredResult(play.pk, {"passed": True}) for play in left], by=None)

    assert [set(two) for two in ties(section) if 12 in two or 8 in two] == [{1, 8}]


def test_where_a_round_has_the_same_cards_extra_boards_are_compared_in_their_match_alone(at):  # noqa: F811
    section, _page = level(at, level=[(1, 4), (2, 3)])
    play_same_cards(section, is_same=True, by=None)
    add(section, 1, 4)
    add(section, 2, 3)
    score(section, 5, 6)

    fields = ScoredSession(SessionSnapshot(now(section))).results.boards

    assert {field.board: field.results for field in fields} == {1: 4, 2: 4, 3: 4, 4: 4, 5: 2, 6: 2}
    assert ties(section) == [(), ()]


def test_the_final_is_decided_by_extra_boards_too(at):  # noqa: F811
    section, page = level(at, level=())
    page.press(page.get("draw"))
    page.post("next-round", after=1)
    strength(section, [{1, 2}])

    def places():
        [ranking] = ScoredSession(SessionSnapshot(now(section))).main_lists
        return {standing.row.contestant: standing.row.place for standing in ranking.standings}

    assert places() == {"1": "1=", "2": "1=", "3": "3=", "4": "3="}
    add(section, 1, 2)
    score(now(section), 5, 6, ns=2)

    assert places() == {"1": "2", "2": "1", "3": "3=", "4": "3="}


def test_where_boards_are_duplicated_a_match_goes_on_with_boards_that_no_round_has(at):  # noqa: F811
    section, _page = level(at, cards="duplicated", numbers="on")

    add(section)

    assert [board for _table, board, *_ in extra(section, *range(5, 20))] == [9, 10, 9, 10]


def test_extra_boards_leave_those_free_that_a_later_triangle_will_have(at):  # noqa: F811
    """Of ten teams six go on, and play two triangles in the second round."""
    sent = {"cards": "duplicated", "numbers": "on"}
    section, page = level(at, teams=10, level=(), **sent)
    home, away = sorted(section.movement.movement.in_round(1)[0].contestants)
    strength(section, [{home, away}])

    add(section, home, away)
    more = now(section).extra_boards[0]["boards"]
    score(section, *more, ns=home)
    assert page.press(page.get("draw")).status_code == 302
    page.post("next-round", after=1)

    section = now(section)
    assert [t.rounds for t in section.movement.movement.triangles].count((2,)) == 2
    boards = {*section.plays.filter(round=2, taken_back_at=None).values_list("board", flat=True)}
    assert max(boards) > section.boards_of_matches.beyond
    assert not boards & {*more}
