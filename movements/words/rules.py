"""Rules for moves without a common shift of a line, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from movements.engine.descriptions.rules import MoveRule


def rule_sentences(
    rule: MoveRule, tables: Callable[[int], str], number: Callable[[int], str]
) -> Iterator[str]:
    """Yield the director's sentences for a rule of moves; `tables` and `number` format their values."""
    if rule.kind == "chairs":
        for chair, shift in zip(
            (_("North players"), _("South players"), _("East players"), _("West players")),
            rule.shifts,
            strict=True,
        ):
            yield _shift_sentence(chair, shift, tables)
    else:
        yield from _following_sentences(rule, number)


def _shift_sentence(subject: str, shift: int, tables: Callable[[int], str]) -> str:
    """Return the sentence on a direction that moves as one."""
    words = {"line": subject, "tables": tables(abs(shift))}
    if shift == 0:
        return _("%(line)s stay.") % words
    if shift > 0:
        return _("%(line)s move up %(tables)s.") % words
    return _("%(line)s move down %(tables)s.") % words


def _following_sentences(rule: MoveRule, number: Callable[[int], str]) -> Iterator[str]:
    """Yield the sentences on contestants that follow each other."""
    words = {"first": number(rule.ends[0]), "last": number(rule.ends[1])}
    if rule.shifts == (1,):
        yield _("Everybody takes the place of the next lower number, %(first)s that of %(last)s.") % words  # fmt: skip
    else:
        yield _("Everybody takes the place of the next higher number, %(first)s that of %(last)s.") % words  # fmt: skip
    if rule.others:
        stays = ", ".join(map(number, rule.others))
        yield ngettext("%(who)s stays.", "%(who)s stay.", len(rule.others)) % {"who": stays}
