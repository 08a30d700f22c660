"""A device that is handed to others: its director is signed out, and comes back with a short code.

The code stands for the password only on this device, for a few tries, and while the password is
the same.
"""

from __future__ import annotations

import secrets

from django.contrib.auth import login, logout
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

from ..models import User
from .limits import AttemptLimit

LOCK = "device-lock"
DIGITS = 4
#: five wrong codes, and the director signs in as usual
TRIES = AttemptLimit("codes on a device that was handed over", 5, 12 * 3600)
BACKEND = "django.contrib.auth.backends.ModelBackend"


def new_code() -> str:
    """Return a random code of four digits that unlocks a device handed to a player."""
    return "".join(secrets.choice("0123456789") for _ in range(DIGITS))


def lock_device(request: HttpRequest, code: str) -> None:
    """Sign the director out on this device, which a player uses; `code` signs the director in again."""
    user = request.user
    assert isinstance(user, User)
    key, password = secrets.token_hex(8), user.get_session_auth_hash()
    logout(request)
    lock = {"user": user.pk, "password": password, "key": key, "code": _digest_of_code(key, code)}
    request.session[LOCK] = lock


def is_locked(request: HttpRequest) -> bool:
    """Return whether a director has handed over this device with `lock_device`. No query without a session."""
    return LOCK in request.session


def handed_over_by(request: HttpRequest) -> User | None:
    """Return the director who has handed over this device, if the password is still the same. One query."""
    lock = request.session.get(LOCK)
    if not lock:
        return None
    user = User.objects.filter(pk=lock["user"], is_active=True).first()
    if user is None or not constant_time_compare(lock["password"], user.get_session_auth_hash()):
        return None
    return user


def unlock_device(request: HttpRequest, code: str) -> bool:
    """Sign the director in again on this device; return False if `code` is wrong.

    After too many tries, and after a change of the password, the lock is removed: the director
    has to sign in.
    """
    lock = request.session.get(LOCK)
    if not lock:
        return False
    user = handed_over_by(request)
    if user is None or TRIES.count(lock["key"]):
        del request.session[LOCK]
        return False
    if not constant_time_compare(lock["code"], _digest_of_code(lock["key"], code)):
        return False
    del request.session[LOCK]
    login(request, user, BACKEND)
    return True


def _digest_of_code(key: str, code: str) -> str:
    """Return the digest of a device's unlocking code; the code itself is not stored."""
    return salted_hmac(
        "bridgebuddy.clubs.device_lock", f"{key} {code}", algorithm="sha256"
    ).hexdigest()
