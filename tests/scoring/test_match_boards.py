"""Teams with duplicated boards: plays follow the plan, all tables are compared, numbers go on."""

import random

import pytest
from django.urls import reverse

from bridgebuddy.events.errors import AlreadyStarted, NotSeated
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.events.services.setup.movement import BoardsWished, choose_movement, number_matches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import travellers_of_board
from bridgebuddy.scoring.services.cards.deals import store_deals
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.director.reading import text
from tests.factories import director_of, section_with

from .test_drawing import publish, score
from .test_files_of_contests import games_of

pytestmark = pytest.mark.django_db


def duplicated(teams, family="swiss", rounds=4, boards=6, wished=None, **options):
    section = section_with(teams, contest="teams")
    by = director_of(section.club)
    return choose_movement(
        section,
        family,
        rounds=rounds,
        boards_per_round=boards,
        options=options,
        matches=wished or BoardsWished(),
        by=by,
    )


def at_tables(section, round):
    """Return the boards at each table of a round, part by part, from the plan."""
    games = SectionPlan(SessionEvening(section)).evening.games.get(round, ())
    return {(game.table, game.part): game.boards for game in games if game.is_played}


def played_in(section, round):
    plays = section.plays.filter(round=round, taken_back_at=None).order_by("board")
    found = {}
    for play in plays:
        found.setdefault((play.table, play.part), []).append(play.board)
    return {place: tuple(boards) for place, boards in found.items()}


def test_the_plan_says_before_a_round_begins_what_is_played_in_it():
    section = duplicated(9)
    by, rng = director_of(section.club), random.Random(1)
    for round in (1, 2):
        planned = at_tables(section, round)
        start_next_round(section, after=round - 1, by=by)
        section.refresh_from_db()

        assert played_in(section, round) == planned
        score(section, rng)
        if round == 1:
            publish(section, by)

    in_triangle = {boards for (table, part), boards in planned.items() if len(boards) == 3}
    assert in_triangle == {(7, 8, 9), (10, 11, 12), (25, 26, 27)}
    assert {boards for boards in planned.values() if len(boards) == 6} == {tuple(range(7, 13))}


def test_all_tables_of_a_round_are_compared_and_no_board_hangs_under_anothers_deal():
    section = duplicated(8)
    by, rng = director_of(section.club), random.Random(1)
    start_next_round(section, after=0, by=by)
    section.refresh_from_db()
    score(section, rng)
    publish(section, by)
    start_next_round(section, after=1, by=by)
    section.refresh_from_db()
    score(section, rng)

    scored = ScoredSession(SessionSnapshot(section))

    told = {(board.board, sum(x.count for x in board.frequency)) for board in scored.results.boards}
    assert told >= {(board, 8) for board in range(1, 13)}
    assert len({scored.tonight.cards_of(line) for line in scored.tonight.lines}) == 12


def test_shuffled_boards_are_compared_with_the_other_table_alone():
    section = duplicated(8, wished=BoardsWished(is_duplicated=False, first=5, goes_on=False))
    start_next_round(section, after=0, by=director_of(section.club))
    section.refresh_from_db()

    tonight = SessionSnapshot(section)

    assert {line.board for line in tonight.lines} == set(range(5, 11))
    assert len({tonight.cards_of(line) for line in tonight.lines}) == 4 * 6


def test_boards_are_chosen_before_the_start_and_where_there_are_matches():
    section = duplicated(8)
    by = director_of(section.club)

    number_matches(section, BoardsWished(first=17), by=by)
    section.refresh_from_db()
    assert at_tables(section, 1)[1, 1] == tuple(range(17, 23))

    start_next_round(section, after=0, by=by)
    with pytest.raises(AlreadyStarted):
        number_matches(section, BoardsWished(), by=by)
    with pytest.raises(NotSeated):
        number_matches(section_with(8, "howell"), BoardsWished(), by=by)


def test_sessions_from_before_keep_their_boards():
    section = section_with(9, "swiss", contest="teams", boards_per_round=6, rounds=4)

    assert {*at_tables(section, 1).values()} == {(1, 2, 3, 4, 5, 6), (1, 2, 3)}


@pytest.mark.parametrize("family", ["team-round-robin", "new-england-relay", "mitchell-teams"])
def test_a_team_has_the_number_of_its_place_on_the_list(family):
    section = section_with(6, family, contest="teams")

    seats = section.entries.order_by("position").values_list("position", "contestant")
    assert list(seats) == [(number, number) for number in range(1, 7)]


