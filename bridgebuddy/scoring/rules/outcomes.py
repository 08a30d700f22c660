"""Outcomes of plays in documents and results: read, checked and written.

An outcome is one of `{contract, declarer, tricks, lead?}`, `{passed: true}`, `{pending: true}`, `{score, beside?}`,
`{assigned: {ns, ew?}}`, `{artificial: {ns, ew}, outside?}` and `{not_played, side?}`.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any

from . import laws
from .errors import OutOfRange, ScoringError
from .model import (
    LINES,
    ArtificialScore,
    AssignedScore,
    Award,
    Contract,
    NotPlayed,
    Outcome,
    PartialContract,
    Parts,
    PassedOut,
    PendingResult,
    PlayedContract,
    RefusedOutcome,
    ScoreOnly,
    Strain,
)
from .reading import DocumentNode

_CONTRACT = re.compile(r"([1-7])(NT?|[CDHS])(x{0,2})", re.IGNORECASE)
#: a pass-out that claims to be doubled, as a contract
_DOUBLED_PASS = re.compile(r"(p|ap|pass|passed|0 ?(NT?|[CDHS])?) ?x{1,2}", re.IGNORECASE)
_CARD = re.compile(r"[SHDC](10|[2-9TJQKA])")
_MOST_PARTS, _MOST_TRICKS = 5, 13
#: usual keys of a played contract
PLAYED = dict.fromkeys(("contract", "declarer", "tricks", "lead"))
#: keys allowed beside the main key of an outcome; null counts as absent
BESIDE = ("declarer", "tricks", "lead", "beside", "outside", "side", "doubled")


def read_outcome(outcome: Mapping[str, Any] | None, board: int) -> Outcome:
    """Return the outcome that JSON data describe, for a board. Raises `ScoringError` also if it is impossible."""
    outcome_read = outcome_of_play(DocumentNode(outcome, ""))
    for problem in laws.impossible_outcome(board, outcome_read):
        raise ScoringError("", problem)
    return outcome_read


def stored_outcome(outcome: Mapping[str, Any] | None) -> Outcome:
    """Return the outcome of stored JSON data; if it cannot be read, a `RefusedOutcome`."""
    if outcome is not None and outcome.keys() <= PLAYED.keys():
        with suppress(TypeError):  # a list, which is no part of a contract
            return _read_bid(*{**PLAYED, **outcome}.values())
    return read_or_refuse(DocumentNode(outcome, ""))


@lru_cache(5_000, typed=True)  # hundreds of results with few different values
def _read_bid(*said: Hashable) -> Outcome:
    """Return the outcome with this contract, declarer, tricks and lead; cached, because results repeat."""
    return read_or_refuse(DocumentNode(dict(zip(PLAYED, said, strict=True)), ""))


def read_or_refuse(node: DocumentNode) -> Outcome:
    """Return the outcome of a play's JSON node; a `RefusedOutcome` if it cannot be read or is impossible."""
    try:
        return outcome_of_play(node)
    except OutOfRange as error:
        return RefusedOutcome(error.path, error.sentence, is_impossible=True)
    except ScoringError as error:
        return RefusedOutcome(error.path, error.what)


def outcome_of_play(node: DocumentNode) -> Outcome:
    """Return the outcome of a play's JSON node. Raises `ScoringError`."""
    if node.is_absent:
        return None
    if not isinstance(node.value, dict):
        node.raise_error("is no object")
    kinds = {
        "contract": _read_played,
        "passed": _read_pass_out,
        "pending": _read_pending,
        "score": _read_score,
        "assigned": _read_assigned,
        "artificial": _read_artificial,
        "not_played": _read_not_played,
    }
    keys = (*kinds, *BESIDE)
    given_keys = {
        key: value for key, value in node.value.items() if value is not None or key not in keys
    }
    for key, read in kinds.items():
        if key in given_keys:
            return read(DocumentNode(given_keys, node.path))
    DocumentNode(given_keys, node.path).keys(*keys)
    node.raise_error("says nothing of what came of the play")


def _read_played(node: DocumentNode) -> Outcome:
    """Return the outcome of a JSON node with a contract."""
    node.keys("contract", "declarer", "tricks", "lead")
    contract, tricks = _read_contract(node["contract"]), _read_tricks(node["tricks"])
    lead = node["lead"].optional_text()
    if lead is not None and not _CARD.fullmatch(lead):
        node["lead"].raise_error(f"{lead!r} is no card")
    return (
        PlayedContract(
            contract,
            _read_declarer(node["declarer"]),
            tricks,
            lead,
        )
        if not node["declarer"].is_absent
        else node["declarer"].raise_error("is missing")
    )


def _read_tricks(node: DocumentNode, *, is_beside: bool = False) -> int:
    """Return declarer's tricks, 0 to 13; beside a typed score larger numbers are allowed, and only shown."""
    tricks = node.whole()
    if tricks < 0:
        raise OutOfRange(node.path, f"{tricks} is less than 0")
    if tricks > _MOST_TRICKS and not is_beside:
        raise OutOfRange(node.path, f"{tricks} is more than {_MOST_TRICKS}")
    return tricks


