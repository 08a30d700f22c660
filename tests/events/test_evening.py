"""Data that pages read of an evening."""

import pytest

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.events.queries.sessions.sections import section_by_code, section_is_unchanged
from bridgebuddy.events.services.setup import entries, movement
from tests.factories import SectionFactory, director_of, section_with

pytestmark = pytest.mark.django_db


def test_a_pairs_evening_is_its_seatings_with_names_and_boards(skip_section):
    evening = SessionEvening(skip_section)

    turns = [
        (turn.round, turn.game.table, turn.game.side_of(9), turn.game.board_text)
        for turn in evening.schedule(9)
    ]

    assert turns == [
        (1, 1, "ew", "1–3"),
        (2, 2, "ew", "7–9"),
        (3, 3, "ew", "13–15"),
        (4, 4, "ew", "19–21"),
        (5, 6, "ew", "4–6"),
        (6, 7, "ew", "10–12"),
        (7, 8, "ew", "16–18"),
    ]
    opponents = evening.schedule(9)[0].game.opponents_of(9)
    assert [(s.chip, s.contestant.names) for s in opponents] == [("1", "Anna North1 & Bob South1")]


def test_one_contestants_evening_reads_the_same_from_its_own_rows(skip_section):
    alone = SessionEvening(skip_section, only=9).schedule(9)

    assert [(t.round, t.game.table, t.game.boards) for t in alone] == [
        (t.round, t.game.table, t.game.boards) for t in SessionEvening(skip_section).schedule(9)
    ]


def test_one_contestants_evening_reads_the_people_it_meets_and_others_when_they_are_asked_for(
    skip_section, django_assert_num_queries
):
    alone, everybody = SessionEvening(skip_section, only=9), SessionEvening(skip_section)

    assert alone.schedule(9) == everybody.schedule(9)
    read = {entry.contestant for entry in alone.entries if entry.are_links_read}
    assert read == {
        9,
        1,
        2,
        3,
        4,
        6,
        7,
        8,
    }  # those of seven rounds; of the others no name was needed
    with django_assert_num_queries(1):
        assert dict(alone.contestants) == everybody.contestants


def test_who_meets_nobody_sits_out_where_it_is_and_comes_back():
    section = section_with(15, "skip-mitchell")
    evening = SessionEvening(section)

    assert [[c.label for c in evening.sit_outs(round)] for round in range(1, 8)] == [
        ["NS 8"], ["NS 1"], ["NS 2"], ["NS 3"], ["NS 5"], ["NS 6"], ["NS 7"],
    ]  # fmt: skip
    turn = evening.round_turn(8, 1)
    assert (turn.sits_out, turn.waits_at) == (True, 8)
    assert evening.next_game(8, 1).round == 2


def test_sharing_tables_know_of_each_other():
    section = section_with(16, "share-and-relay")

    shares = {g.table: g.shared_with for g in SessionEvening(section).games[1]}

    assert shares == {1: (8,), 8: (1,)} | dict.fromkeys(range(2, 8), ())


@pytest.mark.parametrize("pairs", [6, 60])
def test_reading_costs_the_same_for_few_and_many_tables(pairs, django_assert_num_queries):
    code = section_with(pairs, "mitchell" if pairs == 6 else "skip-mitchell", round=1).code

    with django_assert_num_queries(5):
        evening = SessionEvening(section_by_code(code))
        assert evening.games[1]
        assert evening.sit_outs(1) == ()
        assert len(evening.schedule(1)) == evening.rounds


def test_an_unchanged_page_costs_one_query(skip_section, django_assert_num_queries):
    version = Section.objects.get(pk=skip_section.pk).shown
    for shown, expected in ((str(version), True), (str(version - 1), False)):
        with django_assert_num_queries(1):
            assert section_is_unchanged(skip_section.code.lower(), shown) is expected


@pytest.mark.parametrize("nonsense", [None, "", "x", "-1", "1.5", "9" * 30, "٣"])
def test_a_version_that_is_none_is_simply_old(skip_section, nonsense, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert not section_is_unchanged(skip_section.code, nonsense)


def test_a_code_is_found_however_it_is_typed(skip_section):
    typed = f" {skip_section.code[:3].lower()} {skip_section.code[3:]} "

    assert section_by_code(typed) == skip_section
    assert section_by_code("NOBODY") is None


def test_boards_are_written_as_ranges():
    assert board_text((1, 2, 3, 7, 9, 10)) == "1–3, 7, 9–10"


def test_a_couple_is_told_apart_where_it_stands_short():
    section = SectionFactory()
    by = director_of(section.club)
    pairs = [("Ruth Klein", "Otto Klein"), ("Anna Berg", "Andreas Berg"), ("Ida Lang", "Karl Frey")]
    entries.add_pairs(section, [*pairs, ("Eva Frey", "Max Roth")], by=by)
    section = movement.choose_movement(section, "howell", boards_per_round=2, by=by)

    found = SessionEvening(section).contestants.values()
    written = {contestant.names: contestant.surnames for contestant in found}
    in_full = [contestant.full_names for contestant in found if "Klein" in contestant.names]

    assert written == {
        "Ruth & Otto Klein": "R. & O. Klein",
        "Anna & Andreas Berg": "Anna & Andreas Berg",
        "Ida Lang & Karl Frey": "Lang & K. Frey",  # of the same room
        "Eva Frey & Max Roth": "E. Frey & Roth",
    }
    assert in_full == [("Ruth", "Otto Klein")]


def test_a_surname_of_two_sections_is_told_apart_in_both():
    section = SectionFactory()
    by = director_of(section.club)
    other = SectionFactory(session=section.session, name="B")
    entries.add_pairs(section, [("Ruth Klein", "Max Ott"), ("Ida Lang", "Karl Frey")], by=by)
    entries.add_pairs(other, [("Otto Klein", "Eva Roth"), ("Uta Beck", "Jan Hof")], by=by)

    shown = {}
    for item in (section, other):
        item = movement.choose_movement(item, "head-to-head", boards_per_round=2, by=by)
        shown |= {
            contestant.names: contestant.surnames
            for contestant in SessionEvening(item).contestants.values()
        }

    assert shown == {
        "Ruth Klein & Max Ott": "R. Klein & Ott",
        "Ida Lang & Karl Frey": "Lang & Frey",
        "Otto Klein & Eva Roth": "O. Klein & Roth",
        "Uta Beck & Jan Hof": "Beck & Hof",
    }
