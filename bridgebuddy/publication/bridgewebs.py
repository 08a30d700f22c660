"""Upload of a session to BridgeWebs, as its guide for programs documents it ("API Interface").

The form has club, password, `type=upload`, a file name and its lines, and the cards. The address
contains the club too, as other programs send it. The answer has a line `message = …`. A session's
file always has the same name, so a second upload replaces the first.
"""

from __future__ import annotations

import html
import re
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from django.conf import settings
from django.utils import timezone

from bridgebuddy import __version__
from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.files.exports import exported_file
from bridgebuddy.scoring.models import ScoringSettings

from .encrypted_text import CannotOpen, decrypt_text, encrypt_text
from .models import BridgeWebs, BridgeWebsUpload

SECONDS = 10
#: limits of an answer
MOST_BYTES, MOST_LETTERS = 65536, 300
MESSAGE = re.compile(r"message\s*=\s*([^\r\n<]+)", re.IGNORECASE)
FAILED = re.compile(
    r"error|fail|invalid|incorrect|wrong|denied|not (known|found|valid|allowed)", re.I
)
ON_THIS_MACHINE = ("127.0.0.1", "localhost")


class UploadNotSent(Exception):
    """Error: the results were not sent to BridgeWebs; `kind` is "address", "account", "key", "hidden" or "contest"."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def store_bridgewebs_account(club: Club, code: str, password: str) -> BridgeWebs:
    """Store a club's account at BridgeWebs, with the password encrypted by this server's key."""
    account, _is_new = BridgeWebs.objects.update_or_create(
        club=club, defaults={"code": code, "sealed": encrypt_text(password)}
    )
    return account


def can_send() -> bool:
    """Return whether results can be sent to BridgeWebs: an encrypted or local address is configured."""
    parts = urlsplit(settings.BRIDGEWEBS_URL)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ON_THIS_MACHINE)


def upload_session(section: Section) -> BridgeWebsUpload:
    """Upload a session's results to BridgeWebs, and store the answer.

    Raises `UploadNotSent`. Do not call it in a transaction: it waits for another server.
    """
    account = BridgeWebs.objects.filter(club=section.club).first()
    scoring = ScoringSettings.objects.read_by_all().filter(session=section.session_id).first()
    if not can_send():
        raise UploadNotSent("address")
    if account is None:
        raise UploadNotSent("account")
    if scoring is None:
        raise UploadNotSent("hidden")
    if section.contest != "pairs":
        raise UploadNotSent("contest")
    try:
        password = decrypt_text(account.sealed)
    except CannotOpen:
        raise UploadNotSent("key") from None
    is_taken, answer = _upload_session(_upload_fields(section, account.code, password))
    answer = answer.replace(password, "…") if password else answer
    upload, _is_new = BridgeWebsUpload.objects.update_or_create(
        session_id=section.session_id,
        defaults={"at": timezone.now(), "is_taken": is_taken, "answer": answer[:MOST_LETTERS]},
    )
    return upload


def _upload_fields(section: Section, code: str, password: str) -> dict[str, str]:
    """Return the form fields of an upload to BridgeWebs."""
    name = f"{section.session.date:%Y%m%d}-{section.session_id}"
    fields = {
        "club": code,
        "password": password,
        "type": "upload",
        "filename": f"{name}.csv",
        "data": exported_file(section, "bridgewebs").decode(),
    }
    cards = exported_file(section, "pbn").decode("latin-1")
    if re.search(r'^\[Deal "[^"]', cards, re.MULTILINE):
        fields |= {"dealname": f"{name}.pbn", "dealdata": cards}
    return fields


class _NoRedirects(HTTPRedirectHandler):
    """An opener handler that refuses redirects, so that the password goes to one address only."""

    def redirect_request(self, *_asked: Any) -> None:
        """Refuse a redirect, because the password must not go elsewhere."""
        return None


def _upload_session(fields: dict[str, str]) -> tuple[bool, str]:
    """Upload form fields to BridgeWebs; return whether it accepted them, and its answer as plain text."""
    headers = {"User-Agent": f"BridgeBuddy/{__version__}"}
    url = urlsplit(settings.BRIDGEWEBS_URL)
    whole = url._replace(query=url.query or urlencode({"club": fields["club"]})).geturl()
    request = Request(whole, urlencode(fields).encode(), headers)
    try:
        with build_opener(_NoRedirects).open(request, timeout=SECONDS) as answer:
            text = answer.read(MOST_BYTES).decode("utf-8", errors="replace")
    except HTTPError as wrong:
        return False, f"HTTP {wrong.code}"
    except (OSError, HTTPException, ValueError) as wrong:
        return False, type(wrong).__name__
    return _parse_answer(text)


def _parse_answer(text: str) -> tuple[bool, str]:
    r"""Return whether an answer of BridgeWebs accepts the upload, and its message.

    Without a message its words are returned, and it counts as refused.

    >>> _parse_answer("x=1\nmessage = Results uploaded\n"), _parse_answer("<b>Message = Invalid password</b>")
    ((True, 'Results uploaded'), (False, 'Invalid password'))
    >>> _parse_answer("<html><p>Sorry</p>")
    (False, 'Sorry')
    """
    message = MESSAGE.search(text)
    words = message[1] if message else re.sub(r"<[^>]*>", " ", text)
    plain = " ".join(html.unescape(words).split())[:MOST_LETTERS]
    return message is not None and not FAILED.search(plain), plain