def _read_declarer(node: DocumentNode) -> Any:
    """Return declarer's seat from a JSON node."""
    try:
        return node.one_of("N", "E", "S", "W")
    except ScoringError as error:
        raise OutOfRange(error.path, error.what) from None


def _read_contract(node: DocumentNode) -> Contract:
    """Return the contract in a JSON node: level, strain and doubling."""
    written = node.text()
    match = _CONTRACT.fullmatch(written)
    if not match:
        is_doubled_pass = _DOUBLED_PASS.fullmatch(written)
        why = "is a doubled pass-out" if is_doubled_pass else "is no contract"
        raise OutOfRange(node.path, f"{written!r} {why}")
    strain: Strain = match[2][0].upper()  # type: ignore[assignment]
    return Contract(int(match[1]), strain, len(match[3]))


def _read_pass_out(node: DocumentNode) -> Outcome:
    """Return the outcome of a passed-out board from its JSON node."""
    if not node["doubled"].is_absent:
        raise OutOfRange(node["doubled"].path, "cannot be said of a pass-out")
    node.keys("passed")
    return PassedOut() if node["passed"].boolean() else node["passed"].raise_error("is not true")


def _read_pending(node: DocumentNode) -> Outcome:
    """Return the outcome "result pending: to be played later" from its JSON node."""
    node.keys("pending")
    return (
        PendingResult() if node["pending"].boolean() else node["pending"].raise_error("is not true")
    )


def _read_score(node: DocumentNode) -> Outcome:
    """Return the outcome of a directly typed score from its JSON node."""
    node.keys("score", "beside")
    beside = node["beside"]
    if beside.is_absent:
        return ScoreOnly(node["score"].whole())
    beside.keys("contract", "declarer", "tricks", "lead")
    contract = beside["contract"]
    partial = PartialContract(
        None if contract.is_absent else _read_contract(contract),
        None if beside["declarer"].is_absent else _read_declarer(beside["declarer"]),
        None if beside["tricks"].is_absent else _read_tricks(beside["tricks"], is_beside=True),
        beside["lead"].optional_text(),
    )
    return ScoreOnly(node["score"].whole(), None if partial == PartialContract() else partial)


def _read_assigned(node: DocumentNode) -> Outcome:
    """Return the assigned adjusted score in a JSON node."""
    node.keys("assigned")
    both = node["assigned"].keys("ns", "ew")
    ns = _read_weighted_parts(both["ns"])
    return AssignedScore(ns, ns if both["ew"].is_absent else _read_weighted_parts(both["ew"]))


def _read_weighted_parts(node: DocumentNode) -> Parts:
    """Return the weights and scores of an assigned score in a JSON node."""
    parts: list[tuple[Fraction, int]] = []
    for part in node:
        if not isinstance(part.value, list | tuple) or len(part.value) != 2:
            part.raise_error("is not a weight and a score")
        weight, score = part
        parts.append((_read_weight(weight), score.whole()))
    if not 1 <= len(parts) <= _MOST_PARTS:
        node.raise_error(f"has {len(parts)} parts, not 1 to {_MOST_PARTS}")
    if (total := sum(weight for weight, _ in parts)) != 1:
        node.raise_error(f"weights add to {float(100 * total):g} %, not 100")
    return tuple(parts)


def _read_artificial(node: DocumentNode) -> Outcome:
    """Return the artificial adjusted score in a JSON node."""
    node.keys("artificial", "outside")
    both = node["artificial"].keys("ns", "ew")
    return ArtificialScore(
        read_award(both["ns"]), read_award(both["ew"]), node["outside"].boolean()
    )


def _read_not_played(node: DocumentNode) -> Outcome:
    """Return the outcome of a board that was not played from its JSON node, with the reason."""
    node.keys("not_played", "side")
    reason = node["not_played"].one_of("time", "skipped", "sit-out", "missing", "cancelled")
    return NotPlayed(reason, node["side"].optional_one_of(*LINES))


def _read_weight(node: DocumentNode) -> Fraction:
    """Return the weight of a part of an assigned score, from a fraction or a percentage."""
    if isinstance(node.value, str):
        try:
            above, below = node.value.split("/")
            value = Fraction(int(above), int(below))
        except (ValueError, ZeroDivisionError):
            node.raise_error(f"{node.value!r} is no fraction")
    else:
        value = node.number() / 100
    if not 0 < value <= 1:
        node.raise_error("is no share of 100 %")
    return value


def read_award(node: DocumentNode) -> Award:
    """Return a side's award in an artificial score: AVE+, AVE, AVE-, a percentage or IMPs."""
    if node.is_absent:
        return None
    if isinstance(node.value, str):
        return node.one_of("AVE+", "AVE", "AVE-")  # type: ignore[no-any-return]
    return node.number()
