"""Metrics of this server for Prometheus (`/metrics`), protected by a token.

All processes of a server count together, in files that `manage.py serve` sets up. Each server is a
target.
"""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.http import HttpRequest, HttpResponse
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from bridgebuddy.clubs.upkeep import last_task_runs
from bridgebuddy.events.queries.sessions.sections import count_open_sections
from bridgebuddy.jobs.kinds import KINDS
from bridgebuddy.jobs.services import STATES, job_counts
from bridgebuddy.operations.logs import route_pattern

from .health_checks import all_findings

View = Callable[[HttpRequest], HttpResponse]
log = logging.getLogger("bridgebuddy.requests")
UNCHANGED = 204

REQUESTS = Counter("bridgebuddy_requests", "Requests answered", ["method", "status"])
SECONDS = Histogram(
    "bridgebuddy_request_seconds",
    "How long answers took",
    ["kind"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
POLLS = Counter("bridgebuddy_polls", "Polls of live pages", ["news"])
FAILED_MAILS = Counter("bridgebuddy_failed_mails", "Mails that could not be handed on")
OPEN_SECTIONS = Gauge(
    "bridgebuddy_open_sections", "Sections being played", multiprocess_mode="mostrecent"
)
JOBS = Gauge(
    "bridgebuddy_jobs",
    "Jobs that wait, and jobs that were given up",
    ["kind", "state"],
    multiprocess_mode="mostrecent",
)
LAST_DONE = Gauge(
    "bridgebuddy_last_done_timestamp_seconds",
    "When it was last backed up and tidied, 0 where never",
    ["what"],
    multiprocess_mode="mostrecent",
)

HEALTH = Gauge(
    "bridgebuddy_health",
    "What /readyz checks: 0 is well, 1 needs attention, 2 is broken",
    ["check"],
    multiprocess_mode="mostrecent",
)


def count_requests(get_response: View) -> View:
    """Middleware that counts and times each request, and logs it at `LOG_LEVEL=INFO`."""

    def middleware(request: HttpRequest) -> HttpResponse:
        """Count and time a request; answer `/metrics`."""
        if request.path_info == "/metrics" and _may_see_metrics(request):
            return _metrics_response()
        begin = time.perf_counter()
        response = get_response(request)
        seconds = time.perf_counter() - begin
        is_poll = request.method == "GET" and "v" in request.GET
        REQUESTS.labels(_method_label(request), response.status_code).inc()
        SECONDS.labels("poll" if is_poll else "page").observe(seconds)
        if is_poll:
            POLLS.labels("no" if response.status_code == UNCHANGED else "yes").inc()
        if log.isEnabledFor(logging.INFO):
            facts: dict[str, object] = {
                "method": _method_label(request),
                "route": route_pattern(request),
            }
            facts |= {"status": response.status_code, "ms": round(1000 * seconds)}
            log.info("%(method)s %(route)s %(status)s", facts, extra={"said": facts})
        return response

    return middleware


def _method_label(request: HttpRequest) -> str:
    """Return a request's method as a metric's label; all unknown methods share one label."""
    return request.method if request.method in ("GET", "HEAD", "POST") else "other"


def _may_see_metrics(request: HttpRequest) -> bool:
    """Return whether the request carries the configured `METRICS_TOKEN`; without one it is refused."""
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").encode()
    return bool(token) and secrets.compare_digest(given, f"Bearer {token}".encode())


def _metrics_response() -> HttpResponse:
    """Return the response with all metrics in Prometheus' text format."""
    OPEN_SECTIONS.set(count_open_sections())
    figures = job_counts()
    for what, at in last_task_runs().items():
        LAST_DONE.labels(what.value).set(at.timestamp() if at else 0)
    for check, finding in all_findings().items():
        HEALTH.labels(check).set(finding.level)
    for kind in KINDS:
        for state in STATES:
            JOBS.labels(kind, state).set(figures.get((kind, state), 0))
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class CountingBackend(BaseEmailBackend):
    """Django mail backend that passes mails on to that of `EMAIL_URL`, and counts failures."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._backend = get_connection(settings.MAILS_GO_BY, *args, **options)

    def send_messages(self, email_messages: Iterable[Any]) -> int:
        """Send mails with the other backend, and count those that fail."""
        mails = list(email_messages)
        try:
            sent = self._backend.send_messages(mails) or 0
        except Exception:
            FAILED_MAILS.inc(len(mails))
            raise
        FAILED_MAILS.inc(len(mails) - sent)
        return int(sent)
