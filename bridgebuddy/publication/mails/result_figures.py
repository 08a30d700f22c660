"""The places and numbers of the published list in a results mail, over all sessions if earlier ones count."""

from __future__ import annotations

from django.utils.translation import gettext as _

from bridgebuddy.scoring.rules.files.exported import ExportedSession
from bridgebuddy.scoring.rules.reports.results import RankedLine, Ranking
from bridgebuddy.scoring.templatetags.results import percent, points


def result_text(exported: ExportedSession, row: RankedLine) -> str:
    """Return the number that decides a row's place: "55.95 %", "24.06 VPs"; empty if no board was played."""
    if row.overall is not None:
        return _overall_text(exported, row)
    if row.percent is not None:
        return f"{percent(row.percent)} %"
    if row.total is None:
        return ""
    number = points(row.total)
    return _("%(number)s VPs") % {"number": number} if exported.is_in_vps else number


def _overall_text(exported: ExportedSession, row: RankedLine) -> str:
    """Return the result of several sessions with its unit: "57.20 %", "199.05 MP"."""
    unit = exported.written.overall_unit
    number = percent(row.overall) if unit == "%" else points(row.overall)
    return f"{number} {unit}".rstrip()


def own_session_result_text(exported: ExportedSession, row: RankedLine) -> str:
    """Return the sentence with the result of this session alone; empty if the list has no other."""
    alone = result_text(exported, row)
    if row.contestant_key not in exported.overall or not alone:
        return ""
    return _("In this session alone: %(result)s.") % {"result": alone}


def ranking_title(exported: ExportedSession, ranking: Ranking | None) -> str:
    """Return the section of a ranking if there are several; else an empty text."""
    if ranking is None or not ranking.section or not exported.has_several:
        return ""
    return _("Section %(letter)s") % {"letter": ranking.section}
