"""The checker on boards in the room: copies, tables that share, stands; each broken at its smallest."""

from dataclasses import replace

import pytest

from movements.engine import catalogue, laws
from movements.engine.declarations import Exemption, Share, Stand
from movements.engine.laws import Violation
from tests.engine.written import evening


def check(*rounds: str, **facts) -> tuple[Violation, ...]:
    return laws.find_violations(evening(*rounds, **facts))


def copies(round: int, name: str, *tables: int) -> Violation:
    return Violation("copies", round, sets=(name,), tables=tables)


# ── copies ──


def test_a_set_is_at_no_more_tables_than_there_are_copies():
    assert check("1-2:A 3-4:A") == (copies(1, "A", 1, 2),)
    assert check("1-2:A 3-4:A", copies=2) == ()
    assert check("1-2:A 3-4:A 5-6:A", copies=2) == (copies(1, "A", 1, 2, 3),)


def test_every_round_and_every_set_is_looked_at():
    assert check("1-2:A 3-4:A", "1-3:B+C 2-4:C+B") == (
        copies(1, "A", 1, 2),
        copies(2, "B", 1, 2),
        copies(2, "C", 1, 2),
    )


def test_a_set_lies_where_it_is_played_and_not_where_somebody_sits_out():
    assert laws.find_errors(evening("1-2:A 3-0:A", "1-3:B 0-2:B")) == ()


@pytest.mark.parametrize(
    ("round", "wanted"),
    [
        # halves: one after the other, and at the same time
        ("1-2:A/1-2:B 3-4:B/3-4:A", []),
        ("1-2:A/1-2:B 3-4:A/3-4:B", ["A", "B"]),
        ("1-2:A/1-2:B 3-4:C/3-4:B", ["B"]),
        # a half and a whole round
        ("1-2:A/1-2:B 3-4:A", ["A"]),
        ("1-2:A/1-2:B 3-4:B", ["B"]),
        # a half, and a third that lies within it, reaches into it, or is beside it
        ("1-2:A/1-2:B 3-4:A/3-4:C/3-4:D", ["A"]),
        ("1-2:A/1-2:B 3-4:C/3-4:A/3-4:D", ["A"]),
        ("1-2:A/1-2:B 3-4:C/3-4:D/3-4:A", []),
        ("1-2:A/1-2:B 3-4:B/3-4:C/3-4:D", []),
        ("1-2:A/1-2:B 3-4:C/3-4:B/3-4:D", ["B"]),
        ("1-2:A/1-2:B 3-4:C/3-4:D/3-4:B", ["B"]),
    ],
)
def test_parts_of_a_round_may_want_a_set_one_after_the_other(round, wanted):
    assert laws.find_errors(evening(round)) == tuple(copies(1, name, 1, 2) for name in wanted)


def test_the_busiest_moment_of_a_round_decides():
    rounds = ("1-2:A/1-2:B 3-4:A/3-4:C 5-6:D/5-6:A",)

    assert laws.find_errors(evening(*rounds)) == (copies(1, "A", 1, 2, 3),)
    assert laws.find_errors(evening(*rounds, copies=2)) == ()


def test_copies_are_forgiven_in_the_rounds_that_are_declared():
    rounds = ("1-2:A 3-4:A", "1-3:B 2-4:B")

    def mistake(*rounds, law="copies"):
        return Exemption(law, 1, "played the wrong boards", rounds=rounds)

    assert check(*rounds, exemptions=(mistake(1, 2),)) == ()
    assert check(*rounds, exemptions=(mistake(1), mistake(2))) == ()
    assert check(*rounds, exemptions=(mistake(2),)) == (copies(1, "A", 1, 2),)
    assert check(*rounds, exemptions=(mistake(1, 2, law="board-once"),)) == (
        copies(1, "A", 1, 2),
        copies(2, "B", 1, 2),
    )


# ── tables that share ──


def test_tables_that_share_need_one_copy():
    assert check("1-2:A 3-4:A", shared=(Share(1, (1, 2)),)) == ()
    assert check("1-2:A 3-4:A", shared=(Share(1, (2, 1)),)) == ()


def test_sharing_is_declared_for_a_round_or_for_all():
    rounds = ("1-2:A 3-4:A", "1-3:B 2-4:B")

    assert check(*rounds, shared=(Share(0, (1, 2)),)) == ()
    assert check(*rounds, shared=(Share(1, (1, 2)), Share(2, (1, 2)))) == ()
    assert check(*rounds, shared=(Share(1, (1, 2)),)) == (copies(2, "B", 1, 2),)
    assert check(*rounds, shared=(Share(2, (1, 2)),)) == (copies(1, "A", 1, 2),)
    assert check(*rounds, shared=(Share(3, (1, 2)),)) == (
        copies(1, "A", 1, 2),
        copies(2, "B", 1, 2),
    )


def test_sharing_is_declared_for_some_sets_or_for_whatever_they_have_in_common():
    round = "1-2:A+B 3-4:A+B"

    assert check(round, shared=(Share(1, (1, 2)),)) == ()
    assert check(round, shared=(Share(1, (1, 2), ("B", "A")),)) == ()
    assert check(round, shared=(Share(1, (1, 2), ("A",)),)) == (copies(1, "B", 1, 2),)
    assert check(round, shared=(Share(1, (1, 2), ("A",)), Share(1, (1, 2), ("B",)))) == ()


