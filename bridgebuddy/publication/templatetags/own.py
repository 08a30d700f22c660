"""Template filter for tricks on a player's own page."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.scoring.words import signed_score

register = template.Library()

register.filter("signed_tricks", signed_score)
register.filter("has_little", lambda shares: any(share.is_little for share in shares))


@register.filter
def tricks_against_double_dummy(tricks: int) -> str:
    """Template filter: the difference from the double-dummy number of tricks, in words."""
    if not tricks:
        return _("as the cards allow")
    return ngettext("%(number)s trick", "%(number)s tricks", abs(tricks)) % {
        "number": signed_score(tricks)
    }
