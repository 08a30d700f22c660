"""Why it ended as it did: what the draw did with the list, what was to be expected, wild boards, and rulings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import of_one_moment, section_for_director
from bridgebuddy.events.queries.games import board_text
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.seasons.queries.expected import expected_of, keep_lists_before
from bridgebuddy.seasons.queries.luck import Looked, boards_of, luck_of

from .context import Read

#: what shows as 0.0: a movement in which everybody weighs the same
NOTHING = 0.05


@never_cache
@require_safe
def looking_back(request: UserRequest, code: str) -> HttpResponse:
    """Show what the draw did; while results are missing of those that are in."""
    keep_lists_before(section_for_director(request, code))
    return _shown(request, code)


@of_one_moment
def _shown(request: UserRequest, code: str) -> HttpResponse:
    read = Read(request, code)
    if hidden := read.everything():
        return hidden
    lists = luck_of(read.scored)
    wild, flat = boards_of(read.scored)
    context = read.context(
        "ranking",
        lists=[(one, verdict(one), within(one), does_something(one)) for one in lists],
        title=verdict(lists[0]) if len(lists) == 1 else "",
        wild=board_text(tuple(sorted(wild))),
        flat=board_text(tuple(flat)),
        ruled=list(ruled(read.scored)),
        expected=expected_of(read.scored),
    )
    return render(request, "director/results/looking_back.html", context)


def verdict(found: Looked) -> str:
    """Say how far the top of a list hung on the draw."""
    if not does_something(found):
        return _("The draw changed nothing: everybody was compared with everybody alike")
    if not found.firm:
        return _("With another draw others could have been first")
    if found.firm[0] == 1:
        return _("%(names)s would have won with any fair draw") % {
            "names": found.rows[0].standing.names
        }
    first = found.firm[0]
    return ngettext(
        "The first %(count)s would be the first %(count)s with any fair draw",
        "The first %(count)s would be the first %(count)s with any fair draw",
        first,
    ) % {"count": first}


def does_something(found: Looked) -> bool:
    """Say whether anything of the draw shows in a list's numbers."""
    return any(max(abs(row.luck.whole), row.luck.give_or_take) >= NOTHING for row in found.rows)


def within(found: Looked) -> list[str]:
    """Return the places among which a fair draw could have changed the order: "2–5"."""
    cuts = [0, *found.firm, len(found.rows)]
    return [f"{first + 1}–{last}" for first, last in pairwise(cuts) if last - first > 1]


def ruled(scored: Scored) -> Iterator[str]:
    """Yield what a director has ruled, in numbers."""
    counts = Counter(kind for line in scored.tonight.lines for kind in line.outcome or ())
    if count := counts["artificial"]:
        yield ngettext("%(count)s artificial score", "%(count)s artificial scores", count) % {
            "count": count
        }
    if count := counts["assigned"]:
        yield ngettext("%(count)s assigned score", "%(count)s assigned scores", count) % {
            "count": count
        }
    if count := len(scored.document.get("penalties", ())):
        yield ngettext("%(count)s penalty", "%(count)s penalties", count) % {"count": count}
