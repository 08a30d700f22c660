"""A request with a signed-in user."""

from movements.http import HtmxRequest

from .models import User
from .roles import Rights


class UserRequest(HtmxRequest):
    """The type of a request to a view with `login_required`: its user is never anonymous."""

    user: User
    #: the user's rights in the page's club, once a view has asked for the club
    rights: Rights
