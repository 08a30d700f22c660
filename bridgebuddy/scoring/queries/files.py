"""A session's results as files for other programs."""

from __future__ import annotations

from django.utils.text import slugify

from bridgebuddy import __version__

from ..rules.files.catalogue import FORMATS, NotInThisFormat
from ..rules.files.exported import Exported
from .scored import Scored

__all__ = ["FORMATS", "NotInThisFormat", "exported", "file_name", "formats_of"]


def exported(together: Scored) -> Exported:
    """Return what every format writes of a session: places and totals are its own.

    What earlier sessions make of it stands beside.
    """
    tonight = together.tonight
    has_overall = any(one.has_overall for one in together.main_lists)
    scored = Scored(tonight, tonight.alone) if has_overall else together
    keys = {(one.section, one.field) for one in scored.main_lists}
    session = tonight.session
    return Exported(
        document={**scored.document, "deals": tonight.deals},
        results=scored.results,
        lists=tuple(
            one
            for one in scored.results.get("rankings", ())
            if (one["section"], one["field"]) in keys
            and one["stratum"] is None
            and one["category"] is None
            and not one["handicap"]
        ),
        club=tonight.section.club.name,
        event=session.event.name,
        date=session.date,
        version=__version__,
        titles={who: one.surnames for who, one in tonight.contestants.items() if one.halves},
        rounds=max((one.rounds for one in tonight.sections), default=0),
        is_drawn=any(one.stored.is_draw for one in tonight.sections),
        overall={
            (one.section, one.contestant.slug): one.row
            for found in together.main_lists
            for one in found.standings
            if has_overall
        },
    )


def formats_of(scored: Scored) -> list[str]:
    """Return the formats that know this kind of contest."""
    names = list(FORMATS)
    return names if scored.tonight.contest == "pairs" else [n for n in names if n != "bridgewebs"]


def file_name(scored: Scored, name: str) -> str:
    """Return what a file is called: "2026-11-24-tuesday-pairs-ranking.csv"."""
    session = scored.tonight.session
    parts = (f"{session.date:%Y-%m-%d}", slugify(session.event.name), name)
    return "-".join(part for part in parts if part) + f".{FORMATS[name].suffix}"
