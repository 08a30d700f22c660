"""A real SMTP server for tests, with configurable refusals."""

import socket
from contextlib import contextmanager

from aiosmtpd.controller import Controller


class Box:
    """A mailbox that keeps mails and answers each recipient as configured."""

    def __init__(self) -> None:
        self.letters: list[tuple[str, str]] = []
        self.senders: list[str] = []
        self.answers: dict[str, str] = {}
        self.answer = "250 OK"

    async def handle_RCPT(self, _server, _session, envelope, address, _options):
        answer = self.answers.get(address, "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _server, _session, envelope):
        if self.answer.startswith("250"):
            self.letters.append((envelope.rcpt_tos[0], envelope.content.decode()))
            self.senders.append(envelope.mail_from)
        return self.answer


@contextmanager
def smtp(settings):
    """Let mails go to a server of our own; yield its box."""
    box = Box()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_PORT = port
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    try:
        yield box
    finally:
        controller.stop()