@pytest.mark.parametrize(
    ("segments", "low", "high"),
    [
        (1, ("1–8",), ("1–8",)),
        (2, ("1–4", "5–8"), ("5–8", "1–4")),
        (4, ("1–2", "3–4", "5–6", "7–8"), ("3–4", "1–2", "7–8", "5–6")),
    ],
)
def test_boards_are_exchanged_between_segments(segments, low, high):
    section = duplicated(4, boards=8, wished=BoardsWished(segments=segments), rounds=2)

    first, second = (
        next(
            game
            for game in SectionPlan(SessionEvening(section)).evening.games[1]
            if game.table == table
        )
        for table in (1, 3)
    )

    assert (first.half_texts, second.half_texts) == (low, high)
    assert first.first_half == (1, 2, 3, 4)
    assert second.first_half == ((5, 6, 7, 8) if segments == 2 else (1, 2, 3, 4))


def test_desk_phones_and_labels_say_when_boards_are_exchanged_in_quarters(client):
    section = duplicated(4, boards=8, wished=BoardsWished(segments=4), rounds=2)
    by = director_of(section.club)
    start_next_round(section, after=0, by=by)
    client.force_login(by)

    desk = text(client.get(reverse("desk", args=[section.code])))
    assert "In the middle of each half the two tables of a match exchange their boards." in desk
    assert "1–2 , then 3–4, 5–6, 7–8" in desk
    phone = text(client.get(reverse("player", args=[section.code, "3"])))
    assert "then 1–2, 7–8, 5–6: in each half exchanged with table 1" in phone
    labels = text(client.get(reverse("print-preview", args=[section.code, "board-labels"])))
    assert "Boards 1–2 Begins at table 1 In the middle of the half to table 3" in labels
    assert "Boards 7–8 From half-time on at table 3 In the middle of the half to table 1" in labels
    cards = text(client.get(reverse("print-preview", args=[section.code, "table-cards"])))
    assert "in the middle of each half exchange them" in cards


def test_what_is_shuffled_at_one_table_is_exchanged(client):
    section = duplicated(8)
    client.force_login(director_of(section.club))

    answer = client.post(
        reverse("match-boards", args=[section.code]), {"cards": "shuffled", "segments": "1"}
    )

    assert answer.status_code == 422
    assert "Boards shuffled at one table must also be played at the other table." in text(answer)


RANKS = "AKQJT98765432"


def dealt(board):
    """Return the cards of a board, each of its own, as PBN writes them from North on."""
    cards = [(suit, rank) for suit in range(4) for rank in RANKS]
    random.Random(board).shuffle(cards)
    hands = (cards[start : start + 13] for start in range(0, 52, 13))
    return "N:" + " ".join(
        ".".join("".join(rank for rank in RANKS if (suit, rank) in hand) for suit in range(4))
        for hand in hands
    )


@pytest.mark.parametrize("odd", ["triangle", "long-triangle"])
def test_a_file_of_all_deals_stands_over_the_results_of_each_and_no_others(odd):
    """As another program reads it (endplay): 24 boards of four rounds, and those of the triangles."""
    section = duplicated(9, odd=odd)
    by, rng = director_of(section.club), random.Random(1)
    for round in range(1, 5):
        if round in section.movement.movement.open_rounds:
            publish(section, by)
        start_next_round(section, after=round - 1, by=by)
        section.refresh_from_db()
        score(section, rng)
    played = section.plays.filter(taken_back_at=None)
    numbers = sorted(set(played.values_list("board", flat=True)))
    rounds, others = section.boards_of_matches.needed(section.movement.movement)
    assert numbers == sorted({*rounds, *others} & set(numbers))
    store_deals(section, {board: dealt(board) for board in range(1, 40)}, by=by)
    section.refresh_from_db()

    games = games_of(ScoredSession(SessionSnapshot(section)))

    told = {}
    for game in games:
        assert game.deal.to_pbn() == dealt(game.board_num), game.board_num
        for row in game.info["ScoreTable"]["rows"]:
            cells = dict(zip(game.info["ScoreTable"]["headers"], row, strict=True))
            place = cells["Round"], cells["Table"], str(game.board_num)
            assert place not in told
            told[place] = cells["PairId_NS"], cells["PairId_EW"]
    assert told.keys() == {(str(p.round), str(p.table), str(p.board)) for p in played}
    for play in played.select_related("ns", "ew"):
        here = told[str(play.round), str(play.table), str(play.board)]
        assert here == (str(play.ns.contestant), str(play.ew.contestant))
    scored = ScoredSession(SessionSnapshot(section))
    for board in numbers:  # each page has its cards once the board is over
        assert all(
            traveller.cards
            for traveller in travellers_of_board(scored, scored.tonight.section, board)
        ), board
