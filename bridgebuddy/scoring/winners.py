"""Sentences about the winners, the state of a list and contestants that left, for pages and print."""

from __future__ import annotations

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.plan.games import Contestant

from .closing import closing_sentence
from .results.figures import has_new_figures
from .results.scored import ScoredSession
from .snapshot.counted import RankedContestant, RankingList

#: most leaders named in the headline
MOST_NAMED = 3
#: most equals that are listed singly
MOST_TOLD = 8


def winners_headline(scored: ScoredSession, *, with_lines: bool = True) -> str:
    """Return a sentence that names the winners, or the leaders before the end.

    With two winners it says which of them is North-South, unless the page has no space for that.
    """
    places = [
        (standing, _line_of_ranking(ranking) if with_lines else "")
        for ranking in scored.main_lists
        for standing in ranking.standings
        if standing.row.place in ("1", "1=")
    ]
    firsts = [standing for standing, _line in places]
    if not scored.entered_count or not firsts:
        return str(_("No results yet"))
    if not scored.has_enough_results:
        return str(_("Too few results for a ranking yet"))
    if len(firsts) > MOST_TOLD:
        return _("%(count)s share the first place") % {"count": len(firsts)}
    by_section = _firsts_by_section(scored)
    if len(firsts) > MOST_NAMED and 1 < len(by_section) <= MOST_NAMED:
        listed = "; ".join(_section_with_names(*item) for item in by_section.items())
    else:
        sentences = [
            _contestant_name(scored, first, line, with_names=len(firsts) <= MOST_NAMED)
            for first, line in places
        ]
        listed = sentences[0] if len(sentences) == 1 else _joined_labels(sentences)
    if scored.is_provisional:
        return _("In front: %(contestants)s") % {"contestants": listed}
    return _("Winners: %(contestants)s") % {"contestants": listed}


def list_state(scored: ScoredSession) -> str:
    """Return the state of a list as text: final, revised, complete, or provisional."""
    scoring = scored.tonight.scoring
    if scoring.is_final and has_new_figures(scored):
        return _("Final, revised (%(number)s)") % {"number": scoring.revision - 1}
    if scoring.is_final:
        return str(_("Final"))
    return str(_("Provisional") if scored.is_provisional else _("Complete"))


def list_state_sentence(scored: ScoredSession) -> str:
    """Return the state of a list with what is missing and the end of corrections, such as for paper."""
    if scored.is_provisional:
        return _("Provisional: %(entered)s of %(due)s results are in.") % {
            "entered": scored.entered_count,
            "due": scored.due_count,
        }
    scoring = scored.tonight.scoring
    state = list_state(scored)
    if scoring.is_final:
        state += f", {time_format(timezone.localtime(scoring.final_at), 'H:i')}"
    return " · ".join(
        filter(None, (state, missing_results_text(scored), closing_sentence(scoring)))
    )


def missing_results_text(scored: ScoredSession) -> str:
    """Return the number of missing results as text, "13 results are missing"; empty without any."""
    return missing_count_text(scored.missing_count) if scored.missing_count else ""


def missing_count_text(count: int) -> str:
    """Return a number of missing results as text: "13 results are missing"."""
    words = ngettext("%(results)s result is missing", "%(results)s results are missing", count)
    return words % {"results": count}


def _firsts_by_section(scored: ScoredSession) -> dict[str, list[str]]:
    """Return the names of each section's leader; empty if a ranking has several or is of all sections."""
    names: dict[str, list[str]] = {}
    for ranking in scored.main_lists:
        firsts = [first for first in ranking.standings if first.row.place in ("1", "1=")]
        if len(firsts) > 1 or not ranking.section:
            return {}
        names.setdefault(ranking.section, []).extend(first.contestant.surnames for first in firsts)
    return {section: leaders for section, leaders in names.items() if all(leaders) and leaders}


def _line_of_ranking(ranking: RankingList) -> str:
    """Return the line that a ranking is of, "N-S" or "E-W"; empty if it is of all contestants."""
    return {"NS": _("N-S"), "EW": _("E-W")}.get(ranking.field or "", "")


def _surnames_with_line(contestant: Contestant, line: str) -> str:
    """Return a contestant's surnames after its line: "N-S Marsh & Webb"; empty without names."""
    return f"{line} {contestant.surnames}".strip() if contestant.surnames else ""


def _section_with_names(section: str, names: list[str]) -> str:
    """Return a section's name with its winners as text."""
    listed = names[0] if len(names) == 1 else _joined_labels(names)
    return f"{section}: {listed}"


def _contestant_name(
    scored: ScoredSession, contestant: RankedContestant, line: str, *, with_names: bool
) -> str:
    """Return a contestant's names with its line if they are short enough, otherwise its label."""
    if scored.tonight.contest.has_halves or (with_names and contestant.contestant.surnames):
        return _surnames_with_line(contestant.contestant, line)
    return _label_with_section(scored, contestant.section, contestant.label)


def _label_with_section(scored: ScoredSession, section: str, label: str) -> str:
    """Return a contestant's label with the section's letter if there are several: B3, A NS 3."""
    if not scored.tonight.has_several:
        return label
    return f"{section}{'' if label.isdigit() else ' '}{label}"


def _joined_labels(labels: list[str]) -> str:
    """Return these labels as text: "1, 2 and 8"."""
    *most, last = labels
    return _("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last}


def leavers_sentences(scored: ScoredSession) -> list[str]:
    """Return sentences on how the boards of contestants that left count (White Book 2.4)."""
    words = {
        True: _("%(contestant)s left before half of the boards: their results count for nobody."),
        False: _("%(contestant)s left after round %(round)s: later opponents get average plus."),
    }
    return [
        words[is_cancelled]
        % {
            "contestant": _label_with_section(scored, section, contestant.label),
            "round": contestant.left_after,
        }
        for section, contestant, is_cancelled in scored.departed_contestants
    ]
