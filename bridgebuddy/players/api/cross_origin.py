"""Answers for scripts of other websites: readable from every origin, errors as JSON, a limit for each network.

A script that repeats its request in a loop is refused before it reaches the database. The count is in this process's
memory, because a write for every read would cost more than the answer.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from bridgebuddy.clubs.sign_in.limits import NOBODY_KNOWS, network_of

View = Callable[[HttpRequest], HttpResponse]
PREFIX = "/api/"
METHODS = ("GET", "HEAD", "OPTIONS")
OPEN_TO_ALL = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": ", ".join(METHODS),
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Expose-Headers": "ETag",
    "Access-Control-Max-Age": "86400",
}
ERRORS = {404: "not found", 405: "only GET, HEAD and OPTIONS", 429: "too many requests"}
#: requests of a network in a window of seconds: ten a second
MOST, WINDOW = 600, 60
#: networks that are counted at once
MOST_NETWORKS = 10_000
BAD_REQUEST, TOO_MANY = 400, 429


class RequestCount:
    """A counter of each network's API requests in the current period of the rate limit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._window, self._counts = 0, dict[str, int]()

    def count_request(self, network: str) -> bool:
        """Count a request. Return whether its network has made more than the limit allows."""
        window = int(time.monotonic()) // WINDOW
        with self._lock:
            if window != self._window or len(self._counts) >= MOST_NETWORKS:
                self._window, self._counts = window, {}
            self._counts[network] = self._counts.get(network, 0) + 1
            return self._counts[network] > MOST

    def clear(self) -> None:
        """Delete all counts."""
        with self._lock:
            self._counts = {}


requests_of_networks = RequestCount()


def allow_other_sites(get_response: View) -> View:
    """Middleware that answers `/api/` for scripts of other websites (CORS), within a rate limit."""

    def middleware(request: HttpRequest) -> HttpResponse:
        """Answer requests to the API with headers that let other sites read it."""
        if not request.path_info.startswith(PREFIX):
            return get_response(request)
        answer = _limited_answer(request, get_response)
        is_json = answer.get("Content-Type", "").startswith("application/json")
        if answer.status_code >= BAD_REQUEST and not is_json:
            answer = _json_error(answer)
        for name, value in OPEN_TO_ALL.items():
            answer.headers[name] = value
        return answer

    return middleware


def _limited_answer(request: HttpRequest, get_response: View) -> HttpResponse:
    """Return the response of the API to a request; refuse methods other than GET, and too many requests."""
    if request.method == "OPTIONS":
        return HttpResponse(status=204, headers={"Allow": ", ".join(METHODS)})
    if request.method not in METHODS:
        return HttpResponseNotAllowed(METHODS)
    network = network_of(request)
    if network != NOBODY_KNOWS and requests_of_networks.count_request(network):
        return HttpResponse(status=TOO_MANY, headers={"Retry-After": str(WINDOW)})
    return get_response(request)


def _json_error(answer: HttpResponse) -> HttpResponse:
    """Return an error response as JSON, with the headers of the original response."""
    error = ERRORS.get(answer.status_code, answer.reason_phrase.lower())
    document = JsonResponse({"error": error}, status=answer.status_code)
    document.headers["Cache-Control"] = "no-store"
    for name in ("Allow", "Retry-After"):
        if name in answer.headers:
            document.headers[name] = answer.headers[name]
    return document
