"""A knock-out from its first round to the final."""

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.models import Draw
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine import laws
from tests.director.reading import text
from tests.factories import section_with

from .test_draw import at  # noqa: F401

pytestmark = pytest.mark.django_db


def strength(section, ahead):
    """Enter results by which the team with the lower number wins each match; a level match has no winner."""
    section = Section.objects.get(pk=section.pk)
    plays = section.plays.filter(round=section.round, taken_back_at=None)
    results = []
    for play in plays:
        ns, ew = play.ns.contestant, play.ew.contestant
        score = 0 if {ns, ew} in ahead else 140 if ns < ew else -140
        results.append(EnteredResult(play.pk, {"score": score} if score else {"passed": True}))
    enter_results(section, results, by=None)


def met(section, round):
    movement = Section.objects.get(pk=section.pk).movement.movement
    matches = {frozenset(s.contestants) for s in movement.in_round(round)}
    return matches | {frozenset(t.teams) for t in movement.triangles if round in t.rounds}


def test_twelve_teams_play_triangles_then_eight_are_left_and_one_wins(at):  # noqa: F811
    section = section_with(12, contest="teams")
    page = at(section)
    page.post("choose-drawn", kind="knockout", boards=4, rounds="")
    page.post("next-round", after=0)
    assert {1, 8, 12} in [set(three) for three in met(section, 1)]

    for round, left in ((2, 8), (3, 4), (4, 2)):
        strength(section, [])
        proposed = page.get("draw")
        assert f"Who goes on to round {round}?" in text(proposed)
        assert page.press(proposed).status_code == 302
        page.post("next-round", after=round - 1)
        assert {item for match in met(section, round) for item in match} == set(range(1, left + 1))

    assert met(section, 4) == {frozenset((1, 2))}
    assert Draw.objects.count() == 3


def test_a_level_match_asks_for_more_boards_and_the_director_says_who_goes_on(at, client):  # noqa: F811
    section = section_with(4, contest="teams")
    page = at(section)
    page.post("choose-drawn", kind="knockout", boards=4, rounds="")
    page.post("next-round", after=0)
    strength(section, [{1, 4}])

    waiting = page.get("draw")
    assert "Level: add 2 extra boards, or choose the team that goes on." in text(waiting)
    assert "Lock and publish" not in text(waiting)

    chosen = page.get("draw", **{"through-1": "4", "through-2": "2"})
    assert page.press(chosen).status_code == 302
    assert met(section, 2) == {frozenset((2, 4))}
    phone = text(client.get(reverse("player", args=[section.code, "1"])))
    assert "Your matches are over." in phone
    assert "not drawn yet" not in phone
    kept = Draw.objects.get().decided
    assert kept[0]["through"] == [section.entries.get(contestant=4).pk]


def test_imps_are_carried_over_into_the_next_match(at):  # noqa: F811
    section = section_with(4, contest="teams")
    page = at(section)
    page.post("choose-drawn", kind="knockout", boards=4, rounds="")
    page.post("next-round", after=0)
    strength(section, [])
    page.press(page.get("draw"), **{"carry-1-2": "3,5", "carry-2-1": "12"})
    page.post("next-round", after=1)

    def final():
        found = ScoredSession(SessionSnapshot(Section.objects.get(pk=section.pk))).results.matches
        [last] = [match for match in found if match.round == 2]
        return {last.home: last.imps.home, last.away: last.imps.away}

    strength(section, [{1, 2}])

    assert final() == {"1": -8.5, "2": 8.5}


def test_without_results_the_director_says_who_goes_on(at):  # noqa: F811
    section = section_with(4, contest="teams")
    page = at(section)
    page.post("choose-drawn", kind="knockout", boards=4, rounds="")
    page.post("next-round", after=0)

    assert "The winner of this match is not known yet." in text(page.get("draw"))
    both = page.get("draw", **{"through-1": ["1", "4"], "through-2": "2"})
    assert "Lock and publish" not in text(both)
    assert page.press(page.get("draw", **{"through-1": "1", "through-2": "3"})).status_code == 302
    assert met(section, 2) == {frozenset((1, 3))}


def test_in_the_compact_form_who_has_lost_plays_on(at):  # noqa: F811
    section = section_with(8, contest="teams")
    page = at(section)
    page.post("choose-drawn", kind="knockout", boards=4, rounds="", losers="1")
    page.post("next-round", after=0)

    expected = {  # the team with the lower number always wins
        2: ({(1, 4), (2, 3)}, {(5, 8), (6, 7)}),
        3: ({(1, 2)}, {(3, 4), (5, 6), (7, 8)}),
    }
    for round, (title, beside) in expected.items():
        strength(section, [])
        proposed = page.get("draw")
        assert "consolation" in text(proposed)
        assert page.press(proposed).status_code == 302
        assert met(section, round) == {frozenset(two) for two in title | beside}
        page.post("next-round", after=round - 1)

    shown = text(page.get("draw", round="3"))
    assert "third place" in shown
    assert shown.count("consolation") == 2
    assert not laws.find_violations(Section.objects.get(pk=section.pk).movement.movement)


def test_of_an_odd_number_who_lost_nobody_is_told_to_go_home(at, client):  # noqa: F811
    section = section_with(5, contest="teams")
    page = at(section)
    page.post("choose-drawn", kind="knockout", boards=4, rounds="", losers="1")
    page.post("next-round", after=0)
    strength(section, [])

    assert page.press(page.get("draw")).status_code == 302

    assert sorted(map(len, met(section, 2))) == [2, 3]
    for team in range(1, 6):
        phone = text(client.get(reverse("player", args=[section.code, str(team)])))
        assert "Your matches are over." not in phone


def test_the_higher_seeded_choose_their_opponents_by_exchanging(at):  # noqa: F811
    section = section_with(8, contest="teams")
    page = at(section)
    page.post("choose-drawn", kind="knockout", boards=4, rounds="")
    page.post("next-round", after=0)
    strength(section, [])
    through = {"through": ["1", "2", "3", "4"]}

    chosen = page.get("draw", **through, one="4", other="3")  # 1 would rather have 3
    assert page.press(chosen).status_code == 302

    assert met(section, 2) == {frozenset((1, 3)), frozenset((2, 4))}
    kept = Draw.objects.get()
    assert kept.exchanged == [
        [section.entries.get(contestant=number).pk for number in (4, 3)],
    ]
