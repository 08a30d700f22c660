"""Directors who play: the boards that they have still to play, whose results are hidden."""

from __future__ import annotations

from functools import cached_property

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.snapshot.lines import Dealt, PlayLine
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.models import PlayingDirector


def playing_director_of(section: Section, user: User) -> PlayingDirector | None:
    """Return the `PlayingDirector` row of a user who plays in a session; None if the user does not play.

    Makes one query.
    """
    rows = PlayingDirector.objects.filter(section__session=section.session_id, user=user)
    return rows.select_related("entry", "section").first()


class DirectorUnplayedBoards:
    """The boards that a playing director has still to play, which must be hidden; none for other users."""

    def __init__(self, tonight: SessionSnapshot, user: User) -> None:
        self.tonight = tonight
        self.playing = playing_director_of(tonight.section, user)

    @cached_property
    def cards(self) -> frozenset[Dealt]:
        """Return the identities of these boards' deals, in every section that plays them."""
        if self.playing is None:
            return frozenset()
        entry, early = self.playing.entry_id, set(self.playing.early)
        mine = [
            line
            for line in self.tonight.lines
            if any(contestant.entry == entry for contestant in line.ns + line.ew)
        ]
        return frozenset(
            self.tonight.cards_of(line)
            for line in mine
            if line.board not in early and _is_to_come(line)
        )

    @cached_property
    def boards(self) -> list[int]:
        """Return the numbers of these boards in the page's section."""
        lines = self.tonight.lines_of_section(self.tonight.section) if self.cards else []
        return sorted({line.board for line in lines if self.tonight.cards_of(line) in self.cards})

    @cached_property
    def visible_session(self) -> SessionSnapshot:
        """Return the session's snapshot without what this director may not see yet."""
        return self.tonight.with_hidden_results(self.cards) if self.cards else self.tonight


def _is_to_come(line: PlayLine) -> bool:
    """Return whether a play is still to be played; in finished rounds all plays count as played."""
    if line.outcome is not None:
        return not is_outcome_known(line.outcome)
    section = line.section
    return section.is_running and not (line.has_begun and section.is_over(line.round))
