"""The engine's facts as sentences, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy, pgettext, pgettext_lazy

from movements.engine import catalogue
from movements.engine.contest import Contest
from movements.engine.copies import places
from movements.engine.errors import MovementError
from movements.engine.families.family import CHOICES
from movements.engine.model import Movement
from movements.engine.wording import Announcement, BoardStep, Step, announcement

from .copies import CopyLine, Named, copy_lines, set_words
from .numbers import in_hundreds, out_of_hundreds
from .rules import rule_sentences

LINES = {"ns": gettext_lazy("North-South"), "ew": gettext_lazy("East-West")}
LINE_LETTERS = {"ns": gettext_lazy("NS"), "ew": gettext_lazy("EW")}
#: where a single player sits
SEATS = {
    "n": pgettext_lazy("seat", "North"),
    "s": pgettext_lazy("seat", "South"),
    "e": pgettext_lazy("seat", "East"),
    "w": pgettext_lazy("seat", "West"),
}
SEAT_LETTERS = {
    "n": pgettext_lazy("direction", "N"),
    "s": pgettext_lazy("direction", "S"),
    "e": pgettext_lazy("direction", "E"),
    "w": pgettext_lazy("direction", "W"),
}
#: where somebody sits: a pair in a line, a player of an individual in one of its two chairs
CHAIRS = {**LINES, **SEATS}
CHAIR_LETTERS = {**LINE_LETTERS, **SEAT_LETTERS}
#: what stands before a label, by what the engine writes there
PREFIXES = {line.upper(): letter for line, letter in CHAIR_LETTERS.items()}
STANDS = {
    "stand": gettext_lazy("stand"),
    "relay": gettext_lazy("relay"),
    "bye-stand": gettext_lazy("bye-stand"),
}

VERSIONS = {
    "best": gettext_lazy("the best known"),
    "published": gettext_lazy("as published"),
    "usual": gettext_lazy("the best known"),
    "built": gettext_lazy("built by the rule"),
}


@dataclass(frozen=True)
class Spoken:
    """One line of an announcement: for the director to say, and short for the projector."""

    who: str  # "ns", "ew", "boards" or "cards"
    say: SafeString | str
    short: str
    is_unusual: bool = False


@dataclass(frozen=True)
class Call:
    """What is said after a round: the rule for most, then everybody it does not hold for.

    Where there are several copies of the boards, each has a line with those of its sets that do not
    go as the rule says: over a stand, aside, out of the box, to the other end of its tables.
    """

    lines: tuple[Spoken, ...]
    exceptions: tuple[str, ...]
    copies: tuple[CopyLine, ...] = ()

    @property
    def sentence(self) -> SafeString:
        """The rule as one paragraph; what is unusual is marked up with <em>."""
        return format_html_join(" ", "{}", ((line.say,) for line in self.lines))


def family_title(name: str) -> str:
    """Return a family's name in the reader's language; unknown families keep their own."""
    try:
        return _(catalogue.family(name).title)
    except MovementError:
        return name


def catalogue_words(text: str) -> str:
    """Return what the catalogue says of a need or an option in the reader's language."""
    return _(text) if text else ""


def choice_word(choice: str) -> str:
    """Return what may be chosen for a family's option: a word, or a family's title."""
    word = CHOICES.get(choice)
    return pgettext("choice", word) if word else family_title(choice)


def label_of(movement: Movement, contestant: int) -> str:
    """Return a contestant's label as the reader's language writes it: "EW 3" is "OW 3" in German.

    Where pairs are numbered in hundreds it is "203".
    """
    return _shown(movement.field_of(contestant).prefix, movement.number(contestant))


def number_of(movement: Movement, contestant: int) -> str:
    """Return what a label is where its line is seen: "3", or "203" as in the label."""
    number = movement.number(contestant)
    return in_hundreds(movement.field_of(contestant).prefix, number) or number


def shown_label(label: str) -> str:
    """Return a label the engine has written down as the reader's language writes it."""
    prefix, _space, number = label.partition(" ")
    return _shown(prefix, number) if number and prefix in PREFIXES else label


def _shown(prefix: str, number: str) -> str:
    if hundreds := in_hundreds(prefix, number):
        return hundreds
    return f"{PREFIXES[prefix]} {number}" if prefix else number


