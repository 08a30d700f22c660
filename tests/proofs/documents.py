"""The document of a session that the app has put together, as JSON that the command line reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from fractions import Fraction
from typing import Any

from bridgebuddy.scoring.rules import model
from bridgebuddy.scoring.rules.model import (
    ArtificialScore,
    AssignedScore,
    Contract,
    NotPlayed,
    Outcome,
    PassedOut,
    PendingResult,
    Play,
    ScoreOnly,
)
from bridgebuddy.scoring.rules.profile import Profile
from bridgebuddy.scoring.snapshot.document import SessionDocument


def as_json(document: SessionDocument) -> dict[str, Any]:
    """Return a document that says the same, as JSON has it."""
    session = document.session
    return {
        "name": session.name,
        "contest": str(session.contest),
        "profile": _profile(document.profile),
        "stage": None if session.stage is None else _plain(session.stage),
        "sections": [
            {"section": section.name, **_said(section, "name")} for section in session.sections
        ],
        "contestants": [_contestant(contestant) for contestant in session.contestants],
        "plays": [_play(play) for play in session.plays],
        "sit_outs": [_of(item) for item in session.sit_outs],
        "deals": [_said(deal) for deal in session.deals],
        "penalties": [_of(penalty) for penalty in session.penalties],
        "matches": [_match(match) for match in session.matches],
    }


def _plain(value: object) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, Contract):
        return str(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return _said(value) if hasattr(value, "__dataclass_fields__") else value


def _said(value: Any, *but: str) -> dict[str, Any]:
    """Return all facts of an object, except for some of its names."""
    names = [field.name for field in fields(value) if field.name not in but]
    found = {name: _plain(getattr(value, name)) for name in names}
    return {name: item for name, item in found.items() if item is not None}


def _named(value: object, names: Iterable[str]) -> dict[str, Any] | None:
    return dict(zip(names, _plain(value), strict=True)) if value else None


def _contestant(one: model.Contestant) -> dict[str, Any]:
    earlier = [
        {"vps": str(before.points)}
        if isinstance(before, model.InPoints)
        else {
            "score": str(before.percent * before.top / 100),
            "max": str(before.top),
            "boards": str(before.boards),
        }
        for before in one.earlier
    ]
    who = {"section": one.who.section, "label": one.who.label}
    return who | _said(one, "who", "earlier") | {"earlier": earlier}


def _of(one: model.SitOut | model.Penalty) -> dict[str, Any]:
    who = {"section": one.who.section, "contestant": one.who.label}
    return who | _said(one, "who", "path")


def _play(one: Play) -> dict[str, Any]:
    seats = ("ns", "ew") if len(one.ns) == 1 else ("n", "s", "e", "w")
    found = _said(one, "index", "ns", "ew", "outcome")
    outcome = _outcome(one.outcome)
    return dict(zip(seats, (*one.ns, *one.ew), strict=True)) | found | {"outcome": outcome}


def _outcome(outcome: Outcome) -> dict[str, Any] | None:
    match outcome:
        case PassedOut():
            return {"passed": True}
        case PendingResult():
            return {"pending": True}
        case ScoreOnly() | model.PlayedContract():
            return _said(outcome)
        case AssignedScore(ns, ew):
            return {"assigned": {"ns": _parts(ns), "ew": _parts(ew)}}
        case ArtificialScore(ns, ew, outside):
            return {"artificial": {"ns": _plain(ns), "ew": _plain(ew)}, "outside": outside}
        case NotPlayed(reason, side):
            return {"not_played": reason, "side": side}
    return None


def _parts(parts: model.Parts) -> list[list[Any]]:
    """Weights in per cent where that is a whole number."""
    return [
        [int(100 * weight) if 100 % weight.denominator == 0 else str(weight), score]
        for weight, score in parts
    ]


def _match(one: model.Match) -> dict[str, Any]:
    sides = {"away": one.away, "given": _named(one.given, ("home", "away")), "void": None}
    if one.void is not None:
        sides["void"] = dict(zip(("home", "away"), map(_plain, one.void), strict=True))
    return _said(one, "index", "given", "void") | sides


def _profile(one: Profile) -> dict[str, Any]:
    datum = _said(one.datum, "least") | {"trim": one.datum.trim, "from": one.datum.least}
    found = _said(one, "datum", "handicap", "half", "places", "board_places")
    return found | {
        "board_places": one.board_places,
        "vp": _plain(one.vp),
        "vp_floor": _plain(one.vp_floor),
        "datum": datum,
        "handicap": _named(one.handicap, ("factor", "last")),
        "display": {"half": one.half, "places": one.places},
    }
