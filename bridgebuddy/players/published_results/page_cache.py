"""The cache of result pages and their data.

A published list is read for days without changes. A page depends only on the rows read here and on
the reader's language, not on the clock. Pages are cached as rendered. Only the first page of a
session reads and scores the whole session.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from bridgebuddy.clubs.people.public_names import reads_for_public
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.queries.sessions.sections import all_sections
from bridgebuddy.events.queries.states import session_state
from bridgebuddy.operations.caching import cached
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.earlier import sessions_before
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.web.language import listed_languages
from movements.words.numbers import uses_hundreds

OK = 200


class ResultsCache:
    """The cache of a session's scored results and rendered pages, for one request.

    `together` are the sections of the session. Use it inside a snapshot only.
    """

    def __init__(
        self, request: HttpRequest, together: Sequence[Section], scoring: ScoringSettings | None
    ) -> None:
        self._request, self._together = request, together
        self._state = _results_state(together, scoring)

    def scored(self, section: Section) -> ScoredSession:
        """Return a section's scored session from the cache; callers share it and must not change it."""
        key = ("scored", section.pk, get_language(), uses_hundreds(), reads_for_public())
        return cached(key, self._state, lambda: ScoredSession(SessionSnapshot(section)))

    def answer(self, show: Callable[[], HttpResponse]) -> HttpResponse:
        """Return the cached response for this page; render it with `show` if its data have changed."""
        languages = sorted(listed_languages(self._request, self._together[0].club.language))
        key = ("page", self._request.path, get_language(), *languages)
        other: list[HttpResponse] = []

        def rendered_content() -> bytes | None:
            """Return the page's content; None if it is not to be cached."""
            answer = show()
            if answer.status_code != OK:
                other.append(answer)
                return None
            return answer.content

        page = cached(key, self._state, rendered_content)
        if page is None:
            return other[0] if other else show()
        return HttpResponse(page)


def _results_state(together: Sequence[Section], scoring: ScoringSettings | None) -> str:
    """Return a text that changes whenever something changes on which a session's results depend."""
    session = together[0].session
    former = sessions_before(session)
    sections = [*together, *_sections_of(former)]
    ways = ScoringSettings.objects.filter(session__in=former).order_by("pk") if former else ()
    settings = [way for way in (scoring, *ways) if way is not None]
    # these change with time, without a change of a row
    by_the_clock = (scoring.is_closed, scoring.is_embargoed) if scoring else ()
    return session_state(sections, *settings, *by_the_clock)


def _sections_of(sessions: Sequence[Session]) -> list[Section]:
    """Return all sections of several sessions."""
    return list(all_sections().filter(session__in=sessions).order_by("pk")) if sessions else []
