"""Mails that come back: which they were is seen in the address they come back to, which nobody else can write.

A mail leaves with an envelope of its own (`bounces+12-34-…@`), and a server that cannot deliver it answers there
(RFC 5321) with a report (RFC 3464) that says in a number whether it ever will (RFC 3463). A mail server hands that
answer to `manage.py bounced`; without `BOUNCES_TO` mails leave as they always did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message
from enum import Enum

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from .models import Letter, MailAddress

#: bytes of an answer that are read: what counts stands at its beginning
MOST_BYTES = 1_000_000
#: headers in which mail servers write to which address something came
TO = ("To", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To")
ENVELOPE = re.compile(r"\+(\d{1,18})-(\d{1,18})-([0-9a-f]{24})@", re.IGNORECASE)
FAILED = re.compile(r"\s*failed\b", re.IGNORECASE)
STATUS = re.compile(r"\s*([45])\.\d{1,3}\.\d{1,3}\b")


class Read(Enum):
    """What an answer was."""

    NOT_OURS = "It came to no address of ours: nothing was noted."
    NO_REPORT = "It does not say that a mail could not be delivered: nothing was noted."
    LATE = "It arrived, or is still on its way: nothing was noted."
    NOT_NOW = "The mail came back. The next one goes to that address again."
    NEVER = "The mail came back. Nothing goes to that address any more."


def sender(address: MailAddress, letter: Letter | None = None) -> str:
    """Return the envelope's sender of a mail; what all mails have where nobody reads those that come back."""
    name, at, host = str(settings.BOUNCES_TO).rpartition("@")
    if not at:
        return str(settings.DEFAULT_FROM_EMAIL)
    keys = f"{address.pk}-{letter.pk if letter else 0}"
    return f"{name}+{keys}-{_proof(keys)}@{host}"


def _proof(keys: str) -> str:
    return salted_hmac("bridgebuddy.bounces", keys, algorithm="sha256").hexdigest()[:24]


def note(data: bytes, to: str = "") -> Read:
    """Read what came back, and note it. `to` is where it came to, where the mail server says so beside it."""
    try:
        mail = message_from_bytes(data[:MOST_BYTES], policy=policy.compat32)
        keys = next(_keys_in(mail, to), None)
        found = _reported(mail) if keys else Read.NOT_OURS
    except (MessageError, ValueError, LookupError, TypeError, RecursionError):
        return Read.NO_REPORT
    if keys and found in (Read.NOT_NOW, Read.NEVER):
        _note(*keys, is_never=found is Read.NEVER)
    return found


def _keys_in(mail: Message, to: str) -> Iterator[tuple[int, int]]:
    headers = (str(value) for name in TO for value in mail.get_all(name, ()))
    for written in (to, *headers):
        for address, letter, proof in ENVELOPE.findall(written):
            if constant_time_compare(_proof(f"{address}-{letter}"), proof.lower()):
                yield int(address), int(letter)


def _reported(mail: Message) -> Read:
    """What the report of a delivery says; an answer of a person on holiday has none."""
    if mail.get_content_type() != "multipart/report":
        return Read.NO_REPORT
    for part in mail.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        said = part.get_payload()
        blocks = (
            [message for message in said if isinstance(message, Message)]
            if isinstance(said, list)
            else []
        )
        for block in blocks:
            status = STATUS.match(str(block.get("Status", "")))
            if status and FAILED.match(str(block.get("Action", ""))):
                return Read.NEVER if status[1] == "5" else Read.NOT_NOW
        return Read.LATE
    return Read.NO_REPORT


@transaction.atomic
def _note(address: int, letter: int, *, is_never: bool) -> None:
    """Note it of the letter and, where nothing will ever arrive, of the address. Twice is once."""
    sent = Letter.objects.filter(pk=letter, address=address, state=Letter.State.SENT)
    sent.update(state=Letter.State.BACK, at=timezone.now())
    if is_never:
        MailAddress.objects.filter(pk=address, gone_since=None).update(gone_since=timezone.now())
