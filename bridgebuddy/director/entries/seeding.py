"""The balance of strong pairs over lines and seats, in words."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from bridgebuddy.events.queries.sessions.strengths import SeedingReport
from movements.words.sentences import LINES

#: shares of the spread of strength from which a difference has a word
A_LITTLE, CLEARLY = 0.15, 0.5
#: the same for the influence of the draw
DRAW_A_LITTLE, DRAW_CLEARLY = 0.03, 0.1


def seeding_sentence(seeding: SeedingReport) -> str:
    """Return a sentence on how evenly the seating divides strong pairs: over both directions, or as opponents."""
    if not seeding.spread:
        return _("All pairs are equally strong.")
    sentences = [_direction_balance_text(seeding)] if len(seeding.lines) > 1 else []
    if len(seeding.lines) == 1 or seeding.share_within >= DRAW_A_LITTLE:
        sentences.append(_opponent_balance_text(seeding))
    return " ".join(sentences)


def _direction_balance_text(seeding: SeedingReport) -> str:
    """Return a sentence on whether North-South or East-West is stronger."""
    words = {"line": LINES[seeding.stronger_line]}
    if seeding.share_between < A_LITTLE:
        return _("The two lines are equally strong.")
    if seeding.share_between < CLEARLY:
        return _("%(line)s are a little stronger.") % words
    return _("%(line)s are clearly stronger.") % words


def _opponent_balance_text(seeding: SeedingReport) -> str:
    """Return a sentence on whether some pairs meet weaker opponents than others."""
    if seeding.share_within < DRAW_A_LITTLE:
        return _("The pairings favour nobody.")
    if seeding.share_within < DRAW_CLEARLY:
        return _("The pairings favour some pairs a little.")
    return _("The pairings clearly favour some pairs.")


def change_sentence(old_report: SeedingReport, new_report: SeedingReport) -> str:
    """Return a sentence on the effect of balancing the seats by strength, with figures."""
    return _("Before: %(before)s Now: %(after)s") % {
        "before": _balance_text_with_figure(old_report),
        "after": _balance_text_with_figure(new_report),
    }


def _balance_text_with_figure(seeding: SeedingReport) -> str:
    """Return a sentence on how evenly strength is divided in the seating, with the measured difference."""
    if len(seeding.lines) > 1:
        return _("%(sentence)s (They differ by %(figure)s.)") % {
            "sentence": seeding_sentence(seeding),
            "figure": number_format(seeding.figure.difference, 1),
        }
    return _("%(sentence)s (%(figure)s on average.)") % {
        "sentence": seeding_sentence(seeding),
        "figure": number_format(seeding.figure.shift, 2),
    }
