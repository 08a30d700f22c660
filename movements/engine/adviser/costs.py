"""The cost of a movement: its unfulfilled wishes, and its habits."""

from __future__ import annotations

from collections.abc import Iterator

from ..contest import Contest
from ..model import Movement
from ..offers import MovementOffer, MovementSize
from .facts import MovementFacts
from .wishes import Wishes

#: points for each wish that is not granted, by its name; a movement's habits cost points even where they are allowed
COSTS = {
    # wishes that are not granted
    "boards": 50.0,
    "time": 45.0,
    "winners": 60.0,
    "sit_out": 30.0,
    "stationary": 40.0,
    "copies": 50.0,
    "sharing": 30.0,
    "stands": 20.0,
    "masterpoints": 40.0,
    "break": 15.0,
    # habits
    "unevenness": 0.35,  # a point of fairness under 100
    "out_of_play": 4.0,  # a third of a round (three boards) as the longest sit-out
    "unplayed": 12.0,  # times the share of the boards in play that a contestant does not play
    "shares": 4.0,  # the first two tables that share
    "sharing_table": 0.4,  # each further table that shares
    "stand": 1.5,
    "carrying": 3.0,  # boards move in no simple way, and there is no caddy
    "copy": 3.0,
    "parts": 4.0,  # boards change hands, or people their seats, within a round
    "cards": 5.0,  # a contestant whose path cannot be said in one sentence
    "card_round": 0.5,  # each round above eight in which all need the card
    "exception": 1.0,  # an announcement that differs from the others
    "crossing": 0.5,  # a contestant that always leaves the path of its line
    "both_lines": 3.0,  # no line stays
    "far": 9.0,  # East-West always move further than one table
    "late_pair": 2.0,  # if a late pair is likely, and the movement can hardly take one
    "long_round": 2.5,  # a board a round above four
    "short_round": 20.0,  # one board a round
    "short_match": 4.0,  # each board under six in a match of teams
    "short_set": 2.0,  # each board that the last set has fewer than the others
    "few_rounds": 2.5,  # each round under six, and
    "fewer_rounds": 1.3,  # the square of those rounds: three rounds are too few for an evening
    "rematches": 15.0,  # pairs meet opponents a second time
    "small_field": 2.5,  # each pair under eight in two fields, three at most
    "unequal_plays": 3.0,
    "unequal_half": 7.0,  # boards with different tops and pairs with different numbers of boards
    "vulnerability": 3.0,  # in IMPs: some opponents met at unequal vulnerability more often
}
PLEASANT_BOARDS = range(2, 5)
#: boards in a match of teams (Wikipedia: 6 to 24)
MATCH_BOARDS = range(6, 25)
EASY_ROUNDS = 8
ENOUGH_ROUNDS, ENOUGH_MATCHES = 6, 3
ENOUGH_IN_FIELD = 8


def broken_wishes(offer: MovementOffer, facts: MovementFacts, wishes: Wishes) -> Iterator[str]:
    """Yield the names of the director's wishes that an offered movement does not meet."""
    size, movement = offer.size, facts.movement
    if not offer.is_as_wanted:
        yield "boards"
    if wishes.minutes is not None and minutes_of(size, wishes) > wishes.minutes:
        yield "time"
    if wishes.winners is not None and movement.winners != wishes.winners:
        yield "winners"
    if wishes.longest_sit_out is not None and facts.longest_sit_out > wishes.longest_sit_out:
        yield "sit_out"
    if facts.stationary < wishes.stationary:
        yield "stationary"
    if movement.copies > wishes.copies:
        yield "copies"
    if not wishes.sharing and facts.sharing_tables and movement.copies_needed > wishes.copies:
        yield "sharing"
    if not wishes.stands and facts.stands_after:
        yield "stands"
    if wishes.masterpoints and not _counts_for_masterpoints(offer):
        yield "masterpoints"
    if wishes.break_after_half and not facts.has_break:
        yield "break"


def _counts_for_masterpoints(offer: MovementOffer) -> bool:
    """Return whether the movement meets the conditions for masterpoints.

    At least 24 boards, 75 % of the boards in play, and rounds for 70 % of the sets (QBA; EBU).
    """
    scheduled = offer.size.boards
    sets_a_round = len(offer.movement.sets) / max(1, offer.movement.rounds)
    rounds = offer.movement.rounds * max(1, round(sets_a_round) if sets_a_round >= 2 else 1)
    return (
        scheduled >= 24
        and scheduled >= 0.75 * offer.boards_prepared
        and rounds >= 0.7 * len(offer.movement.sets)
    )


