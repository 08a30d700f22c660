"""A request as it reaches a view, with what the middleware has put into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from movements.http import HtmxRequest

if TYPE_CHECKING:
    from bridgebuddy.clubs.models import User

__all__ = ["HtmxRequest", "UserRequest"]


class UserRequest(HtmxRequest):
    """The request of somebody who is signed in, as a view may take for granted behind its guard."""

    user: User
