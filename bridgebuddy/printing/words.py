"""Words of the game that several sheets say: who deals, who is vulnerable."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from movements.engine.boards import vulnerability
from movements.words.sentences import CHAIRS

#: who deals, by the engine's letter
DEALERS = {letter: CHAIRS[letter.lower()] for letter in "NESW"}
NOBODY, EVERYBODY = pgettext_lazy("vulnerable", "none"), pgettext_lazy("vulnerable", "all")


def vulnerable_in_words(board: int) -> str:
    """Return who is vulnerable, where there is room for the word: "nobody", "NS", "EW" or "all"."""
    if vulnerability(board) == "none":
        return pgettext("vulnerable", "nobody")
    return vulnerable(board)


def vulnerable(board: int) -> str:
    """Return who is vulnerable on a board, as a card says it: "none", "NS", "EW" or "all"."""
    names = {"none": NOBODY, "ns": _("NS"), "ew": _("EW"), "all": EVERYBODY}
    return str(names[vulnerability(board)])
