"""What families need and what can be chosen for them, marked for translation.

The engine knows no languages, so its English is listed here once more; a test holds the lists to
the catalogue.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext_lazy

NEEDS = (
    gettext_noop("an odd number of tables"),
    gettext_noop("an odd number of tables, or at most half as many rounds"),
    gettext_noop("an even number of tables"),
    gettext_noop("a multiple of 4 tables"),
    gettext_noop("more tables than rounds, and an odd number of rounds where the tables are odd"),
    gettext_noop("at least 5 tables"),
    gettext_noop("at least as many tables as rounds"),
    gettext_noop("a half table and at least 5 more"),
    gettext_noop("a base of 5, 7, 11 … tables and fewer tables than that beside it"),
    gettext_noop("a number of tables for which a rover's path is known"),
    gettext_noop("a number of tables for which a rover's path is known, and one more"),
    gettext_noop("at least 2 tables"),
    gettext_noop("2 to 10 tables"),
    gettext_noop("4 to 12 tables"),
    gettext_noop("3 tables"),
    gettext_noop("at least 3 tables"),
    gettext_noop("4 to 21 tables"),
    gettext_noop("a number of tables with a path through every round"),
    gettext_noop("a number of tables with a path through every round, and one more"),
    gettext_noop("8 tables, or 5, 7, 11, 13 … (prime to 6)"),
    gettext_noop("2 tables or a few more"),
    gettext_noop("2 to 7 tables"),
    gettext_noop("two tables"),
    gettext_noop("three tables"),
    gettext_noop("at least three teams and an even number of rounds"),
    gettext_noop("an even number of teams"),
    gettext_noop("an even number of teams, at least 6"),
    gettext_noop("an even number of teams, or an odd one from 7"),
    gettext_noop("5 or 9 teams"),
    gettext_noop("at least 4 teams"),
)

OPTIONS = (
    gettext_noop("the round after which East-West move up two tables"),
    gettext_noop("a last round against the first opponents"),
    gettext_noop("the lower of the two tables that share boards"),
    gettext_noop("a second copy of the boards, so that nobody shares"),
    gettext_noop("down or up"),
    gettext_noop("how East-West move"),
    gettext_noop("how many stanzas; the tables must divide by it"),
    gettext_noop("the first round in which half sets are passed on"),
    gettext_noop("the true web, or blocks alone"),
    gettext_noop("rounds before the break"),
    gettext_noop("tables of the base"),
    gettext_noop("how far N-S and E-W go"),
    gettext_noop("the movement below"),
    gettext_noop("the best known, or the printed one"),
    gettext_noop("arrow-switch the last round"),
    gettext_noop("the rounds to switch; 0 for none"),
    gettext_noop("only these tables"),
    gettext_noop("the printed one, or built"),
    gettext_noop("one player more, who sits out in turn"),
    gettext_noop("the three teams, such as 1,4,5"),
    gettext_noop("which way E-W and the boards move"),
    gettext_noop("teams, or pairs (two a table)"),
    gettext_noop("how the first round is drawn"),
    gettext_noop("what an odd number of teams does"),
    gettext_noop("draw one round behind, so the first two beforehand"),
    gettext_noop("one pair is missing (pairs)"),
    gettext_noop("the number that makes a random draw repeatable"),
)

CHOICES = {
    "usual": pgettext_lazy("choice", "usual"),
    "up": pgettext_lazy("choice", "up"),
    "down": pgettext_lazy("choice", "down"),
    "whist": pgettext_lazy("choice", "whist"),
    "eight": pgettext_lazy("choice", "eight"),
    "twelve": pgettext_lazy("choice", "twelve"),
    "web": pgettext_lazy("choice", "web"),
    "natural": pgettext_lazy("choice", "natural"),
    "back": pgettext_lazy("choice", "back"),
    "two": pgettext_lazy("choice", "two"),
    "two-back": pgettext_lazy("choice", "two back"),
    "best": pgettext_lazy("choice", "best"),
    "published": pgettext_lazy("choice", "published"),
    "built": pgettext_lazy("choice", "built"),
    "teams": pgettext_lazy("choice", "teams"),
    "pairs": pgettext_lazy("choice", "pairs"),
    "slide": pgettext_lazy("choice", "slide"),
    "fold": pgettext_lazy("choice", "fold"),
    "random": pgettext_lazy("choice", "random"),
    "triangle": pgettext_lazy("choice", "triangle"),
    "long-triangle": pgettext_lazy("choice", "long triangle"),
    "bye": pgettext_lazy("choice", "bye"),
}


def catalogue_words(text: str) -> str:
    """Return what the catalogue says of a need or an option in the reader's language."""
    return _(text) if text else ""
