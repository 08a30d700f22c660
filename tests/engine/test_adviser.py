"""The adviser of tonight's movement: ranked and explained, with the reasons of impossible wishes."""

from dataclasses import replace
from fractions import Fraction

import pytest

from movements.engine import catalogue, laws
from movements.engine.adviser import Wishes, advise_movements, drop_wish, wishes_to_drop
from movements.engine.adviser.costs import COSTS
from movements.engine.contest import Contest
from movements.engine.offers import movement_for

#: an odd number of pairs is short of one in either line
FIELDS = [(pairs, line) for pairs in (5, 7, 9, 15, 17) for line in ("ns", "ew")]
FIELDS += [(pairs, "ns") for pairs in (6, 8, 12, 16, 26, 33)] + [(81, "ew")]


@pytest.mark.parametrize(("pairs", "line"), FIELDS)
def test_every_advice_seats_exactly_these_pairs_lawfully(pairs, line):
    advised = advise_movements(Wishes(pairs, missing_line=line))

    assert advised
    for advice in advised:
        assert len(advice.offer.movement.contestants) == pairs
        assert laws.find_errors(advice.offer.movement) == ()


def test_the_line_that_sits_out_is_the_one_for_which_less_is_shared():
    best = {
        movement.offer.family.name: movement.offer
        for movement in advise_movements(Wishes(15, missing_line=""))
    }
    asked = {
        movement.offer.family.name: movement.offer
        for movement in advise_movements(Wishes(15, missing_line="ew"))
    }

    relay = best["share-and-relay"]
    assert (relay.missing_line, relay.has_half_table, relay.sharing_tables) == ("ns", True, ())
    assert asked["share-and-relay"].sharing_tables == (1, 8)
    assert best["crisscross"].missing_line == "ew"  # alike for both
    assert not best["scrambled-mitchell"].has_half_table


def test_players_pass_no_fewer_boards_on_than_they_are_tables():
    for players in (8, 12, 14, 16, 24):
        for movement in advise_movements(Wishes(players, contest=Contest.INDIVIDUAL)):
            most = max(len(tables) for tables in movement.offer.movement.shares(1).values())
            passing = -(-most // movement.offer.movement.copies)
            assert all(size.boards_per_round >= passing for size in movement.offer.sizes)


def test_every_size_behind_an_advice_can_be_built():
    for pairs in (11, 14, 16, 22):
        for advice in advise_movements(Wishes(pairs, 18, 28)):
            for size in advice.offer.sizes:
                movement = movement_for(advice.offer.family.name, pairs, size.rounds)
                assert movement.rounds == size.rounds


def test_the_cheapest_comes_first_and_each_family_once():
    advised = advise_movements(Wishes(16))

    costs = [advice.cost for advice in advised]
    names = [advice.offer.family.name for advice in advised]
    assert costs == sorted(costs)
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("wishes", "broken"),
    [
        ({"sharing": False}, "sharing"),
        ({"stands": False}, "stands"),
        ({"minutes": 150}, "time"),
        ({"stationary": 99}, "stationary"),
        ({"winners": 3}, "winners"),
        ({"fewest_boards": 120, "most_boards": 120}, "boards"),
    ],
)
def test_a_wish_that_is_not_granted_is_named_and_costs(wishes, broken):
    granted = {a.offer.family.name: a for a in advise_movements(Wishes(16))}
    refused = {a.offer.family.name: a for a in advise_movements(replace(Wishes(16), **wishes))}

    affected = refused["share-and-relay"]
    assert broken in affected.broken
    assert affected.cost >= granted["share-and-relay"].cost + COSTS[broken] / 2
    assert f"not_{broken}" in [reason.kind for reason in affected.cons]


def test_a_sit_out_longer_than_bearable_is_refused():
    advised = advise_movements(Wishes(15, longest_sit_out=Fraction(0)))

    assert all("sit_out" in a.broken for a in advised if a.facts.longest_sit_out)


