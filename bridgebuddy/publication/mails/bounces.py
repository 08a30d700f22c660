"""Bounced mails, identified by a signed envelope address.

A mail leaves with its own envelope sender (`bounces+12-34-…@`; `m34` is a mail to members). A server that cannot
deliver it answers there (RFC 5321) with a report (RFC 3464), whose number tells whether it ever will (RFC
3463). A mail server passes that report to `manage.py bounced`. Without `BOUNCES_TO` mails leave
with the usual sender.
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

from ..models import MemberMailDelivery, ResultsMail, ResultsSubscription

#: bytes of a report that are read; the important part comes first
MOST_BYTES = 1_000_000
#: headers in which mail servers name the recipient
TO = ("To", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To")
#: what stands before the key of a mail to members
TO_MEMBERS = "m"
ENVELOPE = re.compile(r"\+(\d{1,18})-(m?\d{1,18})-([0-9a-f]{24})@", re.IGNORECASE)
FAILED = re.compile(r"\s*failed\b", re.IGNORECASE)
STATUS = re.compile(r"\s*([45])\.\d{1,3}\.\d{1,3}\b")


class BounceKind(Enum):
    """The meaning of a bounced mail for its address: nothing, that it failed once, or that it is unusable for ever."""

    NOT_OURS = "It came to no address of ours: nothing was noted."
    NO_REPORT = "It does not say that a mail could not be delivered: nothing was noted."
    LATE = "It arrived, or is still on its way: nothing was noted."
    NOT_NOW = "The mail came back. The next one goes to that address again."
    NEVER = "The mail came back. Nothing goes to that address any more."


def envelope_sender(
    address: ResultsSubscription, letter: ResultsMail | MemberMailDelivery | None = None
) -> str:
    """Return the envelope sender that identifies a mail when it bounces; the usual sender if bounces are not read."""
    name, at, host = str(settings.BOUNCES_TO).rpartition("@")
    if not at:
        return str(settings.DEFAULT_FROM_EMAIL)
    kind = TO_MEMBERS if isinstance(letter, MemberMailDelivery) else ""
    keys = f"{address.pk}-{kind}{letter.pk if letter else 0}"
    return f"{name}+{keys}-{_signature_of_keys(keys)}@{host}"


def _signature_of_keys(keys: str) -> str:
    """Return the signature that protects the keys in an envelope sender."""
    return salted_hmac("bridgebuddy.bounces", keys, algorithm="sha256").hexdigest()[:24]


def store_bounce(data: bytes, address: str = "") -> BounceKind:
    """Read a bounced mail, and store what it means for the address it was sent to.

    `address` is the recipient, if the mail server passes it separately.
    """
    try:
        mail = message_from_bytes(data[:MOST_BYTES], policy=policy.compat32)
        keys = next(_envelope_keys(mail, address), None)
        kind = _bounce_kind(mail) if keys else BounceKind.NOT_OURS
    except (MessageError, ValueError, LookupError, TypeError, RecursionError):
        return BounceKind.NO_REPORT
    if keys and kind in (BounceKind.NOT_NOW, BounceKind.NEVER):
        _mark_returned(*keys, is_never=kind is BounceKind.NEVER)
    return kind


def _envelope_keys(mail: Message, recipient: str) -> Iterator[tuple[int, str]]:
    """Yield the keys of the address and the mail to which a bounced mail belongs."""
    headers = (str(value) for name in TO for value in mail.get_all(name, ()))
    for written in (recipient, *headers):
        for address, letter, proof in ENVELOPE.findall(written.lower()):
            if constant_time_compare(_signature_of_keys(f"{address}-{letter}"), proof):
                yield int(address), letter


def _bounce_kind(mail: Message) -> BounceKind:
    """Return the meaning of a bounced mail's delivery report; automatic replies contain none."""
    if mail.get_content_type() != "multipart/report":
        return BounceKind.NO_REPORT
    for part in mail.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        payload = part.get_payload()
        blocks = (
            [message for message in payload if isinstance(message, Message)]
            if isinstance(payload, list)
            else []
        )
        for block in blocks:
            status = STATUS.match(str(block.get("Status", "")))
            if status and FAILED.match(str(block.get("Action", ""))):
                return BounceKind.NEVER if status[1] == "5" else BounceKind.NOT_NOW
        return BounceKind.LATE
    return BounceKind.NO_REPORT


@transaction.atomic
def _mark_returned(address: int, letter: str, *, is_never: bool) -> None:
    """Mark a mail as bounced, and after a permanent failure also its address.

    Marking twice has no further effect.
    """
    key, now = int(letter.removeprefix(TO_MEMBERS)), timezone.now()
    if letter.startswith(TO_MEMBERS):
        state = MemberMailDelivery.State
        to_member = MemberMailDelivery.objects.filter(pk=key, address=address, state=state.SENT)
        to_member.update(state=state.BACK, at=now)
    else:
        sent = ResultsMail.objects.filter(pk=key, address=address, state=ResultsMail.State.SENT)
        sent.update(state=ResultsMail.State.BACK, at=now)
    if is_never:
        ResultsSubscription.objects.filter(pk=address, gone_since=None).update(
            gone_since=timezone.now()
        )
