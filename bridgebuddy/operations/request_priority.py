"""The priority of waiting requests: forms first, then polls without news, then pages.

So entered data do not wait for readers, and a phone that waits for its page shows its old plan. Decision 0030.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import partial
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from .call_stack import call_with_large_stack
from .http_connections import HttpConnection, OutgoingResponse

#: in the environment of a poll: whether others wait behind it
OTHERS_WAIT = "bridgebuddy.others_wait"
FORM, POLL, PAGE = range(3)


class RequestDeferred(BaseException):
    """Signal, not an error: a poll gives way to waiting pages. Views must not catch it."""


def defer_to_waiting_requests(environ: Mapping[str, Any]) -> None:
    """Raise `RequestDeferred` if other requests wait, unless this request has given way before."""
    if environ.get(OTHERS_WAIT):
        raise RequestDeferred


class RequestQueue:
    """The connections whose requests wait for a thread, in the order of priority."""

    def __init__(self) -> None:
        self._waiting: tuple[deque[Any], ...] = tuple(deque() for _ in (FORM, POLL, PAGE))

    def append(self, channel: Any) -> None:
        """Add a connection according to the priority of its request."""
        self._waiting[request_priority_of(channel.requests[0])].append(channel)

    def popleft(self) -> Any:
        """Remove and return the first connection of the highest priority."""
        return next(waiting for waiting in self._waiting if waiting).popleft()

    def __len__(self) -> int:
        return sum(map(len, self._waiting))


def request_priority_of(request: Any) -> int:
    """Return the priority of a complete request: form, page or poll."""
    if getattr(request, "gave_way", False):
        return PAGE
    if request.error or request.command not in ("GET", "HEAD"):
        return FORM
    is_poll = any(part.startswith("v=") for part in request.query.split("&"))
    return (
        POLL if is_poll or request.path == "/ping" or request.path.startswith("/static/") else PAGE
    )


class PriorityDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Waitress's dispatcher, which passes waiting requests to the threads by priority."""

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.queue = RequestQueue()
        self.set_thread_count(threads)

    def handler_thread(self, thread_no: int) -> None:
        """Answer requests in a thread, one after the other, with a large call stack."""
        call_with_large_stack(partial(super().handler_thread, thread_no))


class _DeferrableRequestTask(OutgoingResponse):
    """A waitress task whose WSGI environment says, for a poll, whether other requests wait."""

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environment; for a poll it says whether other requests wait."""
        environ: dict[str, Any] = super().get_environment()
        others = len(self.channel.server.task_dispatcher.queue)
        environ[OTHERS_WAIT] = bool(others) and request_priority_of(self.request) == POLL
        return environ


class PriorityChannel(HttpConnection):
    """A client's connection whose request may give way to others once."""

    task_class = _DeferrableRequestTask

    def service(self) -> None:
        """Answer the request; if it gives way, put it back into the queue among the pages."""
        try:
            super().service()
        except RequestDeferred:
            self.requests[0].gave_way = True
            self.server.add_task(self)