def test_the_reasons_are_facts_of_the_movement():
    for pairs in (15, 16):
        for advice in advise_movements(Wishes(pairs)):
            kinds = {reason.kind for reason in advice.reasons}
            movement = advice.offer.movement
            assert ("stands" in kinds) == bool(movement.stands)
            assert bool({"sits_out", "sits_out_at_times"} & kinds) == movement.has_sit_out
            assert ({"copies", "not_copies"} & kinds != set()) == (movement.copies > 1)


def test_one_wish_given_up_is_a_way_out():
    wishes = Wishes(16, 24, 24, sharing=False, stands=False, stationary=8)
    impossible = replace(wishes, winners=3)
    out = wishes_to_drop(impossible, advise_movements(impossible))

    assert ("winners",) in [names for names, _ in out]
    freed = drop_wish(impossible, "winners")
    assert not advise_movements(freed)[0].broken


def test_where_all_is_granted_no_way_out_is_needed():
    assert wishes_to_drop(Wishes(16), advise_movements(Wishes(16))) == ()


def test_where_time_is_short_fewer_boards_are_a_way_out():
    wishes = Wishes(12, minutes=120)
    out = dict(wishes_to_drop(wishes, advise_movements(wishes)))

    assert list(out) == [("boards",), ("time",)]
    assert out["boards",].broken == ()
    assert out["boards",].offer.size.boards * wishes.minutes_per_board <= 120


def test_where_no_single_wish_is_enough_the_fewest_together_are_named():
    wishes = Wishes(24, stands=False, winners=3, stationary=13)
    out = wishes_to_drop(wishes, advise_movements(wishes))

    assert [set(names) for names, _ in out] == [{"winners", "stationary"}]


def test_in_a_switched_mitchell_a_line_stays_and_nobody_needs_a_card():
    """26 pairs, the last two of 13 rounds switched: the boards are turned once, people are not."""
    advised = advise_movements(Wishes(26, winners=1, stationary=13, late_pair=True))

    assert advised[0].offer.family.name == "scrambled-mitchell"
    assert advised[0].broken == ()
    facts = advised[0].facts
    assert (facts.stationary, facts.exceptions, facts.needs_cards) == (13, 1, False)
    assert [reason.kind for reason in advised[0].cons] == ["exceptions"]


def test_masterpoints_ask_for_24_boards():
    short = [
        a
        for a in advise_movements(Wishes(16, 18, 21, masterpoints=True))
        if a.offer.size.boards < 24
    ]

    assert short
    assert all("masterpoints" in advice.broken for advice in short)


def test_every_family_of_pairs_is_advised_for_some_number_of_pairs():
    missing = {family.name for family in catalogue.FAMILIES if family.contest == "pairs"}
    for pairs in range(5, 41):
        missing -= {advice.offer.family.name for advice in advise_movements(Wishes(pairs))}
        if not missing:
            break

    assert missing == set()


#: what the encyclopaedia's authors prefer: tables, boards, movement, rounds
PREFERRED = [
    ((2.5, 3), 20, "scissors-howell", 5), ((2.5, 3), 20, "extended-hesitation", 5),
    ((2.5, 3), 20, "howell", 5), ((2.5, 3), 25, "extended-hesitation", 5),
    ((3.5, 4), 20, "crisscross", 4), ((3.5, 4), 21, "hybrid", 7), ((3.5, 4), 21, "howell", 7),
    ((3.5, 4), 24, "crisscross", 4), ((3.5, 4), 28, "hybrid", 7), ((3.5, 4), 28, "howell", 7),
    ((4.5, 5), 18, "howell", 9), ((4.5,), 24, "two-way-rover", 4), ((4.5, 5), 27, "howell", 9),
    ((5,), 24, "hesitation", 6), ((5,), 25, "mitchell", 5), ((5.5, 6), 22, "howell", 11),
    ((5.5, 6), 24, "share-and-relay", 6), ((5.5, 6), 24, "double-hesitation", 8),
    ((5.5, 6), 27, "partial-howell", 9), ((6.5, 7), 21, "mitchell", 7),
    ((6.5, 7), 24, "hesitation", 8), ((6.5, 7), 26, "howell", 13), ((7,), 28, "mitchell", 7),
    ((7.5, 8), 24, "share-and-relay", 8), ((7.5,), 28, "two-way-rover", 7),
]  # fmt: skip


