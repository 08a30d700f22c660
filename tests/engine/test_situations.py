"""Evenings as clubs have them: the sources' choice is among the first, and the page says so as it is."""

import pytest

from movements.engine import catalogue
from movements.engine.adviser import Wishes, advise_movements, resized_advice

from .situations import FIRST, PAGE, SITUATIONS, Situation, fits, page


def test_there_are_sixty_situations_from_four_to_sixty_pairs():
    assert len(SITUATIONS) >= 60
    assert {situation.pairs for situation in SITUATIONS} >= {*range(4, 29), 60}
    assert any(situation.boards[0] <= 18 for situation in SITUATIONS)
    assert any(situation.boards[1] >= 30 for situation in SITUATIONS)


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_what_the_sources_choose_is_among_the_first_three(situation: Situation):
    first = situation.advised[:FIRST]

    assert any(fits(advice, chosen) for advice in first for chosen in situation.chosen)
    assert first[0].offer.family.name not in situation.never_first
    assert not first[0].broken


def test_the_page_is_what_the_adviser_says():
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.engine.situations"


@pytest.mark.parametrize("pairs", [6, 8, 10, 12])
def test_a_late_pair_that_is_likely_does_not_turn_the_list_of_a_small_room_over(pairs):
    quiet, likely = (
        [advice.offer.family.name for advice in advise_movements(Wishes(pairs, late_pair=late))]
        for late in (False, True)
    )

    assert quiet == likely


def test_the_whist_movement_never_stands_before_the_mitchell():
    for pairs in range(5, 31):
        costs = {
            name: advise_movements(Wishes(pairs), family_name=name) for name in ("mitchell", "awl")
        }
        if costs["awl"]:
            assert costs["mitchell"][0].cost <= costs["awl"][0].cost
    # those that cost the same stand as in the catalogue
    order = [family.name for family in catalogue.FAMILIES]
    assert order.index("mitchell") < order.index("awl")


def test_where_all_tables_share_a_skip_stands_before():
    names = [advice.offer.family.name for advice in advise_movements(Wishes(28))]

    assert names.index("skip-mitchell") < names.index("twin-mitchell")


def test_a_last_set_of_one_board_costs_something():
    names = [advice.offer.family.name for advice in advise_movements(Wishes(20))]

    assert names.index("skip-mitchell") < names.index("share-and-relay")


def test_nobody_is_asked_to_play_rounds_of_one_board():
    for pairs in (44, 50):
        assert advise_movements(Wishes(pairs))[0].offer.size.boards_per_round > 1


def test_a_size_chosen_is_judged_by_the_same_wishes():
    wishes = Wishes(16, 24, 28)
    advice = next(a for a in advise_movements(wishes) if a.offer.family.name == "skip-mitchell")
    other = next(size for size in advice.offer.sizes if size != advice.offer.size)

    judged = resized_advice(advice, other, wishes)

    assert judged.offer.size == other
    assert judged.offer.movement.rounds == other.rounds
    assert {*judged.offer.sizes} == {*advice.offer.sizes}
    assert judged.cost > advice.cost
    assert catalogue.build_movement("skip-mitchell", 8, other.rounds) == judged.offer.movement
