"""Words of the game on several sheets: dealer and vulnerability."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from movements.engine.boards import vulnerability
from movements.words.sentences import CHAIRS

#: the dealers by the engine's letters
DEALERS = {letter: CHAIRS[letter.lower()] for letter in "NESW"}
NOBODY, EVERYBODY = pgettext_lazy("vulnerable", "none"), pgettext_lazy("vulnerable", "all")


def vulnerable_in_words(board: int) -> str:
    """Return the vulnerability of a board in words: "nobody", "NS", "EW" or "all"."""
    if vulnerability(board) == "none":
        return pgettext("vulnerable", "nobody")
    return vulnerability_text(board)


def vulnerability_text(board: int) -> str:
    """Return the vulnerability of a board as on a card: "none", "NS", "EW" or "all"."""
    names = {"none": NOBODY, "ns": _("NS"), "ew": _("EW"), "all": EVERYBODY}
    return str(names[vulnerability(board)])
