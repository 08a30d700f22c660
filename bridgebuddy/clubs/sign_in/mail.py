"""Failures to send e-mail: a page explains them, and the log records them."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

NOT_SENT = 422
log = logging.getLogger(__name__)


class MailNotSent(Exception):
    """Error: the mail server is unreachable, or it refuses the message."""


def send_mail_or_raise(message: EmailMessage) -> None:
    """Send an e-mail; raise `MailNotSent` if that fails."""
    try:
        message.send()
    except OSError as error:  # all errors of smtplib and of sockets
        log.error("An e-mail could not be sent: %s: %s", type(error).__name__, error)
        raise MailNotSent() from error


class MailErrorMiddleware:
    """Middleware that answers `MailNotSent` with an error page, the same for every recipient."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Render the error page if a view raised `MailNotSent`."""
        if not isinstance(exception, MailNotSent):
            return None
        return render(request, "mail_error.html", status=NOT_SENT)
