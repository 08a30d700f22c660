"""Records of every change, word for word: disputes about results are settled with them."""

import pytest
from django.db import transaction

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Entry, Section
from tests.events.states import bystanders, section_in
from tests.events.test_guards import TABLE, reason_for, with_a_substitute

pytestmark = pytest.mark.django_db

LAST, LATE, ANEW = "Anna North6 & Bob South6", "Eve Engel & Max O’Reid", "Anna Nordt & Zoë Neu"


def renamed(was):
    return 2 * [("rename", {"before": was, "after": ANEW})]


def substitutes(entry, out, round):
    """Return the records of substitutes: for the last pair, and for a pair that has one, a new one or the owner."""
    from_now, ever = {"from_round": round}, {"until_round": None}
    third = {"entry": "pair 3", "out": "Bob South3"}
    corrected = {**third, "before": "Ida Stein", "substitute": "Zoë Neu", "from_round": 2, **ever}
    return [
        ("substitute", {"entry": entry, "out": out, "substitute": "Zoë Neu", **from_now, **ever}),
        ("substitute_corrected", corrected),
        ("substitute_back", {**third, "substitute": "Ida Stein", **from_now, **ever}),
    ]


def departure_record(from_round, played):
    """The first pair leaves."""
    of = {"names": "Anna North1 & Bob South1", "contestant": "NS 1", "back": False}
    boards = {"boards_played": played, "boards_planned": 9}
    return ("live_change", {"change": "half-table", "from_round": from_round, **of, **boards})


def rover(change):
    """Return the record of a late pair's change, undone or done again."""
    place = {"ns": 1, "rounds": 1, "of": 1, "exchange": 0}
    of = {"kind": "rover", "from_round": 3, "names": LATE, "back": False}
    return ("live_change", {"change": change, **of, **place})


ROUND, DATE = {"round": 2}, {"name": "Tuesday Pairs", "date": "2026-11-24"}
TURNED = {"change": "as-played", "from_round": 2, "names": "", "back": False, "table": 1, **ROUND}

#: by the state of a section; in most only what is recorded there alone
RECORDED = {
    "seated": [
        ("enter", {"pairs": [["Eve Adams", "Max Late"]]}),
        ("withdraw", {"names": LAST}),
        ("strengths", {"people": 1}),
        *renamed(LAST),
        *substitutes("pair 6", "Bob South6", 1),
        ("movement", {"family": "howell", "rounds": 5}),
        ("movement", {"family": "Ours", "rounds": 5}),
        ("seat", {"method": "random", "seed": 7}),
        ("swap", {"one": 1, "other": 2}),
        ("switch", {"level": "rounds", "switches": 1}),
        ("switch", {"level": "none", "switches": 0}),
        ("change", {"name": "Spring Cup"}),
        ("renew_code", {}),
        *2 * [("delete", DATE)],
        *2 * [("next_round", {"round": 1})],
        ("clocks", {"common": True}),
        ("break", {"after": 1, "minutes": 10}),
        departure_record(1, 0),
    ],
    "running": [
        ("strengths", {"people": 1}),
        *renamed(LAST),
        *substitutes("pair 6", "Bob South6", 2),
        ("change", {"name": "Spring Cup"}),
        ("renew_code", {}),
        ("delete", DATE),
        *2 * [("next_round", {"round": 3})],
        ("clocks", {"common": True}),
        ("back", {"round": 1}),
        ("finish", ROUND),
        ("pause", ROUND),
        ("minute", ROUND),
        ("break", {"after": 2, "minutes": 10}),
        departure_record(3, 6),
        ("live_change", TURNED),
    ],
    "paused": [("resume", ROUND)],
    "finished": [("back", ROUND)],
    "changed": [rover("undo")],
    "waiting": [("withdraw", {"names": LATE}), rover("redo")],
}


def records_of(section, row, by):
    """Return the records of a service with the arguments of `test_guards`; all changes are rolled back."""
    asked = row.asked(section)
    if asked is None:
        return None
    old = Section(pk=section.pk)
    if row.takes_an_entry:
        old = Entry(pk=section.entries.last().pk, section=old)
    last = AuditRecord.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    with transaction.atomic():
        try:
            row.service(old, **asked, **reason_for(row), by=by)
        except ChangeRefused:
            return None
        found = list(AuditRecord.objects.filter(pk__gt=last).values_list("action", "facts"))
        places = {entry.pk: entry.position for entry in Entry.objects.filter(section=section)}
        transaction.set_rollback(True)
    if not found:
        return None
    [(action, facts)] = found
    facts.pop("plan", None)  # test_guards has it
    if "entry" in facts:
        facts["entry"] = f"pair {places[facts['entry']]}"
    return action.removeprefix("section."), facts


@pytest.mark.parametrize("state", RECORDED)
def test_what_is_recorded(club, alice, state):
    bystanders(club, alice)
    section = section_in(state, club, alice)
    with_a_substitute(section, alice)
    section = Section.objects.get(pk=section.pk)

    found = [record for row in TABLE if (record := records_of(section, row, alice))]

    assert [item for item in RECORDED[state] if item not in found] == []
