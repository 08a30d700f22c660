"""A ruling that another page fills into the form of *Correct*."""

from __future__ import annotations

from collections.abc import Mapping

from .ruling_forms import AWARDS, KINDS, WHY_NOT

CHOICES = {"kind": KINDS, "award_ns": AWARDS, "award_ew": AWARDS, "why_not": WHY_NOT}
LONGEST_REASON = 200


def suggested_ruling(form_data: Mapping[str, str]) -> dict[str, str]:
    """Return the initial values of the ruling's form from a query string; unknown values are left out."""
    suggested = {
        name: form_data[name] for name, choices in CHOICES.items() if form_data.get(name) in choices
    }
    if "kind" in suggested and (reason := form_data.get("reason", "").replace("\0", "").strip()):
        suggested["reason"] = reason[:LONGEST_REASON]
    return suggested
