"""The user of a request: signed in, or in a trial."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from movements.http import HtmxRequest

from .models import User
from .roles import Rights


class UserRequest(HtmxRequest):
    """The type of a request to a view with `login_required`: its user is never anonymous."""

    user: User
    #: the user's rights in the page's club, once a view has asked for the club
    rights: Rights


def hide_trial_account(request: HttpRequest) -> bool:
    """Treat the account of a trial as not signed in, for this request. Return whether it was one."""
    is_trial = request.user.is_authenticated and request.user.is_trial_user
    if is_trial:
        request.user = AnonymousUser()
    return is_trial
