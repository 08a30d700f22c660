"""Which movement tonight: every movement of the catalogue that so many pairs can play, ranked and explained.

A wish that cannot be granted costs much, what is merely unpleasant costs little; the movement that costs
least comes first. The weights (`COSTS`) are the club's common sense, in one place. Every reason given for
or against is a fact read off the movement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

from . import catalogue
from .boards import movement_boards
from .contest import Contest
from .draws import DRAWN_ON_RESULTS
from .errors import MovementError
from .fairness.balance import balance
from .families.family import Family
from .model import Movement
from .offers import Offer, Size, movement_for, nearest_size, sizes, table_counts, with_numbers
from .shape import has_line, turned_back
from .wording import Announcement, announcements

#: points a broken wish costs, by its name, and what a movement's habits cost even where they are allowed
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
    "out_of_play": 4.0,  # a third of a round (three boards) sat out by the unluckiest
    "unplayed": 12.0,  # times the share of the boards in play that somebody does not play
    "shares": 4.0,  # the first two tables that share
    "sharing_table": 0.4,  # every other one
    "stand": 1.5,
    "carrying": 3.0,  # boards move in no simple way, and nobody is there to carry them
    "copy": 3.0,
    "parts": 4.0,  # boards change hands, or people their seats, within a round
    "cards": 5.0,  # nobody can be told in a sentence where to go
    "card_round": 0.5,  # a round above eight for which everybody needs the card
    "exception": 1.0,  # an announcement that is not as always
    "crossing": 0.5,  # somebody who always goes otherwise than their line
    "both_lines": 3.0,  # nobody stays
    "far": 9.0,  # East-West always walk further than one table
    "late_pair": 2.0,  # when one is likely and the movement takes none easily
    "long_round": 2.5,  # a board a round above four
    "short_round": 20.0,  # one board a round
    "short_set": 2.0,  # a board that the last set has less than the others
    "few_rounds": 2.5,  # a round under six, and
    "fewer_rounds": 1.3,  # the square of those rounds: three rounds are hardly an evening
    "small_field": 2.5,  # a pair under eight in each of two fields, three at most
    "unequal_plays": 3.0,
    "unequal_half": 7.0,  # boards with different tops and pairs with different numbers of boards
    "vulnerability": 3.0,  # in IMPs: some opponents met more often vulnerable than others
}
SIZES_TRIED = 5
PLEASANT_BOARDS = range(2, 5)
EASY_ROUNDS = 8
ENOUGH_ROUNDS = 6
ENOUGH_IN_FIELD = 8
LARGE_ROOM = 12
"""Tables above which a set for each table makes more boards than an evening has."""


MOST_WAYS_OUT = 4
#: beside its usual way, the options of a family that are tried too: they give it other sizes
WAYS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "two-stanza": ({"stanzas": 3},),
    "ns-rover": ({"base": "share-and-relay"},),
    "scrambled-mitchell": ({"base": "web"},),
    "two-way-rover": ({"base": "share-and-relay"},),
}
Broken = tuple[str, ...]
"""Names of the wishes that are not granted."""
Chosen = tuple[tuple[str, Any], ...]
"""Options with their values, in a form that can be kept."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the evening should be. None where the director does not mind."""

    pairs: int  # or players, or teams
    fewest_boards: int = 24
    most_boards: int = 28
    minutes_per_board: int = 7
    minutes: int | None = None  # from the first board to the last
    winners: int | None = None
    longest_sit_out: Fraction | None = None  # rounds
    stationary: int = 0  # pairs that must stay seated
    copies: int = 1  # copies of the boards at hand
    sharing: bool = True
    stands: bool = True
    break_after_half: bool = False
    masterpoints: bool = False
    late_pair: bool = False
    caddies: bool = False  # somebody carries the boards
    imps: bool = False  # scored in IMPs or total points
    missing_line: str = "ew"  # of a half table; where it is empty, whichever is better
    contest: Contest = Contest.PAIRS


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact for or against a movement: its kind, and the numbers the sentence needs."""

    kind: str
    is_for: bool
    fields: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """What the adviser needs to know of a movement; independent of tonight's wishes."""

    movement: Movement
    score: int
    word: str
    is_complete: bool
    meets_all: (
        bool  # who never sits out meets everybody of another field, or of one with one winner
    )
    exceptions: int  # announcements that differ from the usual one
    needs_cards: bool
    crossings: int  # how many go otherwise than their line even after most rounds
    both_lines_move: bool
    walks_far: bool  # East-West always go further than one table
    needs_carrying: bool  # most announcements cannot say in a word where boards go
    has_parts: bool
    sharing_tables: tuple[int, ...]
    stands_after: tuple[int, ...]
    longest_sit_out: Fraction
    stationary: int  # who never leave their table
    has_seated_line: bool
    has_unequal_plays: bool
    has_break: bool


