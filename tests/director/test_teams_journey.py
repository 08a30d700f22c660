"""Eight teams play a round robin: line-ups, IMPs, victory points and Butler, worked out a second time."""

from math import sqrt

import pytest
from django.urls import reverse

from bridgebuddy.events.services.play import line_up
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.butler import TeamPairs
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.outcomes import read_outcome
from bridgebuddy.scoring.rules.points import single_score
from bridgebuddy.scoring.rules.reports.results import MatchSides
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import begun, director_of, section_with
from tests.scoring.test_tonight import enter_by_chance

pytestmark = pytest.mark.django_db
BOARDS = 4
STEPS = (20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600)
STEPS += (750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000)


@pytest.fixture
def section():
    section = section_with(8, "team-round-robin", contest="teams", boards_per_round=BOARDS)
    by = director_of(section.club)
    first = section.entries.get(contestant=1)
    names = [person.name for person in first.players]
    new = [names[0], "Eve Five", "Fay Six", names[3]]
    line_up.seat_team(first, new, from_round=3, until_round=5, by=by)
    second = section.entries.get(contestant=2)
    n, s, e, w = (person.name for person in second.players)
    line_up.seat_team(second, [n, e, s, w], from_round=6, until_round=6, half=2, by=by)
    section = begun(type(section).objects.get(pk=section.pk), 7)
    enter_by_chance(section, seed=5)
    return section


def imps(difference):
    won = sum(abs(difference) >= step for step in STEPS)
    return won if difference > 0 else -won


def points(play):
    """North-South's score of a play, from its contract."""
    outcome = play.results.get(stands=True).outcome
    return single_score(play.board, read_outcome(outcome, play.board))


def recounted(section):
    """IMPs of every match, by its round and teams, as the first of them has it."""
    found = {}
    for play in section.plays.select_related("ns", "ew"):
        one, other = play.ns.contestant, play.ew.contestant
        key = play.round, min(one, other), max(one, other)
        sign = 1 if one == key[1] else -1
        found.setdefault(key, {}).setdefault(play.board, []).append(sign * points(play))
    return {key: sum(imps(sum(both)) for both in boards.values()) for key, boards in found.items()}


def victory_points(margin, boards):
    """WBF, continuous: the formula; the table corrects a few of its cells by 0.01."""
    ratio = ((sqrt(5) - 1) / 2) ** 3
    blitz = 15 * sqrt(boards)
    share = (1 - ratio ** (min(abs(margin), blitz) / blitz)) / (1 - ratio)
    return round(10 + 10 * share, 2) if margin >= 0 else round(10 - 10 * share, 2)


def butlers(section):
    """IMPs of every pair against the mean of its round's and board's scores, without the ends."""
    found = {}
    plays = list(section.plays.select_related("north", "south", "east", "west"))
    fields = {}
    for play in plays:
        fields.setdefault((play.round, play.board), []).append(play)
    for tables in fields.values():
        scores = sorted(points(play) for play in tables)
        assert len(scores) == 8
        mean = sum(scores[1:-1]) / 6
        tens = int(abs(mean) / 10 + 0.5) * 10
        datum = tens if mean > 0 else -tens
        for play in tables:
            worth = imps(points(play) - datum)
            for pair, value in (
                ((play.north, play.south), worth),
                ((play.east, play.west), -worth),
            ):
                mine = found.setdefault(frozenset(row.name for row in pair), [])
                mine.append(value)
    return found


def test_a_round_robin_with_line_ups_is_scored_as_anybody_would(client, section):
    client.force_login(director_of(section.club))

    def page(name, *args, **query):
        answer = client.get(reverse(name, args=[section.code, *args]), query)
        assert answer.status_code == 200
        return " ".join(answer.content.decode().split())

    answer = client.post(
        reverse("results-profile", args=[section.code]),
        {"method": "team-imps", "vp": "wbf-continuous"},
    )
    assert answer.status_code == 302
    client.post(reverse("same-cards", args=[section.code]), {"same": 1})

    scored = ScoredSession(SessionSnapshot(section))
    matches = TeamMatches(scored)
    by_hand = recounted(section)
    totals = dict.fromkeys(range(1, 9), 0)
    assert len(matches.all) == len(by_hand) == 28
    for match in matches.all:
        one, other = sorted((match.home.number, match.away.number))
        net = by_hand[match.round, one, other] * (1 if match.home.number == one else -1)
        assert match.net == MatchSides(net, -net)
        assert match.score.home == pytest.approx(victory_points(net, BOARDS), abs=0.0101)
        assert match.score.home + match.score.away == pytest.approx(20)
        for team in (match.home, match.away):
            totals[team.number] += match.score_of_team(team)
    table = {item.team.number: item.row.total for item in matches.table}
    assert table == pytest.approx(totals)
    assert list(table.values()) == sorted(table.values(), reverse=True)

    pairs = TeamPairs(scored)
    by_pair = {frozenset(row.pair.split(" & ")): row for row in pairs.rows}
    expected = butlers(section)
    assert by_pair.keys() == expected.keys()
    # two pairs a team, two more of the team of six, and two of one that changed at half-time
    assert len(by_pair) == 20
    for pair, values in expected.items():
        assert (by_pair[pair].boards, by_pair[pair].total) == (len(values), sum(values))

    leader = matches.table[0].team.surnames
    assert f"Winners: {leader}" in page("ranking")
    match = next(match for match in matches.all if match.round == 4 and 1 in (match.home.number,))
    told = page("match", match.round, match.home.slug, match.away.slug)
    assert "Eve Five" in told or "Fay Six" in told
    half = next(
        match
        for match in matches.all
        if match.round == 6 and 2 in (match.home.number, match.away.number)
    )
    told = page("match", half.round, half.home.slug, half.away.slug)
    assert "(Boards 1–2)" in told
    assert "(Boards 3–4)" in told
    assert f"{pairs.rows[0].pair.replace('&', '&amp;')} played best" in page("butler")
    assert ScoringSettings.objects.get().same_cards


def test_other_methods_count_the_same_boards(client, section):
    client.force_login(director_of(section.club))
    address = reverse("results-profile", args=[section.code])

    client.post(address, {"method": "pab", "vp": "wbf-continuous"})

    scored = ScoredSession(SessionSnapshot(section))
    assert scored.tonight.scoring.profile == {"method": "bam", "bam": [2, 1, 0]}
    assert sum(item.row.total for item in TeamMatches(scored).table) == 28 * BOARDS * 2
    client.post(address, {"method": "bam"})
    scored = ScoredSession(SessionSnapshot(section))
    assert sum(item.row.total for item in TeamMatches(scored).table) == 28 * BOARDS
    client.post(address, {"method": "aggregate"})
    assert (
        sum(item.row.total for item in TeamMatches(ScoredSession(SessionSnapshot(section))).table)
        == 0
    )


def test_the_line_up_says_who_of_six_rests_in_which_rounds(client, section):
    client.force_login(director_of(section.club))
    team = section.entries.get(contestant=1)
    four = [person.name for person in team.players]

    page = client.get(reverse("line-up", args=[section.code, team.pk]))

    away = {round.round: round.rests for round in page.context["rounds"]}
    rest = {3: ", ".join(sorted(four[1:3])), 1: "Eve Five, Fay Six"}
    assert away == {round: rest[3 if 3 <= round <= 5 else 1] for round in range(1, 8)}
    assert "Rests" in page.content.decode()
