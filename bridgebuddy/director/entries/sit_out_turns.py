"""Sit-outs by turn, in words."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.models import Entry, SeatingMethod, Section
from bridgebuddy.events.queries.roster.sit_out_history import sit_out_turns
from bridgebuddy.web.template_tags import short_date

#: the most pairs that are named; the others are counted
MOST_NAMED = 4


def turns_context(section: Section, entries: Sequence[Entry]) -> dict[str, object]:
    """Return the template context on which pairs' turn it is to sit out; empty if pairs take no turns."""
    turns = sit_out_turns(section, entries)
    if turns is None:
        return {}
    sentences = []
    if turns.last is not None and turns.tonight:
        words = {"day": short_date(turns.last), "names": pair_names_text(turns.sat_out)}
        sentences.append(_("Sat out last, on %(day)s: %(names)s.") % words)
    if turns.tonight:
        sentences.append(
            _("Tonight it falls to %(names)s.") % {"names": pair_names_text(turns.tonight)}
        )
    return {
        "has_turns": True,
        "takes_turns": section.seating == SeatingMethod.TURNS,
        "turns_said": " ".join(sentences),
    }


def pair_names_text(entries: Sequence[Entry]) -> str:
    """Return the names of the first pairs as text, with the number of the others."""
    names = [entry.surnames for entry in entries[:MOST_NAMED]]
    more = len(entries) - len(names)
    if more:
        names.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    return str(get_text_list(names, _("and")))
