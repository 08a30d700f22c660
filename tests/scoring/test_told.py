"""Readings of small evenings match the stored pages to the last letter: `tests/data/written`, with WRITE=1 written
anew.
"""

from collections.abc import Callable, Iterable
from random import Random

import pytest
from django.db import transaction
from django.utils import timezone

from bridgebuddy.deals.models import DoubleDummy
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.draws.drawing import RoundDraw
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.models import Deal, ScoringSettings
from bridgebuddy.scoring.results.arriving_results import ArrivingResults, TableArrivals
from bridgebuddy.scoring.results.dealing import may_players_type_hands
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import rulings
from bridgebuddy.scoring.services.cards.deals import store_deals
from bridgebuddy.scoring.services.classes import store_classes
from bridgebuddy.scoring.services.results import enter_result, undo_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.events.test_sections import divided, now
from tests.events.written import unlike_the_page
from tests.factories import ClubFactory, begun, director_of, section_with
from tests.scoring import told
from tests.scoring.test_doubts import USUAL, written_down
from tests.scoring.test_drawing import play_on, publish, score, swiss
from tests.scoring.test_knockout_places import go_on, win
from tests.scoring.test_leaving import let_leave, played_on
from tests.scoring.test_solving import DEALS, FACTS, STRAINS
from tests.scoring.test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db
PageLines = dict[str, Iterable[str]]


def scored_of(section) -> ScoredSession:
    return ScoredSession(SessionSnapshot(section))


def play(section, round, table, board=None):
    plays = section.plays.filter(round=round, table=table, taken_back_at=None).order_by("board")
    return plays.filter(board=board).get() if board else plays.first()


def typed(tonight, *boards) -> list[str]:
    return [
        told.told(
            {board: may_players_type_hands(tonight, tonight.section, board) for board in boards}
        )
    ]


def of_pairs() -> PageLines:
    """Nine pairs in two lines, all three rounds of a Mitchell: cards, classes, a penalty, and boards of every kind."""
    section = scored_section(9, "mitchell", rounds=3, boards_per_round=2)
    store_deals(section, {1: DEALS[1], 2: DEALS[2], 4: DEALS[1]}, by=None)
    letters = "".join(f"{FACTS[0]['tricks'][seat][s]:X}" for seat in "NESW" for s in STRAINS)
    DoubleDummy.objects.create(deal=DEALS[1], tricks=letters, leads={"H-N": "AAAAAAABAAAAA"})
    outcomes = (
        {"contract": "4H", "declarer": "N", "tricks": 11, "lead": "H8"},
        {"artificial": {"ns": "AVE+", "ew": "AVE-"}},
        {"assigned": {"ns": [[60, 620], [40, -100]]}},
        {"passed": True},
    )
    for table, outcome in enumerate(outcomes, 1):
        enter_result(section, play(section, 1, table).pk, outcome, by=None)
    keys = {entry.contestant: entry.pk for entry in section.entries.all()}
    rulings.give_penalty(section, keys[2], unit="percent", amount=-2.5, kind="procedural", by=None)
    classes = {
        keys[1]: {"stratum": 1, "categories": ["Juniors"]},
        keys[2]: {"stratum": 2, "handicap": "2.5"},
        keys[7]: {"stratum": 2, "categories": ["Juniors"]},
    }
    store_classes(
        section, strata=["A", "B"], classes=classes, masterpoints="acbl-club-open", by=None
    )
    Section.objects.filter(pk=section.pk).update(finished_at=timezone.now())
    scored = scored_of(section)
    return {
        "document": told.of_document(scored),
        "lists": told.of_lists(scored),
        "sheets": told.of_sheets(scored, "NS1", "EW1", "EW2"),
        "boards": told.of_boards(scored, 1, 2, 3, 4),
        "may be typed": typed(scored.tonight, 1, 3),
        "effects": told.of_effects(scored, 1),
        "archive": told.of_archive(section.club),
    }


