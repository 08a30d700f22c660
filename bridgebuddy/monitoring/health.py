"""Health endpoints for proxies (`/healthz`), people and monitoring (`/readyz`), and phones (`/ping`).

They are answered before all other checks, because a probe knows neither the server's names nor HTTPS.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse

from .health_checks import FindingLevel, all_findings, last_times, serving_findings

View = Callable[[HttpRequest], HttpResponse]
UNAVAILABLE = 503
#: what a phone asks before it leaves a page; `phone.js` knows the answer from the page of a Wi-Fi or a proxy
PING = "/ping"
STATUS = {FindingLevel.OK: "ok", FindingLevel.ATTENTION: "attention", FindingLevel.BROKEN: "broken"}


def answer_probe(get_response: View) -> View:
    """Middleware that answers `/ping`, `/healthz` and `/readyz`."""
    answers = {PING: _ping_response, "/healthz": _health_response, "/readyz": _readiness_response}

    def middleware(request: HttpRequest) -> HttpResponse:
        """Answer probes before any other middleware."""
        answer = answers.get(request.path_info)
        return get_response(request) if answer is None else _forbid_caching(answer())

    return middleware


def _ping_response() -> HttpResponse:
    """Return the response that says that the process runs."""
    return HttpResponse("BridgeBuddy\n", content_type="text/plain")


def _health_response() -> HttpResponse:
    """Return a response that says whether this process can serve requests; at status 503 a proxy drops the server."""
    bad = [name for name, finding in serving_findings().items() if finding.level > FindingLevel.OK]
    text = f"not ok: {', '.join(bad)}\n" if bad else "ok\n"
    return HttpResponse(text, content_type="text/plain", status=UNAVAILABLE if bad else 200)


def _readiness_response() -> HttpResponse:
    """Return the state of the whole server as JSON: 503 if something is broken, else 200."""
    findings = all_findings()
    worst = max(finding.level for finding in findings.values())
    texts = {name: finding.text for name, finding in findings.items()}
    body = {"status": STATUS[worst]} | texts | last_times()
    return JsonResponse(body, status=UNAVAILABLE if worst == FindingLevel.BROKEN else 200)


def _forbid_caching(response: HttpResponse) -> HttpResponse:
    """Add headers that forbid caching to a response, and return it."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Length"] = str(len(response.content))  # no middleware adds it later
    return response
