"""Short forms of proposals for tests."""

import json
from pathlib import Path

from movements.engine import catalogue
from movements.engine.changes import proposals
from movements.engine.files import document

REFERENCE = Path(__file__).parent.parent / "data" / "reference"


def found(movement, fixed, change, kind=None):
    """The proposals for a change, all or of one kind. The movement may be (family, tables, rounds)."""
    if isinstance(movement, tuple):
        movement = catalogue.build_movement(*movement)
    return [
        proposal
        for proposal in proposals(movement, fixed, change)
        if kind is None or proposal.kind == kind
    ]


def kinds(movement, fixed, change):
    return [row.kind for row in found(movement, fixed, change)]


def shown(movement, first=1):
    """Return the rounds of a movement from `first` on as text: 1-8:A, with - for an empty seat."""
    return [
        "  ".join(f"{s.ns or ''}-{s.ew or ''}:{'+'.join(s.sets)}" for s in movement.in_round(round))
        for round in range(first, movement.rounds + 1)
    ]


def path(proposal):
    """Return the newcomer's table in every round in which it plays."""
    return {
        s.round: s.table for s in proposal.movement.seatings_of(proposal.newcomer) if s.is_played
    }


def waits(movement):
    """Return the labels that sit out in every round."""
    return [
        [movement.label(number) for number, _ in movement.sit_outs(round)]
        for round in range(1, movement.rounds + 1)
    ]


def printed(name):
    """A printed movement of the reference."""
    data = json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))
    return document.read_movement(data).movement


def without_names(movement):
    """Return every seating with the index of its sets, whatever their names."""
    places = {name: place for place, name in enumerate(movement.sets)}
    return [
        (s.round, s.table, s.ns, s.ew, tuple(places[name] for name in s.sets))
        for s in movement.seatings
    ]
