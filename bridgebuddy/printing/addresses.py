"""Where the QR codes on paper lead: addresses that a phone in the room can open."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from bridgebuddy.network import lan_address


def phone_base(request: HttpRequest) -> str:
    """Return the address of this server as phones reach it: "http://192.168.1.20:8000".

    `PUBLIC_URL` says it; otherwise it is the one the director uses, except that "localhost" means
    nothing to a phone: there the machine's address in the local network stands in, port and all.
    """
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL).rstrip("/")
    host = request.get_host()
    name, port = _split(host)
    if name in ("localhost", "[::1]") or name.startswith("127."):
        address = lan_address()
        host = f"{address}{port}" if address else host
    return f"{request.scheme}://{host}"


def _split(host: str) -> tuple[str, str]:
    """Split a host into its name and the port with its colon, if any."""
    if host.endswith("]"):  # an IPv6 address without a port
        return host, ""
    name, colon, port = host.rpartition(":")
    return (name, colon + port) if colon else (host, "")


def lookup_address(base: str, code: str) -> str:
    """Return where anybody finds their pair."""
    return base + reverse("lookup", args=[code])


def player_address(base: str, code: str, slug: str) -> str:
    """Return where one contestant's evening stands."""
    return base + reverse("player", args=[code, slug])