def contestant_called(movement: Movement, typed: str) -> int | None:
    """Return whom a label calls, however it is written: "NS3", "OW 3", "203"; None where nobody."""
    found = movement.contestant(plain_label(typed))
    return out_of_hundreds(movement, typed) if found is None else found


def plain_label(typed: str) -> str:
    """Return a label as addresses and the engine have it, typed as the reader's language writes it.

    What is no label of the reader's language comes back as it was typed.
    """
    text = "".join(typed.split()).upper()
    for prefix, shown in PREFIXES.items():
        number = text.removeprefix(str(shown).upper())
        if number != text and number.isdigit():
            return prefix + number
    return typed


def call_after(
    movement: Movement,
    round: int,
    stand: str = "stand",
    away: Collection[int] = (),
    boards: Callable[[Sequence[str]], str] | None = None,
) -> Call:
    """Return what the director says after a round; `stand` is the club's word for one.

    Of those who are `away` (have left, or not come yet) nothing is said. `boards` says which boards
    some sets are; without it they are named by their letters.
    """
    facts = announcement(movement, round)
    where = places(movement)
    named = Named(where.stands, str(STANDS[stand]), boards or set_words)
    lines = [*_line(facts, "ew"), *_line(facts, "ns"), *_boards(facts)]
    if facts.rule:
        said = rule_sentences(facts.rule, tables, movement.number)
        lines = [*(Spoken("rule", one, one.rstrip(".")) for one in said), *_boards(facts)]
    elif facts.ew is None and facts.ns == 0:
        words = {"line": LINES["ns"]}
        stay = Spoken("ns", _("%(line)s stay.") % words, _("%(line)s stay") % words)
        lines = [stay, *_boards(facts)]
    elif facts.ew is None and facts.ns is None:
        text = _("Everybody moves as the guide card or the phone says.")
        lines = [Spoken("cards", text, text), *_boards(facts)]
    return Call(
        lines=tuple(lines),
        exceptions=(
            *(
                _step(movement, round, step)
                for step in _worth_saying(facts)
                if step.contestant not in away
            ),
            *_past_empty_tables(movement, facts),
            *_stands(facts.other_boards, named),
        ),
        copies=tuple(copy_lines(facts, where.copies, named)),
    )


def _line(facts: Announcement, line: str) -> Iterable[Spoken]:
    up = facts.ew if line == "ew" else facts.ns
    if up is None or (line == "ns" and up == 0):
        return
    name = LINES[line]
    if up == 0:
        yield Spoken(
            line, _("%(line)s stay.") % {"line": name}, _("%(line)s stay") % {"line": name}
        )
        return
    is_skip = line == "ew" and facts.is_skip
    far = tables(abs(up), loud=is_skip)
    words = {"line": name, "tables": far}
    if up > 0:
        say = (
            _("%(line)s move up %(tables)s: this is the skip.")
            if is_skip
            else _("%(line)s move up %(tables)s.")
        )
        short = _("%(line)s up %(tables)s") % words
    else:
        say = _("%(line)s move down %(tables)s.")
        short = _("%(line)s down %(tables)s") % words
    if is_skip:
        say = format_html(
            say.replace("%(line)s", "{line}").replace("%(tables)s", "{tables}"),
            line=name,
            tables=format_html("<em>{}</em>", far),
        )
        yield Spoken(line, say, short, is_unusual=True)
    else:
        yield Spoken(line, say % words, short)


def tables(count: int, *, loud: bool = False) -> str:
    """Return "one table", "two tables" …; loud: "TWO tables", when it is the odd one out."""
    if loud and count == 2:
        return _("TWO tables")
    if count == 1:
        return _("one table")
    if count == 2:
        return _("two tables")
    return ngettext("%(count)s table", "%(count)s tables", count) % {"count": count}


def _boards(facts: Announcement) -> Iterable[Spoken]:
    down = facts.boards
    if facts.boards_are_new:
        yield Spoken("boards", _("New boards at every table."), _("New boards"))
    elif down == 0:
        yield Spoken("boards", _("Boards stay."), _("Boards stay"))
    elif down is not None and down < 0:
        words = {"tables": tables(-down)}
        if down == -1:
            yield Spoken("boards", _("Boards move down one."), _("Boards down one"))
        else:
            yield Spoken(
                "boards",
                _("Boards move down %(tables)s.") % words,
                _("Boards down %(tables)s") % words,
            )
    elif down is not None:
        words = {"tables": tables(down)}
        if down == 1:
            yield Spoken("boards", _("Boards move up one."), _("Boards up one"))
        else:
            yield Spoken(
                "boards",
                _("Boards move up %(tables)s.") % words,
                _("Boards up %(tables)s") % words,
            )
    if down and facts.copies_keep_apart:
        say = _("Each copy keeps to its own tables.")
        yield Spoken("boards", say, _("each copy at its own tables"))