@pytest.mark.parametrize(("tables", "boards", "family", "rounds"), PREFERRED)
def test_preferred_movements_are_among_the_first(tables, boards, family, rounds):
    for count in tables:
        first = advise_movements(Wishes(int(2 * count), boards, boards))[:7]
        found = {advice.offer.family.name: advice.offer.size.rounds for advice in first}
        assert found.get(family) == rounds, (count, list(found))


def test_with_caddies_boards_that_wait_or_wander_cost_nothing():
    alone = {a.offer.family.name: a for a in advise_movements(Wishes(16))}
    helped = {a.offer.family.name: a for a in advise_movements(Wishes(16, caddies=True))}

    def gained(name):
        return alone[name].cost - helped[name].cost

    assert gained("share-and-relay") == pytest.approx(COSTS["stand"])
    assert gained("barometer") == pytest.approx(COSTS["carrying"])
    assert gained("skip-mitchell") == 0
    assert "caddies" in [reason.kind for reason in helped["barometer"].pros]
    assert "carrying" in [reason.kind for reason in alone["barometer"].cons]


@pytest.mark.parametrize(
    ("contest", "count", "first", "size"),
    [
        ("individual", 20, "rainbow", (5, 5)),
        ("individual", 28, "rainbow", (7, 4)),
        ("individual", 13, "individual", (9, 3)),  # three tables pass on three boards
        ("teams", 2, "head-to-head", (4, 6)),
        ("teams", 7, "team-awl", (6, 4)),
        ("teams", 6, "team-round-robin", (5, 5)),
    ],
)
def test_single_players_and_teams_are_advised_too(contest, count, first, size):
    best = advise_movements(Wishes(count, contest=contest))[0]

    assert (best.offer.family.name, best.offer.size.rounds) == (first, size[0])
    assert best.offer.size.boards_per_round == size[1]
    assert len(best.offer.movement.contestants) == count
    assert laws.find_errors(best.offer.movement) == ()


@pytest.mark.parametrize("contest", ["individual", "teams"])
@pytest.mark.parametrize("count", [*range(2, 22), 24, 25, 28, 32, 36, 41])
def test_what_is_advised_is_of_the_contest_and_known_before_the_start(contest, count):
    for advice in advise_movements(Wishes(count, contest=contest)):
        movement = advice.offer.movement
        assert (movement.contest, len(movement.contestants)) == (contest, count)
        assert not movement.open_rounds
        fewest, most = advice.offer.boards_played
        assert 0 < fewest <= most <= advice.offer.boards_prepared


def test_teams_play_as_many_boards_as_each_half_does():
    by_name = {a.offer.family.name: a.offer for a in advise_movements(Wishes(8, contest="teams"))}

    assert by_name["team-awl"].boards_played == (24, 24)
    assert by_name["team-round-robin"].boards_played == (28, 28)


def test_in_imps_four_boards_a_round_even_the_vulnerability():
    def reasons_of(wishes):
        found = {}
        for advice in advise_movements(wishes):
            kinds = {reason.kind for reason in advice.reasons}
            size = advice.offer.size
            if not size.total:
                found[size.boards_per_round % 4 == 0] = kinds
        return found

    four, three = (reasons_of(Wishes(12, imps=True))[is_even] for is_even in (True, False))
    assert ("vulnerability" in four, "no_vulnerability" in four) == (True, False)
    assert ("vulnerability" in three, "no_vulnerability" in three) == (False, True)
    for kinds in reasons_of(Wishes(12)).values():
        assert not {"vulnerability", "no_vulnerability"} & kinds


def test_a_match_of_teams_has_every_board_from_both_sides():
    for advice in advise_movements(Wishes(8, contest="teams", imps=True)):
        assert "vulnerability" in {reason.kind for reason in advice.reasons}


@pytest.mark.parametrize("name", ["howell", "two-stanza", "scissors-howell", "swiss"])
def test_advice_on_one_movement_is_the_one_among_all(name):
    wishes = Wishes(18, late_pair=True)

    assert advise_movements(wishes, family_name=name) == tuple(
        movement for movement in advise_movements(wishes) if movement.offer.family.name == name
    )