@dataclass(frozen=True)
class Advice:
    """A movement with a size, what it costs by tonight's wishes, and why."""

    offer: Offer
    facts: Facts
    cost: float
    broken: Broken
    reasons: tuple[Reason, ...]

    @property
    def score(self) -> int:
        """Fairness, 0 to 100."""
        return self.facts.score

    @cached_property
    def pros(self) -> tuple[Reason, ...]:
        return tuple(reason for reason in self.reasons if reason.is_for)

    @cached_property
    def cons(self) -> tuple[Reason, ...]:
        return tuple(reason for reason in self.reasons if not reason.is_for)


def advise(wishes: Wishes, only: str = "") -> tuple[Advice, ...]:
    """Return what these pairs can play, best first; broken wishes are named.

    Each family appears once, with the size that suits the wishes best; other sizes stand behind it in
    its offer. With `only` no other family than the one of this name is looked at.
    """
    best: dict[str, Advice] = {}
    for advice in _every(wishes, only):
        known = best.get(advice.offer.family.name)
        if known is None or advice.cost < known.cost:
            best[advice.offer.family.name] = advice
    order = {family.name: index for index, family in enumerate(catalogue.FAMILIES)}
    return tuple(
        sorted(best.values(), key=lambda advice: (advice.cost, order[advice.offer.family.name]))
    )


def advise_on(family: Family, options: Mapping[str, Any], wishes: Wishes) -> Advice | None:
    """Return what a family offers with options of the director's choice; None where it cannot be had."""
    for tables in table_counts(wishes.pairs, family.contest):
        found = list(_in_either_line(family, tables, wishes, options))
        if found:
            return min(found, key=lambda advice: advice.cost)
    return None


def ways_out(wishes: Wishes, advised: tuple[Advice, ...]) -> tuple[tuple[Broken, Advice], ...]:
    """Where no movement grants every wish: what to give up for all the rest, with the best for it.

    Single wishes where one is enough, the fewest together where it is not. Where the time is too short
    for the boards, fewer boards are a way out too. Empty where the first advice breaks none.
    """
    if not advised or not advised[0].broken:
        return ()
    found: dict[Broken, Advice] = {}
    if any("time" in advice.broken for advice in advised):
        shorter = _in_time(wishes)
        if shorter is not None:
            found["boards",] = shorter
    fewest = 1 if found else min(len(advice.broken) for advice in advised)
    for advice in advised:
        if len(advice.broken) == fewest:
            found.setdefault(advice.broken, advice)
    return tuple(found.items())[:MOST_WAYS_OUT]


