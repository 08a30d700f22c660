"""The notes below a ranking, on paper and on the public page: rulings, shared places and small print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .results.classes import class_columns, strata_of
from .results.scored import ScoredSession
from .winners import leavers_sentences
from .words import outcome_text

Who = tuple[str, str]
#: the most rulings that are listed
MOST_TOLD = 3
RULED = ("assigned", "artificial")


@dataclass(frozen=True)
class Footnotes:
    """The notes below a ranking, and the mark beside each contestant that a note concerns."""

    notes: Sequence[str] = ()
    #: those of them on rulings and on contestants that left, without what paper explains besides
    result_notes: Sequence[str] = ()
    marks: dict[Who, str] = field(default_factory=dict)


def footnote_lines(scored: ScoredSession) -> Footnotes:
    """Return the notes below a ranking on rulings and penalties, with the contestants they concern."""
    ruled = [
        line
        for line in scored.tonight.lines
        if line.outcome and not line.is_lost and any(mark in line.outcome for mark in RULED)
    ]
    notes, marks = [], dict[Who, str]()
    if len(ruled) > MOST_TOLD:
        told = ngettext("%(count)s result by ruling.", "%(count)s results by ruling.", len(ruled))
        notes.append(told % {"count": len(ruled)})
    else:
        for number, line in enumerate(ruled, start=1):
            text = outcome_text(line.outcome, in_imps=not scored.is_per_cent)
            facts = {"number": number, "board": line.board, "outcome": text}
            notes.append(_("%(number)s) Board %(board)s: %(outcome)s by ruling.") % facts)
            if reason := scored.tonight.reason_for_reader(line):
                notes.append(reason.rstrip(".") + ".")
            for contestant in (*line.ns, *line.ew):
                key = line.section.name, contestant.slug
                marks[key] = f"{marks[key]}, {number}" if key in marks else str(number)
    leavers, ruling_notes = leavers_sentences(scored), " ".join(notes)
    shared = [
        standing.place
        for ranking in scored.main_lists
        for standing in ranking.standings
        if "=" in standing.place
    ]
    if shared:
        notes.append(_("“%(place)s” means a shared place.") % {"place": shared[0]})
    if any(class_columns(scored, ranking) for ranking in scored.main_lists) and strata_of(scored):
        names = ", ".join(strata_of(scored))
        notes.append(_("%(classes)s: the place in the class.") % {"classes": names})
    every, about_results = (
        [*leavers, *filter(None, [text])] for text in (" ".join(notes), ruling_notes)
    )
    return Footnotes(every, about_results, marks)