def of_single_players() -> PageLines:
    """Eight players, two rounds of several in, scored by total points; the boards were dealt here."""
    section = scored_section(8, "individual", rounds=2, contest="individual", boards_per_round=1)
    ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"profile": {"method": "aggregate"}}
    )
    undo_result(section, play(section, 2, 1).results.get(stands=True).pk, by=None)
    section.refresh_from_db()
    scored = scored_of(section)
    coming_in = ArrivingResults([section])
    return {
        "document": told.of_document(scored),
        "lists": told.of_lists(scored),
        "sheets": told.of_sheets(scored, "1"),
        "boards": told.of_boards(scored, 1),
        "hidden": told.of_hidden(scored.tonight, 1),
        "may be typed": typed(scored.tonight, 1, 2),
        "coming in": [told.told(TableArrivals((True, False, True) * many)) for many in (2, 3)]
        + [
            told.told(coming_in.arrivals_in(section)),
            told.told(sum(coming_in.missing_by_round([section]).values())),
        ],
        "archive": told.of_archive(section.club),
    }


def of_swiss_teams() -> PageLines:
    """Five teams, two rounds of a Swiss played and the next one drawn, three of them in a triangle; all tables had
    the same cards.
    """
    section = swiss(5, rounds=4, contest="teams", boards_per_round=2, odd="triangle")
    by = director_of(section.club)
    ScoringSettings.objects.update_or_create(session=section.session, defaults={"same_cards": True})
    score(section, Random(1))
    play_on(section, by, Random(2))
    rulings.give_penalty(
        section,
        section.entries.first().pk,
        unit="vps",
        amount=-1,
        kind="procedural",
        round=1,
        by=None,
    )
    scored = scored_of(section)
    drawing = RoundDraw(scored, scored.tonight.section)
    draw = [*told.each("row", drawing.rows), *told.each("meeting", drawing.meetings)]
    publish(section, by)
    scored = scored_of(section)
    return {
        "document": told.of_document(scored),
        "lists": told.of_lists(scored),
        "matches": told.of_matches(scored),
        "effects": told.of_match_effects(scored),
        "sheets": told.of_sheets(scored, "1"),
        "boards": told.of_boards(scored, 1),
        "draw": draw,
        "archive": told.of_archive(section.club),
    }


def of_swiss_pairs() -> PageLines:
    """Seven pairs, two rounds: a round is a match, in victory points by a scale that was chosen."""
    section = swiss(7, rounds=3, boards_per_round=1)
    profile = {"vp": "swiss-pairs"}
    ScoringSettings.objects.update_or_create(session=section.session, defaults={"profile": profile})
    by = director_of(section.club)
    score(section, Random(1))
    play_on(section, by, Random(2))
    scored = scored_of(section)
    return {
        "document": told.of_document(scored),
        "lists": told.of_lists(scored),
        "matches": told.of_matches(scored),
        "sheets": told.of_sheets(scored, "1", "5"),
        "archive": told.of_archive(section.club),
    }


def of_knock_out() -> PageLines:
    """Four teams in the final and the match for the third place, of which a board is open; one brings IMPs along."""
    options = {"seeded": True, "compact": True}
    section = section_with(
        4, "knockout", round=1, contest="teams", boards_per_round=2, options=options
    )
    win(section, {1: 90, 2: 90})
    drawing = KnockOut(scored_of(section), section)
    ties = [*told.each("tie", drawing.ties), *told.each("meeting", drawing.meetings)]
    before = told.of_lists(drawing.scored)
    go_on(section, director_of(section.club), carry=(("2", "1", 7.0),))
    win(section, {1: 90, 3: -90})
    undo_result(section, play(section, 2, 3).results.get(stands=True).pk, by=None)
    scored = scored_of(section)
    return {
        "document": told.of_document(scored),
        "lists": told.of_lists(scored),
        "matches": told.of_matches(scored),
        "before": before,
        "draw": ties,
        "archive": told.of_archive(section.club),
    }


