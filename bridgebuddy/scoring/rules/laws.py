"""Impossible and unlikely results. The module shares no code with the methods of scoring."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction

from bridgebuddy.deals.rules.hands import hands_of_deal

from .errors import ScoringError
from .model import (
    ArtificialScore,
    AssignedScore,
    Compass,
    Contract,
    Outcome,
    PartialContract,
    PassedOut,
    Play,
    PlayedContract,
    RefusedOutcome,
    ScoreOnly,
    Session,
)
from .points import DEALERS, declarers_score, is_vulnerable, possible_scores, single_score
from .profile import AverageLimits

_FEWEST_TRICKS = 3
_LARGE_PENALTY = 1400
_MOST_FROM_DOUBLE_DUMMY = 3
_FEWEST_OTHERS = 4
_FEWEST_IN_GAME = 3
#: default averages: of a top, and in IMPs
USUAL = AverageLimits()
AVERAGES = {"AVE+": USUAL.plus, "AVE": Fraction(50), "AVE-": USUAL.minus}
IMPS_OF_AVERAGES = {"AVE+": USUAL.imps, "AVE": Fraction(0), "AVE-": -USUAL.imps}
_GAME = {"C": 5, "D": 5, "H": 4, "S": 4, "N": 3}


def impossible_outcomes(session: Session) -> list[tuple[int, ScoringError]]:
    """Return every outcome of a session that the laws do not allow: the play's index, and the error."""
    hands_of = _hands_by_board(session)
    return [
        (play.index, ScoringError(_path_of_play(play), problem))
        for play in session.plays
        for problem in impossible_outcome(
            play.board, play.outcome, hands_of.get((play.section, play.board))
        )
    ]


def _path_of_play(play: Play) -> str:
    """Return the path of a play in the scoring document, for error messages."""
    if isinstance(play.outcome, RefusedOutcome) and not play.outcome.is_impossible:
        return play.outcome.path
    return f"plays[{play.index}] ({play.place})"


def impossible_outcome(
    board: int, outcome: Outcome, dealt: dict[Compass, frozenset[str]] | None = None
) -> Iterator[str]:
    """Yield the reasons why a board cannot have this outcome, by the laws and by the hands if known."""
    match outcome:
        case ScoreOnly(score):
            yield from _impossible_score(board, score)
        case AssignedScore(ns, ew):
            for score in sorted({score for _, score in (*ns, *ew)}):
                yield from _impossible_score(board, score)
        case PlayedContract(declarer=declarer, lead=str() as lead) if dealt is not None:
            leader = DEALERS[(DEALERS.index(declarer) + 1) % 4]
            if normal_card(lead) not in dealt[leader]:
                yield f"{lead} was not in {leader}'s hand"
        case RefusedOutcome(what=what):
            yield what


def _impossible_score(board: int, score: int) -> Iterator[str]:
    """Yield an error if no contract can give this score on the board."""
    if score not in possible_scores(board):
        yield f"N-S {score:+} is impossible"


def unlikely_results(session: Session) -> list[tuple[str, str]]:
    """Return results that a scorer should check, as (path, reason); none of them is certainly wrong."""
    warnings: list[tuple[str, str]] = []
    dealt = {(deal.section, deal.board): deal for deal in session.deals}
    boards: dict[tuple[str, int], list[Play]] = defaultdict(list)
    for play in session.plays:
        boards[play.section, play.board].append(play)
    for (section, board), plays in boards.items():
        deal = dealt.get((section, board)) or dealt.get((None, board))
        scores = [single_score(board, play.outcome) for play in plays]
        signs = Counter((score > 0) - (score < 0) for score in scores if score is not None)
        in_game = sum(_is_game_contract(play.outcome) for play in plays)
        for play, score in zip(plays, scores, strict=True):
            problems = [
                *_unlikely_by_itself(play),
                *_unlikely_among_results(play, score, signs, in_game),
            ]
            if deal and deal.dd:
                problems += _far_from_double_dummy(play, deal.dd)
            warnings += [(f"plays[{play.index}] ({play.place})", problem) for problem in problems]
    return warnings