def minutes_of(size: MovementSize, wishes: Wishes) -> int:
    """Return the length of the session in minutes, without a break."""
    return size.rounds * size.boards_per_round * wishes.minutes_per_board


def habit_cost(offer: MovementOffer, facts: MovementFacts, wishes: Wishes) -> float:
    """Return the cost of an offered movement apart from broken wishes: unfairness, effort and discomfort."""
    size, movement = offer.size, facts.movement
    return (
        COSTS["unevenness"] * (100 - facts.score)
        + _comfort_cost(offer, facts, wishes)
        + COSTS["copy"] * (movement.copies - 1)
        + COSTS["parts"] * facts.has_parts
        + COSTS["cards"] * facts.needs_cards
        + COSTS["card_round"] * facts.needs_cards * max(0, size.rounds - EASY_ROUNDS)
        + COSTS["exception"] * min(3, facts.exceptions)
        + COSTS["crossing"] * min(4, facts.crossings)
        + COSTS["both_lines"] * facts.both_lines_move
        + COSTS["far"] * facts.walks_far
        + COSTS["late_pair"] * _lacks_late_pair(facts, wishes)
        + _length_cost(size, movement.contest)
        + COSTS["rematches"] * facts.has_rematches
        + COSTS["small_field"] * _lacking_in_fields(movement)
        + COSTS["unequal_plays"] * facts.has_unequal_plays
        + COSTS["unequal_half"] * (facts.has_unequal_plays and facts.longest_sit_out > 0)
    )


def _comfort_cost(offer: MovementOffer, facts: MovementFacts, wishes: Wishes) -> float:
    """Return the cost of sitting out, sharing boards and carrying boards."""
    movement = facts.movement
    fewest, _ = offer.boards_played
    boards_out = float(facts.longest_sit_out) * offer.size.boards_per_round
    needs_copies = movement.copies_needed > 1 and movement.copies == 1
    sharing = len(facts.sharing_tables)
    return (
        COSTS["out_of_play"] * boards_out / 3
        + COSTS["unplayed"] * (1 - fewest / max(1, offer.boards_prepared))
        + (COSTS["shares"] * bool(sharing) + COSTS["sharing_table"] * max(0, sharing - 2))
        * (1 if needs_copies else 0.5)
        + COSTS["stand"] * bool(facts.stands_after) * (not wishes.caddies)
        + COSTS["carrying"] * facts.needs_carrying * (not wishes.caddies)
    )


def _length_cost(size: MovementSize, contest: Contest) -> float:
    """Return the cost of few, long or short rounds."""
    usual, enough = PLEASANT_BOARDS, ENOUGH_ROUNDS
    if contest.has_halves:
        usual, enough = MATCH_BOARDS, ENOUGH_MATCHES
    too_few = max(0, enough - size.rounds)
    return (
        COSTS["few_rounds"] * too_few
        + COSTS["fewer_rounds"] * too_few**2
        + COSTS["long_round"] * max(0, size.boards_per_round - usual[-1])
        + COSTS["short_round"] * (size.boards_per_round < PLEASANT_BOARDS[0])
        + COSTS["short_match"] * boards_lacking_in_match(size, contest)
        + COSTS["short_set"] * _lacking_in_last_set(size)
    )


def boards_lacking_in_match(size: MovementSize, contest: Contest) -> int:
    """Return how many boards a team match has fewer than six; 0 in other contests."""
    return max(0, MATCH_BOARDS[0] - size.boards_per_round) if contest.has_halves else 0


def _lacking_in_last_set(size: MovementSize) -> int:
    """Return how many boards the last board set has fewer than the others."""
    return size.rounds * size.boards_per_round - size.total if size.total else 0


def _lacking_in_fields(movement: Movement) -> int:
    """Return how many more contestants a two-winner movement's larger field needs for a good ranking, at most 3."""
    if not movement.contest.fills_a_side or movement.is_one_winner:
        return 0
    lacking = ENOUGH_IN_FIELD - max(len(movement.members(field)) for field in movement.fields)
    return max(0, min(3, lacking))


def _lacks_late_pair(facts: MovementFacts, wishes: Wishes) -> bool:
    """Return whether a late pair is likely and would be hard to seat."""
    is_large = facts.movement.tables >= ENOUGH_IN_FIELD
    return wishes.late_pair and is_large and not takes_late_pair(facts)


def takes_late_pair(facts: MovementFacts) -> bool:
    """Return whether a late pair could be seated: as a rover in a direction that stays, or at a half table."""
    has_free_seat = any(not seating.is_played for seating in facts.movement.in_round(1))
    return has_free_seat or facts.has_seated_line
