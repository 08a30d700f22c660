"""A request with a signed-in user."""

from movements.http import HtmxRequest

from .models import User


class UserRequest(HtmxRequest):
    """The type of a request behind a login check, with its user."""

    user: User
