"""The sheets on the printing page, with their ticks and numbers of pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.plan.differences import OutdatedSheets
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.events.queries.plan_cache import cached_for_section
from bridgebuddy.table_phones.queries.phones import phone_settings_of

from .context import PrintJob
from .layout import round_numbers
from .print_times import PrintTime
from .selection import SheetSelection
from .sheets import LAID_OUT, OF_CHANGES, SHEETS, SheetKind


@dataclass(frozen=True)
class SheetOffer:
    """A kind of sheet that can be printed now, with its number of pages."""

    sheet: SheetKind
    pages: int
    is_ticked: bool

    @property
    def count(self) -> str:
        """Return the number of pages as text: "14 sheets"."""
        return sheet_count_text(self.pages)


def sheet_offers(
    job: PrintJob, selection: SheetSelection, time: PrintTime, ticked: Iterable[str] | None = None
) -> list[SheetOffer]:
    """Return the kinds of sheet that can be printed at a time for the selection, in order.

    Changes leave out sheets that hang on a wall. Without a choice the usual sheets are ticked.
    """
    chosen = None if ticked is None else set(ticked)
    offered = []
    for name, pages in _count_pages(job, selection, time).items():
        sheet = SHEETS[name]
        is_usual = is_usual_for(sheet, time, job.plan)
        is_ticked = is_usual if chosen is None else sheet.name in chosen
        offered.append(SheetOffer(sheet, pages, is_ticked))
    return offered


def _count_pages(job: PrintJob, selection: SheetSelection, time: PrintTime) -> dict[str, int]:
    """Return the number of pages of each kind of sheet; without a selection it is cached."""

    def page_counts() -> dict[str, int]:
        """Return the number of pages of each sheet."""
        laid_out = (
            (sheet, sheet.contents(job, selection))
            for sheet in LAID_OUT
            if is_printed_at(sheet, time)
        )
        return {sheet.name: sheet.pages(contents) for sheet, contents in laid_out if contents}

    if time != PrintTime.BEFORE or not selection.is_of_the_whole_plan:
        return page_counts()
    return cached_for_section(job.section, "sheet pages", page_counts, job.paper, str(job.phones))


def offers_of_sections(
    jobs: Iterable[PrintJob],
    selection: SheetSelection,
    time: PrintTime,
    ticked: Iterable[str] | None,
) -> list[SheetOffer]:
    """Return the kinds of sheet that can be printed for several sections, with all their pages."""
    by_sheet: defaultdict[str, list[SheetOffer]] = defaultdict(list)
    for job in jobs:
        for offer in sheet_offers(job, selection, time, ticked):
            by_sheet[offer.sheet.name].append(offer)
    return [_summed_offer(by_sheet[sheet.name]) for sheet in LAID_OUT if sheet.name in by_sheet]


def _summed_offer(offers: Sequence[SheetOffer]) -> SheetOffer:
    """Return one offer for the same kind of sheet in several sections, with the sum of their pages."""
    return SheetOffer(
        offers[0].sheet,
        sum(sheet.pages for sheet in offers),
        any(sheet.is_ticked for sheet in offers),
    )


def is_printed_at(sheet: SheetKind, time: PrintTime) -> bool:
    """Return whether a kind of sheet can be printed at a time: before, after a change, or after the session."""
    if time == PrintTime.CHANGED:
        return sheet.name in OF_CHANGES
    return sheet.is_of_results == (time == PrintTime.AFTER)


def is_usual_for(sheet: SheetKind, time: PrintTime, plan: SectionPlan) -> bool:
    """Return whether a kind of sheet is ticked by default at a time for a section's plan.

    Guide cards are not while rounds wait for their draw: they would be incomplete, and draw slips
    follow.
    """
    if time == PrintTime.AFTER:
        return sheet.name == "ranking"
    if sheet.name == "pick-up-slips":
        phones = phone_settings_of(plan.section)
        return phones.slips_too or not phones.may_enter
    if time == PrintTime.CHANGED:
        return sheet.name in OF_CHANGES
    waits_for_a_draw = sheet.name == "guide-cards" and bool(plan.evening.open_rounds)
    return sheet.is_for_tonight and not waits_for_a_draw


def sheet_count_text(count: int) -> str:
    """Return a number of sheets of paper as text: "1 sheet", "23 sheets"."""
    return ngettext("%(count)s sheet", "%(count)s sheets", count) % {"count": count}


def cards_to_collect(job: PrintJob, selection: SheetSelection) -> list[str]:
    """Return the printed cards that are wrong now and must be collected, as text."""
    outdated = selection.outdated or OutdatedSheets()
    tables = [table for table in selection.tables(job) if table not in outdated.new_tables]
    cards = []
    if tables:
        cards.append(
            ngettext("the card of table %(tables)s", "the cards of tables %(tables)s", len(tables))
            % {"tables": round_numbers(tables)}
        )
    if outdated.stands:
        stands = sorted(outdated.stands)
        cards.append(
            ngettext(
                "the card of the stand after table %(tables)s",
                "the cards of the stands after tables %(tables)s",
                len(stands),
            )
            % {"tables": board_text(stands)}
        )
    labels = [
        contestant.label
        for contestant in selection.contestants(job)
        if contestant.number not in outdated.new_contestants
    ]
    if labels:
        cards.append(
            ngettext("the guide card of %(who)s", "the guide cards of %(who)s", len(labels))
            % {"who": ", ".join(labels)}
        )
    return [*cards, _("the old director’s sheet")]