def of_two_sections() -> PageLines:
    """Two sections with boards of their own, of one of which a pair left after the first round."""
    club = ClubFactory()
    one, other = divided(12, by=director_of(club), club=club, family="howell", same_deals=False)
    enter_by_chance(begun(one, 1))
    enter_by_chance(begun(other, 2), seed=3)
    section = played_on(let_leave(now(one), 1, contestant=2), 2)
    scored = scored_of(section)
    return {
        "document": told.of_document(scored),
        "lists": told.of_lists(scored),
        "sheets": told.of_sheets(scored, "1"),
        "boards": told.of_boards(scored, 1),
        "archive": told.of_archive(section.club),
    }


def of_what_looks_wrong() -> PageLines:
    """Yield five tables with equal results, except for the difference that a title names."""
    section = written_down(section_with(10, "mitchell", round=5, boards_per_round=2))
    found = {}
    for title, boards in WRONG.items():
        with transaction.atomic():
            for board, place, outcome in boards:
                changed(section, board, place, outcome)
            section.finished_at = timezone.now() if "finished" in title else None
            section.save()
            found[title] = told.of_doubts(SessionSnapshot(section))
            transaction.set_rollback(True)
    return found


def changed(section, board, place, outcome):
    """Have another outcome of a board at its how-maniest table, by rounds."""
    play = section.plays.filter(board=board).order_by("round")[place]
    if outcome == "taken back, and free":
        play.taken_back_at = timezone.now()
        play.save()
        section.plays.create(
            round=play.round, table=play.table, board=board, ns=play.ew, ew=play.ns
        )
    elif outcome == "taken back":
        section.plays.filter(pk=play.pk).update(taken_back_at=timezone.now())
    elif outcome == "by who had it first":
        section.plays.filter(pk=play.pk).update(
            ns=section.plays.filter(board=board).earliest("round").ns
        )
    elif outcome == "cards":
        Deal.objects.create(session=section.session, board=board, pbn=DEALS[1])
    else:
        play.results.filter(stands=True).update(outcome=outcome)


def alike(board, outcome, places=range(4)):
    """The same at some tables of a board."""
    return [(board, place, outcome) for place in places]


def ruled(ns, ew):
    return {"artificial": {"ns": ns, "ew": ew}}