def excessive_adjustments(session: Session, *, in_per_cent: bool) -> Iterator[tuple[str, str]]:
    """Yield plays whose two adjusted scores sum to more than 100 % although no side is called without fault."""
    for play in session.plays:
        if exceeds_full_score(play.outcome, in_per_cent=in_per_cent):
            there_is = "100 %" if in_per_cent else "there is"
            reason = f"both sides together have more than {there_is}"
            yield f"plays[{play.index}] ({play.place})", reason


def exceeds_full_score(outcome: Outcome, *, in_per_cent: bool) -> bool:
    """Return whether two artificial scores sum to more than 100 % without an outside cause."""
    if not isinstance(outcome, ArtificialScore) or outcome.outside:
        return False
    usual = AVERAGES if in_per_cent else IMPS_OF_AVERAGES
    awards = [adjustment for adjustment in (outcome.ns, outcome.ew) if adjustment is not None]
    both = [usual[award] if isinstance(award, str) else award for award in awards]
    return len(both) > 1 and sum(both) > (100 if in_per_cent else 0)


def _unlikely_by_itself(play: Play) -> Iterator[str]:
    """Yield the reasons why an outcome is unlikely whatever the other tables' results."""
    outcome = play.outcome
    if isinstance(outcome, PlayedContract):
        if outcome.tricks <= _FEWEST_TRICKS:
            yield f"declarer made only {outcome.tricks} tricks"
        points = declarers_score(
            outcome.contract,
            outcome.tricks,
            vulnerable=is_vulnerable(play.board, outcome.declarer),
        )
        if points <= -_LARGE_PENALTY:
            yield f"a penalty of {-points}"
        if outcome.contract.doubled == 2:
            yield "redoubled"
    if isinstance(outcome, ScoreOnly) and _contradicts_typed_score(play, outcome):
        yield "the score is not that of the contract beside it"


def _contradicts_typed_score(play: Play, outcome: ScoreOnly) -> bool:
    """Return whether a typed score differs from the score of the contract and tricks typed with it."""
    match outcome.beside:
        case PartialContract(Contract() as contract, str(declarer), int(tricks)):
            played = PlayedContract(contract, declarer, tricks)
            return single_score(play.board, played) != outcome.score
    return False


def _unlikely_among_results(
    play: Play, score: int | None, signs: Counter[int], in_game: int
) -> Iterator[str]:
    """Yield the reasons why a result is unlikely in comparison with the board's other results."""
    others = signs.total() - 1
    if score and others >= _FEWEST_OTHERS and signs[-1 if score > 0 else 1] == others:
        yield "the other side scored at every other table"
    if isinstance(play.outcome, PassedOut) and in_game >= _FEWEST_IN_GAME:
        yield f"passed out where {in_game} bid game"


def _is_game_contract(outcome: Outcome) -> bool:
    """Return whether an outcome is a contract worth the game bonus (doubling not counted), or a slam."""
    return isinstance(outcome, PlayedContract) and (
        outcome.contract.level >= _GAME[outcome.contract.strain]
    )


def _far_from_double_dummy(play: Play, makeable: object) -> Iterator[str]:
    """Yield an error if declarer's tricks differ widely from double-dummy play."""
    if not isinstance(play.outcome, PlayedContract) or not isinstance(makeable, dict):
        return
    tricks = makeable.get(play.outcome.declarer, {})
    if isinstance(tricks, dict):
        best = tricks.get(play.outcome.contract.strain, tricks.get("NT"))
        if best is not None and abs(play.outcome.tricks - int(best)) > _MOST_FROM_DOUBLE_DUMMY:
            yield f"{play.outcome.tricks} tricks, double dummy {int(best)}"


# ── cards ──


def normal_card(card: str) -> str:
    """Return a written card in the usual notation, suit before rank: "ST".

    >>> normal_card("S10")
    'ST'
    """
    return card.replace("10", "T")


def _hands_by_board(session: Session) -> dict[tuple[str, int], dict[Compass, frozenset[str]]]:
    """Return the hands of a session by section and board."""
    hands_of_boards: dict[tuple[str, int], dict[Compass, frozenset[str]]] = {}
    for deal in session.deals:
        dealt = hands_of_deal(deal.pbn)
        if dealt is not None:
            names = (
                [deal.section] if deal.section else [section.name for section in session.sections]
            )
            hands_of_boards |= {(name, deal.board): dealt for name in names}
    return hands_of_boards
