"""Whether a table's page still shows all there is, when results have come in somewhere in its section."""

from __future__ import annotations

import json
from hashlib import blake2b

from bridgebuddy.scoring.models import Result

from ..models import Call, Claim, Swapped

SIZE = 8  # bytes: two states of a table that are the same by chance are not met with


def mark_of(section: int, table: int) -> str:
    """Return what tells two states of a table of a section (by its key) apart, as far as results go. Four queries.

    It holds all that a page of the table shows and that counts in `results` alone: what stands, what the sides have
    said, who sits in whose chair, and an open call. Everything else counts in `shown`.
    """
    here = {"play__section": section, "play__table": table}
    stand = Result.objects.filter(**here, stands=True).order_by("pk")
    said = Claim.objects.filter(**here).order_by("pk")
    swapped = Swapped.objects.filter(entry__section=section).order_by("pk")
    calls = Call.objects.filter(section=section, table=table, taken_at=None).order_by("pk")
    state = [
        list(stand.values_list("pk", "number", "source", "outcome")),
        list(said.values_list("play", "side", "number", "phone", "outcome")),
        list(swapped.values_list("entry", flat=True)),
        list(calls.values_list("pk", "round", "why", "board")),
    ]
    text = json.dumps(state, sort_keys=True)
    return blake2b(text.encode(), digest_size=SIZE).hexdigest()
