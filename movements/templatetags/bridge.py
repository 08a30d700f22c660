"""Template filters for movements in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..library import heat, ring
from ..words import sentences
from ..words.advice import WORDS

register = template.Library()

register.filter("family_title", sentences.family_title)
register.filter("catalogue_words", sentences.catalogue_words)
register.filter("choice_word", sentences.choice_word)
register.filter("counted", sentences.contestant_count_text)
register.filter("fairness_picture", heat.heat_thumbnail)
register.filter("ring", ring.draw_ring)
register.filter("medium_ring", ring.draw_medium_ring)
register.filter("small_ring", ring.draw_small_ring)


@register.filter
def line_name(direction: str) -> str:
    """Return a direction in full, "North-South"; for a single player the seat, "North"."""
    return str(sentences.LINES.get(direction) or sentences.SEATS[direction])


@register.filter
def line_letters(direction: str) -> str:
    """Return a direction in letters, "NS"; for a single player the seat, "N"."""
    return str(sentences.LINE_LETTERS.get(direction) or sentences.SEAT_LETTERS[direction])


@register.filter
def rounds_out(share: Fraction) -> str:
    """Return the length of a sit-out as text: "none", "half a round", "1 round"."""
    if share == 0:
        return _("none")
    if share == Fraction(1, 2):
        return _("half a round")
    if share.denominator == 1:
        return ngettext("%(count)s round", "%(count)s rounds", share.numerator) % {
            "count": share.numerator
        }
    return _("%(count)s½ rounds") % {"count": share.numerator // share.denominator}


@register.filter
def value_of(answers: Mapping[str, str], name: str) -> str:
    """Return the value that a form's answers have for the option `name` of a movement family; empty for none."""
    return answers.get(f"option-{name}", "")


@register.filter
def of_entry(values: Mapping[int, object], entry: int) -> object:
    """Return the value of an entry, by its primary key, in a mapping; None if it has none."""
    return values.get(entry)


@register.filter
def version_name(name: str) -> str:
    """Return the translated name of a version of a movement."""
    return str(sentences.VERSIONS.get(name) or sentences.choice_word(name))


@register.filter
def fairness_word(word: str) -> str:
    """Return the translated word for a fairness score."""
    return str(WORDS[word])
