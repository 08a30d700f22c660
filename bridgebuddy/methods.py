"""The methods of HTTP that pages know. Views are only ever asked with these."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

View = Callable[[HttpRequest], HttpResponse]
FOR_VIEWS = ("GET", "HEAD", "POST")
ALL = (*FOR_VIEWS, "OPTIONS")


def known_methods(get_response: View) -> View:
    """Answer `OPTIONS` with the methods there are, and refuse all others with 405; neither has content."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method in FOR_VIEWS:
            return get_response(request)
        if request.method == "OPTIONS":
            return HttpResponse(status=204, headers={"Allow": ", ".join(ALL)})
        return HttpResponseNotAllowed(ALL, headers={"Content-Length": "0"})

    return middleware
