"""Health endpoints for proxies (`/healthz`), people and monitoring (`/readyz`), and phones (`/ping`).

They are answered before all other checks, because a probe knows neither the server's names nor HTTPS.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse

from .health_checks import FindingLevel, everything, last_times, serving

View = Callable[[HttpRequest], HttpResponse]
UNAVAILABLE = 503
#: what a phone asks before it leaves a page; `phone.js` knows the answer from the page of a Wi-Fi or a proxy
PING = "/ping"
STATUS = {FindingLevel.OK: "ok", FindingLevel.ATTENTION: "attention", FindingLevel.BROKEN: "broken"}


def probes(get_response: View) -> View:
    """Middleware that answers the health endpoints."""
    answers = {PING: _ping, "/healthz": _health, "/readyz": _readiness}

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = answers.get(request.path_info)
        return get_response(request) if answer is None else _uncached(answer())

    return middleware


def _ping() -> HttpResponse:
    return HttpResponse("BridgeBuddy\n", content_type="text/plain")


def _health() -> HttpResponse:
    """Answer whether this process can serve requests; a proxy drops a server that cannot."""
    bad = [name for name, finding in serving().items() if finding.level > FindingLevel.OK]
    text = f"not ok: {', '.join(bad)}\n" if bad else "ok\n"
    return HttpResponse(text, content_type="text/plain", status=UNAVAILABLE if bad else 200)


def _readiness() -> HttpResponse:
    """Answer the state of the whole server: 503 if something is broken, 200 if something needs attention."""
    findings = everything()
    worst = max(finding.level for finding in findings.values())
    texts = {name: finding.text for name, finding in findings.items()}
    body = {"status": STATUS[worst]} | texts | last_times()
    return JsonResponse(body, status=UNAVAILABLE if worst == FindingLevel.BROKEN else 200)


def _uncached(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Length"] = str(len(response.content))  # no middleware adds it later
    return response
