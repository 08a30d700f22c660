"""A knock-out with departed teams: the opponent of such a team goes on, on pages and by the command."""

import pytest

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.players.room_display.room import RoomDisplay
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.draws.drawing import publish_draw
from bridgebuddy.scoring.snapshot.drawn_rounds import title_teams
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import PairLeaves
from tests.factories import director_of, section_with
from tests.proofs.documents import as_json

from .test_knockout_places import places, win
from .test_one_draw import command_draw, page_draw

pytestmark = pytest.mark.django_db

BY = dict.fromkeys(range(1, 17), 140)


def started(teams, *, compact=False, seeded=True, round=1):
    options = {"seeded": seeded} | ({"compact": True} if compact else {})
    return section_with(teams, "knockout", round=round, contest="teams", options=options)


def leave(section, team):
    """Let a team leave; nothing is asked of the director but that."""
    [way, *_] = changes.change_options(section, PairLeaves(team))
    changes.take_proposal(
        section, way, PairLeaves(team), plan=section.plan, by=director_of(section.club)
    )
    section.refresh_from_db()


def drawing_of(section):
    tonight = SessionSnapshot(Section.objects.get(pk=section.pk))
    return KnockOut(ScoredSession(tonight), tonight.section)


def publish(section):
    """Draw the next round as pages do, and hold it against the command."""
    drawing = drawing_of(section)
    matches, triangles, bye, _ = command_draw(as_json(drawing.scored.document))
    assert page_draw(drawing.exchanged_draw, []) == (matches, triangles, bye, [])
    publish_draw(
        section, drawing.wishes, key=drawing.key, plan=section.plan, by=director_of(section.club)
    )
    section.refresh_from_db()


def start(section):
    start_next_round(section, after=section.round, by=director_of(section.club))
    section.refresh_from_db()


def in_title(section, round):
    numbers = {entry.pk: entry.contestant for entry in section.entries.all()}
    return {numbers[entry] for entry in title_teams(section).get(round, ())}


def to_the_end(section, leaver, when):
    """Play a knock-out in which a team leaves; return its opponent then, and the list.

    `when` is the round, and whether it leaves before its match ("drawn") or during it ("playing").
    """
    round, moment = when
    opponents = set()
    while True:
        if section.round == round - 1 and moment == "drawn":
            opponents = opponents_of(section, leaver, round)
            leave(section, leaver)
        start(section)
        if section.round == round and moment == "playing":
            opponents = opponents_of(section, leaver, round)
            leave(section, leaver)
        win(section, dict.fromkeys(BY, 140))
        if not section.stored.open_rounds:
            return opponents, places(section)
        if drawing_of(section).is_over:
            return opponents, places(section)
        publish(section)


def opponents_of(section, team, round):
    movement = section.stored.movement
    groups = [s.contestants for s in movement.in_round(round) if s.is_played]
    groups += [t.teams for t in movement.triangles if round in t.rounds]
    return {other for group in groups if team in group for other in group} - {team}


@pytest.mark.parametrize("compact", [False, True])
def test_a_team_whose_opponent_leaves_after_the_draw_goes_on(compact):
    section = started(8, compact=compact)
    win(section, BY)
    publish(section)
    leave(section, 4)
    start(section)
    win(section, BY)

    drawing = drawing_of(section)
    assert (1, 2) in drawing.exchanged_draw.matches
    publish(section)

    assert in_title(section, 3) == {1, 2}
    [*_, semi_final, _final] = RoomDisplay(section).bracket
    assert semi_final.through == {1, 2}


def test_two_rounds_later_a_team_that_had_nobody_to_meet_is_no_loser():
    section = started(16, compact=True)
    win(section, BY)
    publish(section)
    leave(section, 8)  # was to meet team 1
    start(section)
    win(section, BY)
    publish(section)
    assert in_title(section, 3) == {1, 2, 3, 4}
    start(section)
    win(section, BY)
    publish(section)

    assert in_title(section, 4) == {1, 2}


def test_the_opponent_of_a_finalist_that_leaves_has_won():
    section = started(4)
    win(section, BY)
    publish(section)
    leave(section, 1)

    assert places(section)[:2] == [("1", "2"), ("2", "1")]


def test_a_team_that_goes_home_is_behind_the_teams_that_play_on_for_its_place():
    section = started(8, compact=True)
    win(section, BY)
    leave(section, 8)
    publish(section)
    start(section)
    win(section, BY)
    publish(section)
    start(section)
    win(section, BY)

    assert [label for _place, label in places(section)] == list("12345678")


def test_a_final_that_nobody_is_left_to_play_is_not_drawn():
    section = started(8)
    win(section, BY)
    publish(section)
    for team in (4, 2, 3):
        leave(section, team)

    drawing = drawing_of(section)
    assert drawing.is_over
    assert [team.number for team in drawing.winners] == [1]


def test_of_seven_teams_two_go_on_from_the_triangle_whoever_has_left_elsewhere():
    """Six and five teams are in matches: with those of a match gone, five teams play, of which one would go on."""
    section = section_with(7, "knockout", contest="teams", options={"seeded": True})
    assert opponents_of(section, 6, 1) == {1}
    leave(section, 6)
    start(section)
    win(section, BY)

    drawing = drawing_of(section)

    assert sorted(drawing.exchanged_draw.contestants) == [1, 2, 3, 4]


CASES = [
    (5, True, (1, "drawn"), 5),
    (7, False, (1, "playing"), 4),
    (9, True, (2, "drawn"), 3),
    (12, False, (1, "drawn"), 12),
    (13, True, (2, "playing"), 2),
]


@pytest.mark.parametrize(("teams", "compact", "when", "leaver"), CASES)
def test_whoever_leaves_the_best_of_the_others_wins(teams, compact, when, leaver):
    section = section_with(
        teams,
        "knockout",
        contest="teams",
        options={"seeded": True} | ({"compact": True} if compact else {}),
    )

    _opponents, listed = to_the_end(section, leaver, when)

    assert listed[0] == ("1", "1")
