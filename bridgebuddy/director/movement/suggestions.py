"""The rows on the page of suggested movements: one line each, with details that unfold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from urllib.parse import urlencode

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.models import Section
from movements.engine.adviser import Advice, Wishes, wishes_to_drop
from movements.engine.boards import MatchBoards
from movements.engine.families.family import FamilyOption
from movements.engine.model import Movement
from movements.engine.offers import MovementSize
from movements.engine.plays import plays_of
from movements.words.advice import (
    WISHES,
    WORDS,
    broken_wish_mark,
    main_reason,
    reason_sentence,
    winner_count,
    worst_property_text,
)
from movements.words.descriptions import movement_description, short_description
from movements.words.sentences import contestant_count_text, family_title

from .forms import WishesForm, size_value

#: rows shown before the others are asked for
FEW_ROWS = 7
MOST_SIZES = 8

#: the form's values when a wish is given up
GIVEN_UP: dict[str, dict[str, str]] = {
    "winners": {"winners": ""},
    "sit_out": {"sitout": ""},
    "stationary": {"stay": "0"},
    "copies": {"copies": "9"},
    "sharing": {"sharing": "on"},
    "stands": {"stands": "on"},
    "masterpoints": {"masterpoints": ""},
    "break": {"rest": ""},
}
NO_WISHES = frozenset(
    {"csrfmiddlewaretoken", "family", "size", "open", "all", "compare", "side-by-side"}
)


def address_values(form: WishesForm) -> dict[str, str]:
    """Return a form's values for a query string, without empty ones."""
    return {
        name: "on" if value is True else str(value)
        for name, value in form.data.items()
        if name in form.fields and name not in NO_WISHES and value not in ("", None, False)
    }


