"""Directors' rulings in the form of the rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ..models import MatchRuling, Penalty
from ..rules import model
from ..rules.document import read_unit
from ..rules.model import ContestantKey, Match
from ..rules.outcomes import read_award
from ..rules.reading import DocumentNode

Kind = MatchRuling.Kind


def penalty_of(penalty: Penalty, contestant: ContestantKey) -> model.Penalty:
    """Convert a stored penalty to the form of the scoring rules."""
    unit, where = read_unit(DocumentNode(penalty.unit, "unit")), (penalty.board, penalty.round)
    report = (penalty.kind, penalty.reason, str(penalty.by or ""))
    return model.Penalty(contestant, unit, Fraction(penalty.amount), *where, *report)


def match_with_ruling(match: Match, ruling: MatchRuling, home: int) -> Match:
    """Return a match with a ruling instead of an earlier one; `home` is the entry key of the first team."""
    ruled_match = replace(match, given=None, void=None, missing=None, wrong_seats=None)
    is_home = ruling.one_id == home
    match ruling.kind:
        case Kind.GIVEN | Kind.MISMATCH:
            one, other = Fraction(ruling.one_points or 0), Fraction(ruling.other_points or 0)
            return replace(ruled_match, given=(one, other) if is_home else (other, one))
        case Kind.VOID:
            first = read_award(DocumentNode(ruling.one_award, "void"))
            second = read_award(DocumentNode(ruling.other_award, "void"))
            return replace(ruled_match, void=(first, second) if is_home else (second, first))
        case Kind.MISSING:
            return replace(ruled_match, missing="home" if is_home else "away")
    return replace(ruled_match, wrong_seats="sides" if ruling.kind == Kind.SIDES else "director")