def _worth_saying(facts: Announcement) -> Iterable[Step]:
    """Where no rule holds for a whole line, naming everybody would be the whole grid."""
    if facts.rule:
        is_said = facts.rule.kind == "follow"
        return () if is_said else [s for s in facts.others if s.contestant in facts.rule.others]
    if facts.ew is None and facts.ns is None:
        return ()
    return facts.others


def _step(movement: Movement, round: int, step: Step) -> str:
    who = label_of(movement, step.contestant)
    if step.after is None:
        return _("%(pair)s sits out.") % {"pair": who}
    words = {"pair": who, "table": step.after.table, "line": LINES[step.after.line]}
    if step.contestant in movement.absent(round):
        return _("%(pair)s begins at table %(table)s, %(line)s.") % words
    if step.before is None:
        return _("%(pair)s is back at table %(table)s, %(line)s.") % words
    if step.before == step.after:
        return _("%(pair)s stays at table %(table)s.") % words
    return _("%(pair)s goes to table %(table)s, %(line)s.") % words


def _past_empty_tables(movement: Movement, facts: Announcement) -> Iterable[str]:
    """What goes by tables at which nobody plays next, of the sets that have one copy."""
    if facts.boards is None:
        return
    played = {s.table for s in movement.in_round(facts.after_round + 1) if s.is_played}
    way = 1 if facts.boards > 0 else -1
    for step in facts.other_boards:
        if step.copy or len(step.before) != 1 or len(step.after) != 1:
            continue
        before, after = step.before[0], step.after[0]
        at = (before - 1 + facts.boards) % movement.tables + 1
        empty: list[int] = []
        while at not in played and at != after and len(empty) < movement.tables:
            empty.append(at)
            at = (at - 1 + way) % movement.tables + 1
        if empty and at == after:
            yield _(
                "The boards of table %(table)s go to table %(to)s: nobody plays at table %(empty)s."
            ) % {"table": before, "to": after, "empty": ", ".join(map(str, empty))}


def _stands(boards: Iterable[BoardStep], named: Named) -> Iterable[str]:
    """What goes over stands of the sets that have one copy, stand by stand; several have numbers."""
    steps = (step for step in boards if not step.copy and step.from_stand != step.to_stand)
    for step in sorted(steps, key=lambda step: (step.from_stand or step.to_stand, step.to_stand)):
        if len(named.stands) > 1:
            yield from _several_stands(step, named)
        elif step.to_stand and step.before:
            yield _("The boards of table %(table)s go to the %(stand)s after table %(after)s.") % {
                "table": step.before[0],
                "stand": named.word,
                "after": step.to_stand,
            }
        elif step.from_stand and step.after:
            yield _("Table %(table)s takes its boards from the %(stand)s.") % {
                "table": step.after[0],
                "stand": named.word,
            }


def _several_stands(step: BoardStep, named: Named) -> Iterable[str]:
    if step.to_stand and step.before:
        words = {"table": step.before[0], "stand": named.stand(step.to_stand)}
        yield _("The boards of table %(table)s go to %(stand)s.") % words
    elif step.from_stand and step.after:
        words = {"table": step.after[0], "stand": named.stand(step.from_stand)}
        yield _("Table %(table)s takes its boards from %(stand)s.") % words


COUNTED = {
    Contest.PAIRS: ngettext_lazy("%(count)s pair", "%(count)s pairs", "count"),
    Contest.INDIVIDUAL: ngettext_lazy("%(count)s player", "%(count)s players", "count"),
    Contest.TEAMS: ngettext_lazy("%(count)s team", "%(count)s teams", "count"),
}


def counted(contest: Contest, count: int) -> str:
    """Return how many there are: "16 pairs", "8 teams", "21 players"."""
    return COUNTED[contest] % {"count": count}
