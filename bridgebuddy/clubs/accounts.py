"""How accounts are made and signed into, where that is ours to say and not allauth's."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.sites.shortcuts import get_current_site
from django.http import HttpRequest

from .mail import send


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """allauth's ways with accounts, and ours."""

    request: HttpRequest

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an e-mail; raise `NotSent` where the server is away."""
        about = {"request": self.request, "email": email}
        about |= {"current_site": get_current_site(self.request), **context}
        send(self.render_mail(template_prefix, email, about))