def _in_time(wishes: Wishes) -> Advice | None:
    """Return the best that grants every wish but the boards: as many as there is time for."""
    most = (wishes.minutes or 0) // wishes.minutes_per_board
    if not 0 < most < wishes.most_boards:
        return None
    for fewest in (most - 2, most * 3 // 4, 1):
        for advice in advise(replace(wishes, fewest_boards=max(1, fewest), most_boards=most)):
            if not advice.broken:
                return advice
    return None


def _every(wishes: Wishes, only: str) -> Iterator[Advice]:
    for family in catalogue.FAMILIES:
        if family.contest != wishes.contest or family.name in DRAWN_ON_RESULTS:
            continue
        if only and family.name != only:
            continue
        for options in ({}, *WAYS.get(family.name, ())):
            for tables in table_counts(wishes.pairs, family.contest):
                found = list(_in_either_line(family, tables, wishes, options))
                if found:
                    yield from found
                    break


def _in_either_line(
    family: Family, tables: int, wishes: Wishes, options: Mapping[str, Any]
) -> Iterator[Advice]:
    """Yield what a family offers; where nobody minds, with the missing pair in the line for which less is shared."""
    usual = replace(wishes, missing_line=wishes.missing_line or "ew")
    found = list(_sized(family, tables, usual, options))
    yield from found
    if not wishes.missing_line and any(
        one.offer.has_half_table and one.facts.sharing_tables for one in found
    ):
        yield from _sized(family, tables, replace(wishes, missing_line="ns"), options)


def _sized(
    family: Family, tables: int, wishes: Wishes, options: Mapping[str, Any]
) -> Iterator[Advice]:
    given, options = options, with_numbers(family, wishes.pairs, options)
    usual = family.default_rounds(tables, options)
    whole = _facts_for(family, usual, wishes, options) if usual else None
    if whole and whole.movement.tables != tables and family.contest.fills_a_side:
        return
    sets = len(whole.movement.sets) if whole else None
    wanted = (wishes.fewest_boards, wishes.most_boards)
    fitting = sizes(family, tables, *wanted, sets, options)
    nearest = nearest_size(family, tables, *wanted, options)
    if tables > LARGE_ROOM:
        fitting = tuple(sorted(fitting, key=_for_a_large_room))
    tried = fitting[: _sizes_tried(tables)] or ((nearest,) if nearest else ())
    for size in tried:
        facts = _facts_for(family, size.rounds, wishes, options)
        if facts is None or (facts.movement.tables != tables and family.contest.fills_a_side):
            continue
        others = tuple(other for other in fitting if other != size)
        offer = Offer(
            family,
            facts.movement,
            (size, *others),
            is_as_wanted=bool(fitting),
            options=given,
            missing_line=wishes.missing_line,
        )
        if _numbers_fit(facts.movement, size):
            yield _judged(offer, facts, wishes)


def _for_a_large_room(size: Size) -> tuple[bool, int]:
    """Many short rounds need fewest boards, and all play most of them."""
    return size.boards_per_round < PLEASANT_BOARDS[0], -size.rounds


def _sizes_tried(tables: int) -> int:
    """How many sizes are looked at: large rooms take longer, and their sizes differ less."""
    return SIZES_TRIED if tables <= 12 else 3 if tables <= 20 else 1


def _numbers_fit(movement: Movement, size: Size) -> bool:
    try:
        if size.total:
            movement_boards(movement, total=size.total)
        else:
            movement_boards(movement, per_round=size.boards_per_round)
    except MovementError:
        return False
    return True


def _facts_for(
    family: Family, rounds: int, wishes: Wishes, options: Mapping[str, Any]
) -> Facts | None:
    chosen = tuple(sorted(options.items()))
    return _facts(family.name, wishes.pairs, rounds, wishes.missing_line, chosen)


@lru_cache(maxsize=4096)
def _facts(
    family: str, pairs: int, rounds: int, missing_line: str, options: Chosen
) -> Facts | None:
    """Build a movement and read off it what the adviser needs; None where it does not exist."""
    try:
        movement = movement_for(family, pairs, rounds, missing_line, dict(options))
    except MovementError:
        return None
    calls = announcements(turned_back(movement))
    of_pairs = bool(calls) and movement.contest.fills_a_side
    offer = Offer(catalogue.family(family), movement, (Size(movement.rounds, 2),), True)
    plays: dict[str, int] = dict.fromkeys(movement.sets, 0)
    for seating in movement.seatings:
        for name in seating.sets:
            plays[name] += seating.is_played
    measured = balance(movement)
    return Facts(
        movement=movement,
        score=measured.score,
        word=measured.word,
        is_complete=all(
            len(movement.sets_played(c)) == len(movement.sets) for c in movement.contestants
        ),
        meets_all=_meets_all(movement),
        exceptions=_unusual(calls) + _times_the_room_turns(movement),
        needs_cards=any(call.ew is None and call.ns is None for call in calls),
        crossings=_crossings(calls),
        both_lines_move=of_pairs and all(call.ew and call.ns for call in calls),
        walks_far=of_pairs and all(abs(call.ew or 0) > 1 for call in calls),
        needs_carrying=not movement.is_draw
        and 2 * sum(call.boards is None for call in calls) > len(calls),
        has_parts=any(len(movement.at_table(s.round, s.table)) > 1 for s in movement.seatings),
        sharing_tables=offer.sharing_tables,
        stands_after=offer.stands_after,
        longest_sit_out=movement.longest_sit_out,
        stationary=len(movement.at_one_table),
        has_seated_line=len(movement.stationary) >= movement.tables - 1 or has_line(movement),
        has_unequal_plays=len(set(plays.values())) > 1,
        has_break=_has_break(movement),
    )


def _meets_all(movement: Movement) -> bool:
    """Whether nobody misses an opponent but by sitting out: of the other field, or of the other line."""
    met: dict[int, set[int]] = {number: set() for number in movement.contestants}
    for seating in movement.seatings:
        if seating.is_played:
            for number in seating.contestants:
                met[number].update(set(seating.contestants) - {number})
    most = max((len(others) for others in met.values()), default=0)
    if movement.is_one_winner:
        stays = len(movement.at_one_table)
        others = len(movement.contestants) - (stays if has_line(movement) else 1)
        return most >= others
    return most >= min(len(movement.members(field)) for field in movement.fields)


def resized(advice: Advice, size: Size, wishes: Wishes) -> Advice:
    """Return the same movement in another of its sizes, judged by the same wishes."""
    offer = advice.offer
    if size == offer.size:
        return advice
    options = with_numbers(offer.family, wishes.pairs, offer.options)
    wanted = replace(wishes, missing_line=offer.missing_line)
    facts = _facts_for(offer.family, size.rounds, wanted, options)
    if facts is None:
        return advice
    others = tuple(other for other in offer.sizes if other != size)
    return _judged(replace(offer, movement=facts.movement, sizes=(size, *others)), facts, wishes)


def _crossings(calls: Sequence[Announcement]) -> int:
    return min((len(call.others) for call in calls), default=0)


def _unusual(calls: Sequence[Announcement]) -> int:
    """How many calls are not as most are: the same seats may change places after every round."""
    ways = Counter(
        (call.ew, call.ns, frozenset((step.before, step.after) for step in call.others))
        for call in calls
    )
    plain = [way for way in ways if not way[2]]
    usual = max(plain or ways, key=lambda way: ways[way], default=None)
    return len(calls) - ways[usual] if usual else 0


def _times_the_room_turns(movement: Movement) -> int:
    """How often the boards are turned, or turned back, in a switched Mitchell."""
    if not has_line(movement):
        return 0
    stays = movement.at_one_table
    ways = [
        tuple(s.ew in stays for s in movement.in_round(round))
        for round in range(1, movement.rounds + 1)
    ]
    return sum(before != after for before, after in pairwise(ways))


def _has_break(movement: Movement) -> bool:
    """Whether some boards are played before and all others after a break of about the middle."""
    middle = movement.rounds / 2
    for round in range(1, movement.rounds):
        if abs(round - middle) > 1:
            continue
        before = {n for s in movement.seatings if s.round <= round for n in s.sets}
        after = {n for s in movement.seatings if s.round > round for n in s.sets}
        if not before & after:
            return True
    return False


def _judged(offer: Offer, facts: Facts, wishes: Wishes) -> Advice:
    broken = tuple(_broken(offer, facts, wishes))
    cost = sum(COSTS[name] for name in broken) + _habits(offer, facts, wishes)
    return Advice(offer, facts, cost, broken, tuple(_reasons(offer, facts, wishes)))


def _broken(offer: Offer, facts: Facts, wishes: Wishes) -> Iterator[str]:
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


def _counts_for_masterpoints(offer: Offer) -> bool:
    """At least 24 boards, 75 % of the boards in play, and rounds for 70 % of the sets (QBA; EBU)."""
    scheduled = offer.size.boards
    sets_a_round = len(offer.movement.sets) / max(1, offer.movement.rounds)
    rounds = offer.movement.rounds * max(1, round(sets_a_round) if sets_a_round >= 2 else 1)
    return (
        scheduled >= 24
        and scheduled >= 0.75 * offer.boards_prepared
        and rounds >= 0.7 * len(offer.movement.sets)
    )


def minutes_of(size: Size, wishes: Wishes) -> int:
    """How long the evening takes, without a break."""
    return size.rounds * size.boards_per_round * wishes.minutes_per_board


def _habits(offer: Offer, facts: Facts, wishes: Wishes) -> float:
    size, movement = offer.size, facts.movement
    return (
        COSTS["unevenness"] * (100 - facts.score)
        + _comfort(offer, facts, wishes)
        + COSTS["copy"] * (movement.copies - 1)
        + COSTS["parts"] * facts.has_parts
        + COSTS["cards"] * facts.needs_cards
        + COSTS["card_round"] * facts.needs_cards * max(0, size.rounds - EASY_ROUNDS)
        + COSTS["exception"] * min(3, facts.exceptions)
        + COSTS["crossing"] * min(4, facts.crossings)
        + COSTS["both_lines"] * facts.both_lines_move
        + COSTS["far"] * facts.walks_far
        + COSTS["late_pair"] * _lacks_late_pair(facts, wishes)
        + _length(size)
        + COSTS["small_field"] * _lacking_in_fields(movement)
        + COSTS["unequal_plays"] * facts.has_unequal_plays
        + COSTS["unequal_half"] * (facts.has_unequal_plays and facts.longest_sit_out > 0)
    )


def _comfort(offer: Offer, facts: Facts, wishes: Wishes) -> float:
    """What it costs to sit out, to share and to carry boards."""
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


def _length(size: Size) -> float:
    """What it costs that rounds are few, long or short."""
    too_few = max(0, ENOUGH_ROUNDS - size.rounds)
    return (
        COSTS["few_rounds"] * too_few
        + COSTS["fewer_rounds"] * too_few**2
        + COSTS["long_round"] * max(0, size.boards_per_round - PLEASANT_BOARDS[-1])
        + COSTS["short_round"] * (size.boards_per_round < PLEASANT_BOARDS[0])
        + COSTS["short_set"] * _lacking_in_last_set(size)
    )


def _lacking_in_last_set(size: Size) -> int:
    return size.rounds * size.boards_per_round - size.total if size.total else 0


def _lacking_in_fields(movement: Movement) -> int:
    """How many more each of two fields should have: to beat four others is no evening."""
    if not movement.contest.fills_a_side or movement.is_one_winner:
        return 0
    lacking = ENOUGH_IN_FIELD - max(len(movement.members(field)) for field in movement.fields)
    return max(0, min(3, lacking))


def _lacks_late_pair(facts: Facts, wishes: Wishes) -> bool:
    """Whether a late pair is likely and would be trouble; in a small room all sit down anew at once."""
    is_large = facts.movement.tables >= ENOUGH_IN_FIELD
    return wishes.late_pair and is_large and not _takes_late_pair(facts)


def _takes_late_pair(facts: Facts) -> bool:
    """A line that stays seated lets a rover take its places; a half table has a seat free."""
    has_free_seat = any(not seating.is_played for seating in facts.movement.in_round(1))
    return has_free_seat or facts.has_seated_line


def _evens_vulnerability(offer: Offer) -> bool:
    """Four boards in a row have each vulnerability once; a shorter last set has not.

    Both teams of a match hold both sides of every board.
    """
    if offer.movement.contest.has_halves:
        return True
    return offer.size.boards_per_round % 4 == 0 and not offer.size.total


def _reasons(offer: Offer, facts: Facts, wishes: Wishes) -> Iterator[Reason]:
    """The facts worth a sentence, the strongest first, for before against."""
    size, movement = offer.size, facts.movement
    fewest, most = offer.boards_played
    if facts.score >= 90:
        yield Reason(
            "fair" if facts.word == "very even" else "even", True, (("score", facts.score),)
        )
    if facts.is_complete and not facts.longest_sit_out:
        yield Reason("all_boards", True)
    if not facts.needs_cards and facts.exceptions == 0:
        yield Reason("simple", True)
    if wishes.late_pair and _takes_late_pair(facts):
        yield Reason("late_pair", True)
    if wishes.stationary and facts.stationary >= wishes.stationary:
        yield Reason("stationary", True, (("count", facts.stationary),))
    if wishes.break_after_half and facts.has_break:
        yield Reason("break", True)
    if wishes.caddies and (facts.needs_carrying or facts.stands_after):
        yield Reason("caddies", True)
    if movement.is_one_winner and wishes.winners == 1:
        yield Reason("one_winner", True)
    if wishes.imps and _evens_vulnerability(offer):
        yield Reason("vulnerability", True)
    broken = tuple(_broken(offer, facts, wishes))
    for name in broken:
        yield Reason(f"not_{name}", False, (("boards", size.boards), ("count", facts.stationary)))
    if facts.longest_sit_out:
        yield Reason(
            "sits_out" if _somebody_always_sits_out(movement) else "sits_out_at_times",
            False,
            (("rounds", facts.longest_sit_out), ("boards", most - fewest)),
        )
    if facts.sharing_tables and "sharing" not in broken:
        yield Reason("shares", False, (("tables", facts.sharing_tables),))
    if facts.stands_after and not wishes.caddies and "stands" not in broken:
        yield Reason("stands", False, (("tables", facts.stands_after),))
    if facts.needs_carrying and not wishes.caddies:
        yield Reason("carrying", False)
    if movement.copies > 1 and "copies" not in broken:
        yield Reason("copies", False, (("count", movement.copies),))
    if facts.has_parts:
        yield Reason("parts", False)
    if facts.needs_cards:
        yield Reason("cards", False)
    elif facts.exceptions:
        yield Reason("exceptions", False, (("count", facts.exceptions),))
    if facts.score < 80:
        yield Reason(
            "uneven" if facts.word == "uneven" else "fairly_even", False, (("score", facts.score),)
        )
    if not facts.is_complete and not facts.longest_sit_out:
        yield Reason("not_all_boards", False, (("played", most), ("all", offer.boards_prepared)))
    if size.boards_per_round > PLEASANT_BOARDS[-1]:
        yield Reason("long_rounds", False, (("boards", size.boards_per_round),))
    if facts.has_unequal_plays:
        yield Reason("unequal_plays", False)
    if wishes.imps and not _evens_vulnerability(offer):
        yield Reason("no_vulnerability", False)
    if wishes.late_pair and not _takes_late_pair(facts):
        yield Reason("no_late_pair", False)


def _somebody_always_sits_out(movement: Movement) -> bool:
    return all(
        len({c for s in movement.in_round(round) if s.is_played for c in s.contestants})
        < len(movement.contestants)
        for round in range(1, movement.rounds + 1)
    )


def without_wish(wishes: Wishes, name: str) -> Wishes:
    """Return the wishes with one given up, so that a page can offer it as a link.

    >>> without_wish(Wishes(16, winners=1), "winners").winners is None
    True
    """
    free = Wishes(wishes.pairs)
    fields = {
        "boards": {"fewest_boards": 1, "most_boards": 120},
        "time": {"minutes": None},
        "winners": {"winners": None},
        "sit_out": {"longest_sit_out": None},
        "stationary": {"stationary": 0},
        "copies": {"copies": 9},
        "sharing": {"sharing": True},
        "stands": {"stands": True},
        "masterpoints": {"masterpoints": False},
        "break": {"break_after_half": free.break_after_half},
    }
    return replace(wishes, **fields[name])  # type: ignore[arg-type]
