"""Pages of results, kept as they were written until something they show is another.

A list that is published is read by everybody for days, and nothing changes in it. What it shows follows from the rows
that are read here, from those who read it by their language alone, and from no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.queries.kept import Memory, columns_of, state_of
from bridgebuddy.events.queries.sections import all_sections
from bridgebuddy.language import named
from bridgebuddy.scoring.models import Scoring
from bridgebuddy.scoring.queries.earlier import sessions_before

#: pages in a language, some ten kilobytes each
memory = Memory(200)
OK = 200


def kept_answer(
    request: HttpRequest,
    together: Sequence[Section],
    scoring: Scoring | None,
    show: Callable[[], HttpResponse],
) -> HttpResponse:
    """Return a page of a session's results, worked out only where something is another since it was last.

    `together` are the sections of the session. Only within a moment: what has been read is of it.
    """
    state = _state(together, scoring)
    languages = sorted(named(request, together[0].club.language))
    where = (request.path, get_language(), *languages)
    other: list[HttpResponse] = []

    def write() -> bytes | None:
        answer = show()
        if answer.status_code != OK:
            other.append(answer)
            return None
        return answer.content

    found = memory.value(where, state, "page", write)
    if found is None:
        return other[0] if other else show()
    return HttpResponse(found)


def _state(together: Sequence[Section], scoring: Scoring | None) -> str:
    """Write down everything that counts for the results of a session, those that it follows among it."""
    session = together[0].session
    former = sessions_before(session)
    sections = [*together, *_sections_of(former)]
    ways = Scoring.objects.filter(session__in=former).order_by("pk") if former else ()
    rows = [columns_of(one) for one in (scoring, *ways) if one is not None]
    # by the time, which changes no row
    by_the_clock = (scoring.is_closed, scoring.is_embargoed) if scoring else ()
    return repr([*(state_of(one, without=()) for one in sections), *rows, *by_the_clock])


def _sections_of(sessions: Sequence[Session]) -> list[Section]:
    return list(all_sections().filter(session__in=sessions).order_by("pk")) if sessions else []