TURNED = [(3, 1, {**USUAL[3], "declarer": "N"}), (4, 1, {**USUAL[4], "declarer": "E"})]
AGAIN = [(1, 2, "by who had it first"), (2, 3, "by who had it first")]
MISSING = [(1, 0, None), (2, 0, None), (3, 4, None), (9, 1, None)]
NO_OTHERS = alike(5, {"not_played": "time"}, range(5))
#: what is otherwise than at every other table: a board, its how-maniest table, and what came of it there
WRONG = {
    "nothing": [],
    "no table can have had it": [(1, 0, {"score": 620})],
    "its play was taken back": [(1, 0, "taken back")],
    "its play was taken back, and another waits": [(1, 0, "taken back, and free")],
    "somebody plays it again": AGAIN,
    "somebody plays it again, as was ruled": [
        *AGAIN,
        (1, 2, ruled(None, "AVE+")),
        (2, 3, ruled("AVE+", None)),
    ],
    "somebody plays it again, of whom it was not played": [
        *AGAIN,
        (1, 2, ruled("AVE", "AVE")),
        (2, 3, {"not_played": "time"}),
    ],
    "somebody plays it, for whom it was not played before": [
        (1, 0, ruled("AVE", "AVE")),
        (2, 0, {"pending": True}),
        *AGAIN,
    ],
    "another card was led than was held": [
        (5, 0, "cards"),
        (5, 1, {**USUAL[0], "lead": "SA"}),
        (5, 2, {**USUAL[0], "lead": "SJ"}),
    ],
    "two boards exchanged": [(3, 0, USUAL[4]), (4, 0, USUAL[3])],
    "a round by the other side": TURNED,
    "a round by the other side, and two were passed": [
        *TURNED,
        *alike(3, {"passed": True}, (2, 3)),
    ],
    "a round by the other side, as at one of three": [
        *TURNED,
        (3, 2, {"passed": True}),
        (3, 3, {**USUAL[3], "declarer": "N"}),
    ],
    "a round by the other side, finished": TURNED,
    "declarer on the other side": [(5, 1, {**USUAL[0], "declarer": "W"})],
    "declarer on the other side, as at another table": [
        (5, 1, {**USUAL[0], "declarer": "W"}),
        (5, 2, {**USUAL[0], "declarer": "E"}),
    ],
    "the other side scored": [*alike(5, {"score": 170}), (5, 4, {"score": -110})],
    "the other side scored, East-West": [*alike(5, {"score": -170}), (5, 4, {"score": 110})],
    "nobody scored": [*alike(5, {"score": 170}), (5, 4, {"passed": True})],
    "passed where others bid game": [(5, 0, {"passed": True})],
    "passed where three bid game": [(5, 0, {"passed": True}), (5, 1, USUAL[4])],
    "passed where two bid game": [(5, 0, {"passed": True}), *alike(5, USUAL[4], (1, 2))],
    "another strain": [(5, 0, {**USUAL[0], "contract": "4H"})],
    "another strain, and another level": [
        (5, 0, {**USUAL[0], "contract": "4H"}),
        (5, 1, {**USUAL[0], "contract": "3S"}),
    ],
    "far from the others": [
        (4, 0, {"contract": "6NT", "declarer": "S", "tricks": 12}),
        (4, 1, {"contract": "1NT", "declarer": "S", "tricks": 7}),
        (4, 2, {"contract": "1NT", "declarer": "S", "tricks": 8}),
    ],
    "three tricks": [*NO_OTHERS, (5, 0, {"contract": "4S", "declarer": "S", "tricks": 3})],
    "four tricks": [*NO_OTHERS, (5, 0, {"contract": "4S", "declarer": "S", "tricks": 4})],
    "1400": [*NO_OTHERS, (5, 0, {"contract": "4Sx", "declarer": "S", "tricks": 5})],
    "redoubled": [*NO_OTHERS, (5, 0, {"contract": "4Sxx", "declarer": "S", "tricks": 10})],
    "more than there is": [(1, 0, ruled("AVE+", "AVE"))],
    "missing": MISSING,
    "missing, finished": MISSING,
}

PAGES: dict[str, Callable[[], PageLines]] = {
    "evening_of_pairs": of_pairs,
    "evening_of_single_players": of_single_players,
    "evening_of_teams": of_swiss_teams,
    "evening_of_matches": of_swiss_pairs,
    "evening_of_knock_out": of_knock_out,
    "evening_of_two_sections": of_two_sections,
    "evening_of_doubts": of_what_looks_wrong,
}


@pytest.mark.parametrize("page", PAGES)
def test_what_is_read_of_an_evening_is_what_its_page_says(page):
    found = {title: [f"  {line}" for line in lines] for title, lines in PAGES[page]().items()}

    assert unlike_the_page(page, found) == []


def test_what_a_team_has_of_each_round_adds_up_to_its_total():
    section = swiss(5, rounds=2, contest="teams", boards_per_round=2, odd="triangle")
    score(section, Random(1))
    assert TeamMatches(scored_of(section)).columns == []  # one round is the total
    play_on(section, director_of(section.club), Random(2))

    matches = TeamMatches(scored_of(section))

    assert matches.columns == [1, 2]
    assert [sum(matches.values_by_round(item)) for item in matches.table] == pytest.approx(
        [item.row.total for item in matches.table]
    )


def test_two_teams_alone_have_no_table_of_who_met_whom():
    section = scored_section(2, "head-to-head", rounds=1, contest="teams", boards_per_round=1)
    matches = TeamMatches(scored_of(section))

    assert len(matches.table) == 2
    assert matches.cross_table(section) == []