@dataclass(frozen=True)
class SuggestionRow:
    """A movement in the list of suggestions for a section."""

    section: Section
    advice: Advice
    rank: int
    is_open: bool = False
    is_compared: bool = False
    break_minutes: int = 0  # of the wished break, which its end includes
    reason_below: str = ""  # why a less fair movement is listed above

    @property
    def name(self) -> str:
        """Return the internal name of the movement's family, such as "howell"."""
        return self.advice.offer.family.name

    @property
    def title(self) -> str:
        """Return the title of the movement's family in the reader's language."""
        return family_title(self.name)

    @property
    def movement(self) -> Movement:
        """Return the suggested movement."""
        return self.advice.offer.movement

    @property
    def size(self) -> MovementSize:
        """Return the displayed size of the movement: rounds, and boards a round."""
        return self.advice.offer.size

    @property
    def size_value(self) -> str:
        """Return the size as a form carries it."""
        return size_value(self.size)

    @property
    def size_text(self) -> str:
        """Return the size as text: "7 × 4", or the number of boards with a shorter last set."""
        size = self.size
        if not size.total:
            return _rounds_times_boards_text(size)
        return _("%(rounds)s rounds: %(boards)s") % {"rounds": size.rounds, "boards": size.boards}

    @property
    def sits_out(self) -> str:
        """Return the sentence that says which direction sits out at a half table; empty without a half table."""
        offer = self.advice.offer
        if not offer.has_half_table:
            return ""
        if offer.missing_line == "ns":
            return _("At the half table East-West sit out.")
        return _("At the half table North-South sit out.")

    @property
    def movement_text(self) -> str:
        """Return how the movement works, in a few words."""
        return short_description(self.movement)

    @cached_property
    def description(self) -> tuple[str, ...]:
        """Return the description of the movement as several sentences."""
        return movement_description(self.movement, self.section.club.stand_word)

    @property
    def main_reason(self) -> str:
        """Return the main reason for suggesting the movement."""
        return main_reason(self.advice)

    @property
    def word(self) -> str:
        """Return the movement's fairness as a word, such as "good"."""
        return str(WORDS[self.advice.facts.word])

    @property
    def unfulfilled_wish(self) -> str:
        """Return a short text on the director's wish that this movement breaks; empty if it breaks none."""
        return broken_wish_mark(self.advice, self.ends_at.strftime("%H:%M"))

    @property
    def main_drawback(self) -> str:
        """Return the movement's main drawback; empty if a broken wish is shown instead."""
        return "" if self.advice.broken else worst_property_text(self.advice)

    @property
    def winners(self) -> str:
        """Return the number of winners as text."""
        return winner_count(self.movement.winners)

    @property
    def sit_out_text(self) -> str:
        """Return the longest sit-out as short text; empty if all contestants always play."""
        rounds = self.advice.facts.longest_sit_out
        if not rounds:
            return ""
        if rounds < 1:
            return _("out ½ round")
        if rounds.denominator > 1:
            return _("out %(rounds)s½ rounds") % {"rounds": rounds.numerator // rounds.denominator}
        return ngettext("out %(rounds)s round", "out %(rounds)s rounds", rounds.numerator) % {
            "rounds": rounds.numerator
        }

    @property
    def ends_at(self) -> datetime:
        """Return when the session would end with this movement."""
        return end_of_play(self.section, self.size, self.break_minutes)

    @property
    def sizes(self) -> list[tuple[str, MovementSize, datetime, bool]]:
        """Return the possible sizes of the movement, each with form value, end of play, and whether it is shown."""
        sizes = sorted(self.advice.offer.sizes[:MOST_SIZES], key=lambda size: -size.boards)
        return [
            (
                size_value(size),
                size,
                end_of_play(self.section, size, self.break_minutes),
                size == self.size,
            )
            for size in sizes
        ]

    @property
    def half_tables(self) -> int:
        """Return the number of half tables, 0 or 1; teams have none."""
        if self.movement.is_draw:
            return 0
        return int(any(not seating.is_played for seating in self.movement.in_round(1)))

    @property
    def full_table_count(self) -> int:
        """Return the number of full tables; a match of two teams needs two tables, a match of three needs three."""
        movement = self.movement
        if movement.is_draw:
            return len({play.table for play in plays_of(movement, 1, {}, MatchBoards(2))})
        return movement.tables - self.half_tables

    @property
    def stationary_text(self) -> str:
        """Return as text how many contestants keep their seats; in team matches half of each team."""
        if self.movement.is_draw:
            return _("half of every team")
        return contestant_count_text(self.section.contest, self.advice.facts.stationary)

    @property
    def board_count_text(self) -> str:
        """Return as text how many boards to prepare; in team matches, how many for each match."""
        if self.movement.is_draw:
            return _("%(boards)s for each match") % {"boards": self.size.boards_per_round}
        copies = self.movement.copies
        return ngettext("%(boards)s, one copy", "%(boards)s, %(copies)s copies", copies) % {
            "boards": self.advice.offer.boards_prepared,
            "copies": copies,
        }

    @property
    def sharing_text(self) -> str:
        """Return as text which tables share boards with each other in the same round."""
        if self.movement.is_draw:
            return _("the tables of a match")
        if tables := self.advice.offer.sharing_tables:
            return _("tables %(tables)s") % {"tables": ", ".join(map(str, tables))}
        return _("none")

    @property
    def options(self) -> list[tuple[FamilyOption, str]]:
        """Return the options of the movement family, each with its value as text; empty for the default value."""
        offer = self.advice.offer
        return [
            (option, option.text_of(offer.options.get(option.name)))
            for option in offer.family.options
        ]

    @property
    def chosen_options(self) -> list[tuple[str, str]]:
        """Return name and value of each form field for an option that differs from the default."""
        return [(f"option-{option.name}", written) for option, written in self.options if written]

    @property
    def pros(self) -> list[str]:
        """Return the movement's advantages as sentences."""
        return [reason_sentence(reason) for reason in self.advice.pros]

    @property
    def cons(self) -> list[str]:
        """Return the movement's drawbacks as sentences."""
        return [reason_sentence(reason) for reason in self.advice.cons]

    @property
    def is_chosen(self) -> bool:
        """Return whether the section's chosen movement is of this family."""
        return self.section.movement is not None and self.section.movement.family == self.name

    @property
    def chosen_size(self) -> str:
        """Return the section's chosen size as text if the row shows another one: "9 × 3"."""
        rounds, boards = self.section.stored.rounds, self.section.boards_per_round
        is_shown = (rounds, boards) == (self.size.rounds, self.size.boards_per_round)
        return "" if is_shown or not boards or self.size.total else f"{rounds} × {boards}"


def end_of_play(section: Section, size: MovementSize, break_minutes: int = 0) -> datetime:
    """Return when a section's play ends with a size of movement and a break of some minutes."""
    session = section.session
    boards = size.rounds * size.boards_per_round
    return datetime.combine(session.date, session.starts_at) + timedelta(
        minutes=boards * session.minutes_per_board + break_minutes
    )


def tables_text(row: SuggestionRow) -> str:
    """Return the number of tables as text: "13½ tables"."""
    if row.movement.contest.has_halves:
        return ""
    full = row.full_table_count
    if row.half_tables:
        return _("%(count)s½ tables") % {"count": full}
    return ngettext("%(count)s table", "%(count)s tables", full) % {"count": full}


def recommendation_introduction(section: Section, pairs: int, row: SuggestionRow) -> str:
    """Return the beginning of the sentence that recommends a movement: "For 27 pairs at 13½ tables:"."""
    counted_pairs = contestant_count_text(section.contest, pairs)
    tables = tables_text(row)
    if not tables or row.movement.tables != (pairs + 1) // 2:
        return _("For %(who)s:") % {"who": counted_pairs}
    return _("For %(who)s at %(tables)s:") % {"who": counted_pairs, "tables": tables}


# ── comparison ──


@dataclass(frozen=True)
class ComparedProperty:
    """One property of two movements side by side; `better` is the index of the better one, if any."""

    name: str
    facts: tuple[str, str]
    better: int | None = None

    @property
    def is_same(self) -> bool:
        """Return whether both movements have the same value."""
        return self.facts[0] == self.facts[1]

    @property
    def columns(self) -> list[tuple[str, bool]]:
        """Return the value of each movement, with whether it is the better one."""
        return [(fact, index == self.better) for index, fact in enumerate(self.facts)]


def compared_facts(first: SuggestionRow, second: SuggestionRow) -> list[ComparedProperty]:
    """Return the properties of two movements side by side, with the better value of each."""
    rows = (first, second)

    def facts(name: str, texts: Sequence[str], *figures: float) -> ComparedProperty:
        """Return a comparison in which the smaller figure is better, unless both texts are equal."""
        better = None
        if figures and figures[0] != figures[1] and texts[0] != texts[1]:
            better = 0 if figures[0] < figures[1] else 1
        return ComparedProperty(name, (texts[0], texts[1]), better)

    return [
        facts(_("How it goes"), [row.movement_text for row in rows]),
        facts(_("Rounds × boards"), [row.size_text for row in rows]),
        facts(_("Ends about"), [row.ends_at.strftime("%H:%M") for row in rows]),
        facts(
            _("Sits out"),
            [row.sit_out_text or _("nobody") for row in rows],
            *(float(row.advice.facts.longest_sit_out) * row.size.boards_per_round for row in rows),
        ),
        facts(
            _("Everyone plays"),
            [_boards_played_text(row) for row in rows],
            *(-min(row.advice.offer.boards_played) for row in rows),
        ),
        facts(_("Winners"), [row.winners for row in rows]),
        facts(_("Stay seated"), [row.stationary_text for row in rows]),
        facts(
            _("Boards needed"),
            [row.board_count_text for row in rows],
            *(row.movement.copies for row in rows),
        ),
        facts(
            _("Drawbacks"),
            [" ".join(row.cons) or _("nothing") for row in rows],
            *(len(row.advice.broken) for row in rows),
        ),
    ]


def _rounds_times_boards_text(size: MovementSize) -> str:
    """Return a movement's size as text: "7 × 4 = 28"."""
    return f"{size.rounds} × {size.boards_per_round} = {size.boards}"


def _boards_played_text(row: SuggestionRow) -> str:
    """Return as text how many of the session's boards each contestant plays."""
    fewest, most = row.advice.offer.boards_played
    words = {"fewest": fewest, "most": most, "all": row.advice.offer.boards_prepared}
    if fewest == most:
        return _("%(most)s of %(all)s boards") % words
    return _("%(fewest)s to %(most)s of %(all)s boards") % words


# ── wishes that conflict ──


@dataclass(frozen=True)
class WishToGiveUp:
    """A wish that the director can give up so that the others are fulfilled: sentence, button, result, query."""

    title: str
    button: str
    gets: str
    query: str


def wishes_to_give_up(
    section: Section, form: WishesForm, wishes: Wishes, advised: tuple[Advice, ...]
) -> list[WishToGiveUp]:
    """Return the wishes that could be given up if not all can be fulfilled, each with a link."""
    return [
        _wish_proposal(section, form, names, advice)
        for names, advice in wishes_to_drop(wishes, advised)
    ]


def _wish_proposal(
    section: Section, form: WishesForm, names: Sequence[str], advice: Advice
) -> WishToGiveUp:
    """Return the offer to give up the wishes `names`, so that the movement of `advice` becomes possible."""
    row = SuggestionRow(section, advice, 1, break_minutes=form.break_minutes(section))
    answers: dict[str, str] = address_values(form)
    for name in names:
        answers.update(GIVEN_UP.get(name, {}))
    end = row.ends_at.strftime("%H:%M")
    if "boards" in names:
        answers["fewest"] = answers["most"] = str(row.size.boards)
    if "time" in names:
        answers["until"] = end
    title, button = _wish_sentence_and_button(names, row, end, form.cleaned_data)
    gets = _(
        "%(movement)s, %(size)s boards, ends %(end)s, %(winners)s, fairness %(score)s (%(word)s)"
    )
    return WishToGiveUp(
        title=title,
        button=button,
        gets=gets
        % {
            "movement": row.title,
            "size": row.size_text,
            "end": end,
            "winners": row.winners,
            "score": advice.score,
            "word": row.word,
        },
        query=urlencode({name: value for name, value in answers.items() if value}),
    )


def _wish_sentence_and_button(
    names: Sequence[str], row: SuggestionRow, end: str, query: Mapping[str, object]
) -> tuple[str, str]:
    """Return the sentence and the button that offer to give up one of the director's wishes for a better movement."""
    if len(names) == 1:
        name = names[0]
        words = {"end": end, "count": row.size.boards, "most": query.get("most")}
        if name == "time":
            button = _("Play until %(end)s") % words
            return _("Play until %(end)s instead of %(until)s") % {
                "end": end,
                "until": f"{query['until']:%H:%M}",
            }, button
        if name == "boards":
            button = ngettext("Play %(count)s board", "Play %(count)s boards", row.size.boards)
            wanted = {**words, "fewest": query.get("fewest")}
            return (
                _("Play %(count)s boards instead of %(fewest)s to %(most)s") % wanted,
                button % words,
            )
    wish = get_text_list([str(WISHES[name]) for name in names], _("and"))
    return _("Give up %(wish)s") % {"wish": wish}, _("Give up this wish") if len(names) == 1 else _(
        "Give up these wishes"
    )
