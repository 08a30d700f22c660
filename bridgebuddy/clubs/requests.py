"""A request with a signed-in user."""

from movements.http import HtmxRequest

from .models import User


class UserRequest(HtmxRequest):
    """A request as a view may take it for granted behind its guard."""

    user: User
