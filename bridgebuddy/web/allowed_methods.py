"""The HTTP methods that views receive; other methods are answered by middleware."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

View = Callable[[HttpRequest], HttpResponse]
FOR_VIEWS = ("GET", "HEAD", "POST")
ALL = (*FOR_VIEWS, "OPTIONS")


def refuse_unknown_methods(get_response: View) -> View:
    """Middleware that answers `OPTIONS` with the allowed methods, and refuses unknown methods with 405."""

    def middleware(request: HttpRequest) -> HttpResponse:
        """Refuse unknown methods before any view."""
        if request.method in FOR_VIEWS:
            return get_response(request)
        if request.method == "OPTIONS":
            return HttpResponse(status=204, headers={"Allow": ", ".join(ALL)})
        return HttpResponseNotAllowed(ALL, headers={"Content-Length": "0"})

    return middleware
