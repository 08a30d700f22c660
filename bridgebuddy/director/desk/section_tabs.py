"""The sections of a session side by side, and the button that starts their next round."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.clock import SectionClock
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.home_tables import room_table_count
from movements.words.calls import SpokenAnnouncement


class SectionTab:
    """A section in a session of several sections, as shown in the tabs and on the page of all sections."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.clock = SectionClock(section)

    @property
    def letter(self) -> str:
        """Return the section's name, which is a letter such as "A"."""
        return self.section.name

    @property
    def next_round(self) -> int:
        """Return the number of the next round."""
        return self.section.next_round

    @property
    def field(self) -> str:
        """Return the name of this section's form field for the round that the page showed."""
        return round_field_name(self.section)

    @cached_property
    def can_start(self) -> bool:
        """Return whether there is a next round, it is drawn, and (before round 1) every entry has a seat."""
        section = self.section
        if section.movement is None or section.is_finished or section.is_last_round:
            return False
        if section.next_round in section.movement.open_rounds:
            return False
        return section.is_started or not section.entries.filter(contestant=None).exists()

    @cached_property
    def entry_count(self) -> int:
        """Return the number of entries."""
        return self.section.entries.count()

    @property
    def table_count_text(self) -> str:
        """Return the number of tables as text; a half table counts ½."""
        stored = self.section.movement
        if stored is None:
            return ""
        count = room_table_count(stored)
        has_half = self.section.contest.fills_a_side and 2 * count == self.entry_count + 1
        text = f"{count - 1}½" if has_half else str(count)
        return ngettext("%(count)s table", "%(count)s tables", count) % {"count": text}

    @cached_property
    def announcement(self) -> SpokenAnnouncement | None:
        """Return the announcement for the end of the current round, or None."""
        section = self.section
        if not section.is_running or section.is_last_round:
            return None
        plan = self._plan
        is_open = section.next_round in plan.evening.open_rounds
        return (
            None
            if is_open or plan.announcements.is_drawn
            else plan.announcements.announcement_after(section.round)
        )

    @property
    def halfway_now(self) -> tuple[str, ...]:
        """Return texts on the moves in the middle of the current round."""
        return self._plan.announcements.halfway_now if self.section.is_running else ()

    @cached_property
    def _plan(self) -> SectionPlan:
        """Return the section's movement with its contestants as `SectionPlan`."""
        return SectionPlan.of(self.section)


class AllSectionsButton:
    """The button that starts the next round of several sections, or ends all sections."""

    def __init__(
        self,
        starts: Sequence[SectionTab],
        other_tabs: Sequence[SectionTab] = (),
        *,
        ends: bool = False,
    ) -> None:
        self.starts, self.left_out, self.ends = list(starts), list(other_tabs), ends

    @property
    def is_of_several(self) -> bool:
        """Return whether the button starts or ends more than one section."""
        return len(self.starts) > 1

    @property
    def label(self) -> str:
        """Return the button's label: "Start round 4 in A and B"."""
        words = {"round": self.starts[0].next_round, "sections": self.names}
        if self.ends:
            return ngettext(
                "Finish section %(sections)s", "Finish sections %(sections)s", len(self.starts)
            ) % {"sections": self.names}
        if len({start.next_round for start in self.starts}) > 1:
            return _("Start the next round in %(sections)s") % words
        return _("Start round %(round)s in %(sections)s") % words

    @property
    def names(self) -> str:
        """Return the letters of the sections that the button starts or ends, as text: "A and B"."""
        return letters_phrase(self.starts)

    @property
    def note(self) -> str:
        """Return a note that names the sections left out because they are over time."""
        late = [tab for tab in self.left_out if tab.clock.is_over_time]
        if not late:
            return ""
        return _("%(sections)s over time: not included") % {"sections": letters_phrase(late)}


def letters_phrase(tabs: Sequence[SectionTab]) -> str:
    """Return the letters of sections as text: "A, B and C"."""
    return joined_letters([tab.letter for tab in tabs])


def joined_letters(names: Sequence[str]) -> str:
    """Return letters as text: "A, B and C"."""
    return str(get_text_list(list(names), _("and")))


def usual_sections_button(
    tabs: Sequence[SectionTab],
    *,
    section: Section | None = None,
    ticked: Collection[str] | None = None,
) -> AllSectionsButton | None:
    """Return the button for the sections that usually continue together, or None if none can.

    The `ticked` sections start together. Without ticks, sections in the same round start together:
    the round of `section`, else the most common one. A section over time is left out if others
    are in time. With a common clock all sections start. If no section has another round, the button
    ends all sections that play their last one.
    """
    able = [tab for tab in tabs if tab.can_start]
    last = [tab for tab in tabs if tab.section.is_running and tab.section.is_last_round]
    if last and not able:
        return AllSectionsButton(last, ends=True)
    if ticked is not None:
        starts = [tab for tab in able if tab.letter in ticked]
    elif not able or able[0].section.session.common_clock:
        starts = able
    else:
        own = next(
            (tab for tab in able if section is not None and tab.section.pk == section.pk),
            None,
        )
        in_time = [tab for tab in able if not tab.clock.is_over_time]
        together = in_time if in_time and (own is None or own in in_time) else able
        if own is None:
            rounds = [tab.section.round for tab in together]
            round = max(rounds, key=lambda round: (rounds.count(round), round))
        else:
            round = own.section.round
        starts = [tab for tab in together if tab.section.round == round]
    if not starts:
        return None
    return AllSectionsButton(starts, [tab for tab in able if tab not in starts])


def round_field_name(section: Section) -> str:
    """Return the name of a section's form field for the round that the page showed."""
    return f"after-{section.name}"
