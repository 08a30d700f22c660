"""The director's call after a round in the reader's language: facts of `engine.calls` as sentences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.html import format_html_join, strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from movements.engine.board_copies.copies import copy_places
from movements.engine.calls import (
    RoundEndAnnouncement,
    common_row_rules,
    mid_round_changes,
    round_end_announcement,
)
from movements.engine.model import Movement

from .board_calls import board_exceptions, board_lines, row_together
from .copies import CopyLine, CopyNames, copy_lines, set_words
from .people_calls import exchange_sentences, people_exceptions, people_lines
from .sentences import STANDS, SpokenLine

BoardWords = Callable[[Sequence[str]], str]


@dataclass(frozen=True)
class SpokenAnnouncement:
    """The words of an announcement: the rule for most, then the exceptions of people and boards.

    With several copies of the boards, each has a line with its sets that are exceptions: over a stand, aside, out of
    the box. `halfway` is the call in the middle of the next round, if it is played in parts.
    """

    lines: tuple[SpokenLine, ...]
    exceptions: tuple[str, ...]
    copies: tuple[CopyLine, ...] = ()
    halfway: tuple[str, ...] = ()

    @property
    def sentence(self) -> SafeString:
        """Return the rule as one paragraph, with unusual parts emphasized in HTML."""
        return format_html_join(" ", "{}", ((line.say,) for line in self.lines))

    @property
    def spoken_now(self) -> str:
        """Return the text that the director reads aloud at the change of rounds."""
        sentences = [strip_tags(self.sentence), *self.exceptions, *map(str, self.copies)]
        return " ".join(filter(None, sentences))

    @property
    def details(self) -> tuple[str, ...]:
        """Return the sentences after the rule of an announcement: exceptions, board copies, moves in mid-round."""
        return (*self.exceptions, *map(str, self.copies), *self.halfway)

    @property
    def text(self) -> str:
        """Return the whole announcement as it is read aloud."""
        return " ".join(filter(None, [self.spoken_now, *self.halfway]))


def announcement_after(
    movement: Movement,
    round: int,
    stand: str = "stand",
    away: Collection[int] = (),
    boards: BoardWords | None = None,
) -> SpokenAnnouncement:
    """Return the director's announcement after a round; `stand` is the club's word for a board stand.

    Contestants in `away` (left, or not yet arrived) are not mentioned. `boards` converts sets to board numbers;
    without it sets are named by their letters.
    """
    call = round_end_announcement(movement, round)
    named = _copy_names(movement, round, stand, boards)
    return SpokenAnnouncement(
        lines=(*_call_lines(movement, call, named),),
        exceptions=tuple(
            dict.fromkeys(
                [
                    *people_exceptions(movement, round, call.people.others, away),
                    *board_exceptions(call.boards, named),
                ]
            )
        ),
        copies=tuple(copy_lines(call.boards.others, copy_places(movement).copies, named)),
        halfway=halfway_announcement(movement, round + 1, stand, away, boards),
    )


def _call_lines(
    movement: Movement, call: RoundEndAnnouncement, names: CopyNames
) -> Iterator[SpokenLine]:
    """Yield the sentences of an announcement: people, then boards."""
    together = common_row_rules(call.people, call.boards)
    if together is None:
        yield from people_lines(movement, call.people)
        yield from board_lines(call.boards, names)
    else:
        say = row_together(*together)
        yield SpokenLine("ew", say, say.rstrip("."))
        yield from (line for line in people_lines(movement, call.people) if line.who == "ns")


def halfway_announcement(
    movement: Movement,
    round: int,
    stand: str = "stand",
    away: Collection[int] = (),
    boards: BoardWords | None = None,
) -> tuple[str, ...]:
    """Return the announcement in the middle of a round played in parts; arguments as for `announcement_after`."""
    return tuple(
        _break_sentences(movement, round, _copy_names(movement, round, stand, boards), away)
    )


def _break_sentences(
    movement: Movement, round: int, names: CopyNames, away: Collection[int]
) -> Iterator[str]:
    """Yield sentences on the moves of people and boards in the middle of a round."""
    for change in mid_round_changes(movement, round):
        rule = () if change.boards.kind == "stay" else board_lines(change.boards, names)
        sentences = [
            *(str(line.say) for line in rule),
            *(
                exchange_sentences(movement, change.others, away)
                or people_exceptions(movement, round, change.others, away)
            ),
            *board_exceptions(change.boards, names),
            *map(str, copy_lines(change.boards.others, copy_places(movement).copies, names)),
        ]
        if sentences:
            words = {"round": round, "what": " ".join(dict.fromkeys(sentences))}
            if change.at == Fraction(1, 2):
                yield _("In the middle of round %(round)s: %(what)s") % words
            else:
                words["part"] = f"{change.at.numerator}/{change.at.denominator}"
                yield _("After %(part)s of round %(round)s: %(what)s") % words


def _copy_names(movement: Movement, round: int, stand: str, boards: BoardWords | None) -> CopyNames:
    """Return the names of stands, copies and boards that an announcement uses."""
    where = copy_places(movement)
    waiting = {after: len(where.copies_on_stand(round, after)) for after in where.stands}
    return CopyNames(where.stands, str(STANDS[stand]), boards or set_words, stand, waiting)