def test_only_the_tables_named_share():
    assert check("1-2:A 3-4:B 5-6:A", shared=(Share(1, (1, 2)),)) == (
        copies(1, "A", 1, 3),
        Violation("unequal-plays", sets=("B",), severity="warning"),
    )
    assert check("1-2:A 3-4:A 5-6:A", shared=(Share(1, (1, 2)),)) == (copies(1, "A", 1, 2, 3),)
    assert check("1-2:A 3-4:A 5-6:A", shared=(Share(1, (1, 2)),), copies=2) == ()
    assert check("1-2:A 3-4:A 5-6:A", shared=(Share(1, (1, 2, 3)),)) == ()


def test_of_the_tables_named_only_those_share_that_play_the_set():
    shared = (Share(1, (1, 2, 3)),)

    assert laws.find_errors(evening("1-2:A 3-4:A 5-6:B", shared=shared)) == ()
    assert laws.find_errors(evening("1-2:A 3-4:B 5-6:C 7-8:A", shared=shared)) == (
        copies(1, "A", 1, 4),
    )


def test_a_table_that_is_named_with_several_others_shares_with_those_that_play_the_set():
    shared = (Share(1, (1, 2)), Share(1, (1, 3)))

    assert laws.find_errors(evening("1-2:A 3-4:B 5-6:A", shared=shared)) == ()


def test_a_table_shares_one_copy_and_not_two():
    """Two pairs of tables are two copies, however they are declared."""
    four = "1-2:A 3-4:A 5-6:A 7-8:A"

    assert check(four, shared=(Share(1, (1, 2)), Share(1, (3, 4)))) == (copies(1, "A", 1, 2, 3, 4),)
    assert check(four, shared=(Share(1, (1, 2)), Share(1, (3, 4))), copies=2) == ()
    chain = (Share(1, (1, 2)), Share(1, (2, 3)))
    assert check("1-2:A 3-4:A 5-6:A", shared=chain) == (copies(1, "A", 1, 2, 3),)
    assert check("1-2:A 3-4:A 5-6:A", shared=chain, copies=2) == ()


def test_a_published_share_and_relay_declares_its_sharing():
    relay = catalogue.build_movement("share-and-relay", 8)

    assert laws.find_violations(replace(relay, shared=(), copies=2)) == ()
    assert {v.law for v in laws.find_violations(replace(relay, shared=()))} == {"copies"}
    assert {v.law for v in laws.find_violations(replace(relay, shared=(Share(0, (2, 3)),)))} == {
        "copies"
    }


# ── stands ──


def stands(round: int, *names: str) -> Violation:
    return Violation("stands", round, sets=names)


def test_a_set_waits_while_nobody_plays_it():
    waiting = (Stand(1, 2, ("C",)), Stand(2, 1, ("A", "B")))

    assert check("1-2:A 3-4:B", "1-3:C 2-4:D", stands=waiting) == ()


@pytest.mark.parametrize("round", [0, 3])
def test_stands_are_in_rounds_that_are_played(round):
    assert check("1-2:A 3-4:B", "1-3:C 2-4:D", stands=(Stand(round, 1, ("A",)),)) == (
        stands(round, "A"),
    )


def test_what_waits_is_on_the_list_of_sets():
    assert check("1-2:A 3-4:B", stands=(Stand(1, 1, ("C", "A")),)) == (
        stands(1, "C", "A"),
        stands(1, "A"),
    )
    assert check("1-2:A 3-4:B", stands=(Stand(1, 1, ("C",)),)) == (stands(1, "C"),)


def test_no_set_lies_on_a_stand_and_a_table():
    on_a_stand = (Stand(1, 2, ("A",)), Stand(2, 2, ("A",)))

    assert check("1-2:A 3-4:B", "1-3:C 2-4:D", stands=on_a_stand) == (stands(1, "A"),)
    assert check("1-2:A 3-4:B", "1-3:C 2-4:D", stands=on_a_stand, copies=2) == ()


def test_no_set_lies_on_more_stands_than_there_are_copies():
    twice = (Stand(1, 1, ("C",)), Stand(1, 2, ("C",)))
    rounds = ("1-2:A 3-4:B", "1-3:C 2-4:D")

    assert check(*rounds, stands=twice) == (stands(1, "C"),)
    assert check(*rounds, stands=twice, copies=2) == ()
    assert check(*rounds, stands=(*twice, Stand(1, 3, ("C",))), copies=2) == (stands(1, "C"),)
    assert check(*rounds, stands=(Stand(1, 1, ("C",)), Stand(2, 1, ("A",)))) == ()


def test_a_copy_may_wait_while_another_is_played():
    rounds = ("1-2:A 3-4:A", "5-6:B 7-8:B")

    assert check(*rounds, stands=(Stand(1, 1, ("A",)),), copies=3) == ()
    assert check(*rounds, stands=(Stand(1, 1, ("A",)),), copies=2) == (stands(1, "A"),)
    # tables that share need one copy, and the other waits
    assert check(*rounds, stands=(Stand(1, 1, ("A",)),), shared=(Share(0, (1, 2)),), copies=2) == ()
