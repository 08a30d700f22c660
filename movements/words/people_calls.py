"""Sentences of a call about people: the rule for most, and its exceptions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from django.utils.html import format_html
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from movements.engine.calls.people import PeopleAnnouncement
from movements.engine.calls.pieces import TableGroup, do_rows_move_alike
from movements.engine.descriptions.wording import ContestantStep, Line, usual_shift
from movements.engine.model import Movement

from .rules import rule_sentences
from .sentences import LINES, SpokenLine, label_of, row_text, shift_text, table_count


def people_lines(movement: Movement, call: PeopleAnnouncement) -> Iterator[SpokenLine]:
    """Yield the announcement of the rules by which people move after a round."""
    if call.rule:
        for sentence in rule_sentences(call.rule, table_count, movement.number):
            yield SpokenLine("rule", sentence, sentence.rstrip("."))
    elif call.by_cards:
        text = _("Everybody moves as the guide card or the phone says.")
        if call.pieces:
            words = {"line": LINES["ns"]}
            text = _("%(line)s stay, the others go as the guide card or the phone says.") % words
        yield SpokenLine("cards", text, text.rstrip("."))
    else:
        lines: tuple[Line, Line] = ("ew", "ns")
        for line in lines:
            pieces = [piece for piece in call.pieces if piece.line == line]
            is_silent = line == "ns" and _all_stay(pieces) and len(call.pieces) > len(pieces)
            if pieces and not is_silent:
                yield from _line_sentences(movement, pieces)


def _all_stay(pieces: Sequence[TableGroup]) -> bool:
    """Return whether all groups in `pieces` stay seated, so that one short sentence suffices."""
    return all(
        not piece.shift and piece.line == piece.to and piece.group != "swap" for piece in pieces
    )


def _line_sentences(movement: Movement, pieces: Sequence[TableGroup]) -> Iterator[SpokenLine]:
    """Yield the announcement of the moves of a direction."""
    first = pieces[0]
    line = str(LINES[first.line or "ew"])
    words = {"line": line, "tables": table_count(abs(first.shift))}
    if _all_stay(pieces):
        yield SpokenLine(first.line or "", _("%(line)s stay.") % words, _("%(line)s stay") % words)
    elif do_rows_move_alike(tuple(pieces)):
        words["rows"] = get_text_list([row_text(piece) for piece in pieces], _("and"))
        say = (
            _("%(line)s move up %(tables)s, each row by itself: tables %(rows)s.")
            if first.shift > 0
            else _("%(line)s move down %(tables)s, each row by itself: tables %(rows)s.")
        ) % words
        yield SpokenLine(first.line or "", say, say.rstrip("."))
    elif first.group == "swap":
        say = _swap_sentence(movement, first, words)
        yield SpokenLine(first.line or "", say, say.rstrip("."), is_unusual=True)
    elif first.group == "all" and first.line == first.to:
        yield _line_rule(movement, first, words)
    elif [piece.group for piece in pieces] == ["odd", "even"] and _keep_direction_and_change_tables(
        pieces
    ):
        odd, even = (shift_text(piece) for piece in pieces)
        words |= {"odd": odd, "even": even}
        say = _("%(line)s of odd tables move %(odd)s, of even tables %(even)s.") % words
        yield SpokenLine(first.line or "", say, say.rstrip("."))
    else:
        for piece in pieces:
            say = _group_rule(piece)
            yield SpokenLine(piece.line or "", say, say.rstrip("."))


def _line_rule(movement: Movement, piece: TableGroup, words: dict[str, str]) -> SpokenLine:
    """Return the announcement of a direction that moves as one."""
    usual = usual_shift(movement)
    is_skip = piece.line == "ew" and usual is not None and piece.shift != usual
    far = table_count(abs(piece.shift), loud=is_skip)
    words |= {"tables": far}
    if piece.shift > 0:
        say = (
            _("%(line)s move up %(tables)s: this is the skip.")
            if is_skip
            else _("%(line)s move up %(tables)s.")
        )
        short = _("%(line)s up %(tables)s") % words
    else:
        say = _("%(line)s move down %(tables)s.")
        short = _("%(line)s down %(tables)s") % words
    if not is_skip:
        return SpokenLine(piece.line or "", say % words, short)
    loud = format_html(
        say.replace("%(line)s", "{line}").replace("%(tables)s", "{tables}"),
        line=words["line"],
        tables=format_html("<em>{}</em>", far),
    )
    return SpokenLine(piece.line or "", loud, short, is_unusual=True)


def _keep_direction_and_change_tables(pieces: Sequence[TableGroup]) -> bool:
    """Return whether all groups of people change tables and keep their direction."""
    return all(piece.shift and piece.line == piece.to for piece in pieces)


def _swap_sentence(movement: Movement, piece: TableGroup, words: dict[str, str]) -> str:
    """Return the announcement of a direction whose two rows exchange tables."""
    half = movement.tables // 2
    rows = (TableGroup("row", first=1, last=half), TableGroup("row", first=half + 1, last=2 * half))
    words |= {"row": row_text(rows[0]), "other": row_text(rows[1])}
    if piece.shift > 0:
        return (
            _("%(line)s change rows, tables %(row)s with %(other)s, and move up %(tables)s.")
            % words
        )
    if piece.shift < 0:
        return (
            _("%(line)s change rows, tables %(row)s with %(other)s, and move down %(tables)s.")
            % words
        )
    return _("%(line)s change rows, tables %(row)s with %(other)s.") % words


def _group_rule(piece: TableGroup) -> str:
    """Return the announcement of one group of tables of a direction."""
    words = {
        "line": _group_name(piece),
        "other": str(LINES[piece.to or "ew"]),
        "tables": table_count(abs(piece.shift)),
        "last": str(piece.last if piece.shift > 0 else piece.first),
        "first": str(piece.first if piece.shift > 0 else piece.last),
    }
    if piece.line != piece.to:
        if not piece.shift:
            return _("%(line)s stay at their table and sit %(other)s.") % words
        if piece.shift > 0:
            return _("%(line)s move up %(tables)s and sit %(other)s.") % words
        return _("%(line)s move down %(tables)s and sit %(other)s.") % words
    if not piece.shift:
        return _("%(line)s stay.") % words
    if piece.group == "row":
        if piece.shift > 0:
            return _("%(line)s move up %(tables)s; after %(last)s comes %(first)s.") % words
        return _("%(line)s move down %(tables)s; after %(last)s comes %(first)s.") % words
    if piece.shift > 0:
        return _("%(line)s move up %(tables)s.") % words
    return _("%(line)s move down %(tables)s.") % words


def _group_name(piece: TableGroup) -> str:
    """Return the name of a group of people: "East-West of odd tables"."""
    groups = {
        ("ew", "odd"): _("East-West of odd tables"),
        ("ew", "even"): _("East-West of even tables"),
        ("ns", "odd"): _("North-South of odd tables"),
        ("ns", "even"): _("North-South of even tables"),
        ("ew", "row"): _("East-West of tables %(row)s"),
        ("ns", "row"): _("North-South of tables %(row)s"),
    }
    line = piece.line or "ew"
    return groups.get((line, piece.group), str(LINES[line])) % {"row": row_text(piece)}


# ── people without a rule ──


def people_exceptions(
    movement: Movement, round: int, steps: Iterable[ContestantStep], away: Collection[int] = ()
) -> Iterator[str]:
    """Yield sentences for people that are exceptions to the rule; absent ones are left out."""
    named = [step for step in steps if step.contestant not in away]
    stay = [step for step in named if step.after and step.before == step.after]
    out = [step for step in named if step.after is None]
    go = [step for step in named if step.after and step.before and step.before != step.after]
    come = [step for step in named if step.after and step.before is None]
    if go:
        yield _going_sentence(movement, go)
    for step in come:
        yield _coming_sentence(movement, round, step)
    if stay:
        words = {"who": _names_of_steps(movement, stay)}
        yield ngettext("%(who)s stays.", "%(who)s stay.", len(stay)) % words
    yield from _sit_out_sentence(movement, out)


def exchange_sentences(
    movement: Movement, steps: Sequence[ContestantStep], away: Collection[int] = ()
) -> tuple[str, ...]:
    """Return sentences on whose seat each moving contestant takes; empty if a seat stays free.

    That is so in the middle of a round: a rover changes sides.
    """
    who_sat = {step.before: step.contestant for step in steps if step.before}
    takes = [(step.contestant, who_sat.get(step.after)) for step in steps if step.after]
    if not takes or any(holder in (taker, None) for taker, holder in takes):
        return ()
    if not {step.contestant for step in steps}.isdisjoint(away):
        return ()
    clauses: list[str] = []
    for taker, holder in takes:
        words = {"pair": label_of(movement, taker), "other": label_of(movement, holder or 0)}
        if clauses:
            clauses.append(_("%(pair)s that of %(other)s") % words)
        else:
            clauses.append(_("%(pair)s takes the place of %(other)s") % words)
    return (
        f"{', '.join(clauses)}.",
        *_sit_out_sentence(movement, [s for s in steps if s.after is None]),
    )


def _sit_out_sentence(movement: Movement, steps: Sequence[ContestantStep]) -> Iterator[str]:
    """Yield the sentence on contestants that sit out next."""
    if steps:
        words = {"who": _names_of_steps(movement, steps)}
        yield ngettext("%(who)s sits out.", "%(who)s sit out.", len(steps)) % words


def _names_of_steps(movement: Movement, steps: Sequence[ContestantStep]) -> str:
    """Return the labels of the moving contestants as text."""
    labels = dict.fromkeys(label_of(movement, step.contestant) for step in steps)
    return get_text_list(list(labels), _("and"))


def _going_sentence(movement: Movement, steps: Sequence[ContestantStep]) -> str:
    """Return the sentence on contestants that move differently from the rule."""
    clauses: list[str] = []
    for step in steps:
        assert step.after is not None
        words = {
            "pair": label_of(movement, step.contestant),
            "table": step.after.table,
            "line": LINES[step.after.line],
        }
        is_plain = movement.field_of(step.contestant).name == step.after.line
        if clauses and is_plain:
            clauses.append(_("%(pair)s to %(table)s") % words)
        elif clauses:
            clauses.append(_("%(pair)s to table %(table)s %(line)s") % words)
        elif is_plain:
            clauses.append(_("%(pair)s goes to table %(table)s") % words)
        else:
            clauses.append(_("%(pair)s goes to table %(table)s %(line)s") % words)
    return f"{', '.join(clauses)}."


def _coming_sentence(movement: Movement, round: int, step: ContestantStep) -> str:
    """Return the sentence on a contestant that sat out and plays now."""
    assert step.after is not None
    words = {
        "pair": label_of(movement, step.contestant),
        "table": step.after.table,
        "line": LINES[step.after.line],
    }
    is_plain = movement.field_of(step.contestant).name == step.after.line
    if step.contestant in movement.absent(round):
        if is_plain:
            return _("%(pair)s begins at table %(table)s.") % words
        return _("%(pair)s begins at table %(table)s, %(line)s.") % words
    if is_plain:
        return _("%(pair)s is back at table %(table)s.") % words
    return _("%(pair)s is back at table %(table)s, %(line)s.") % words
