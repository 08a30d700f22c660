"""The addresses of this machine in the club's network."""

import socket

from django.conf import settings
from django.http import HttpRequest


def lan_address() -> str | None:
    """Return this machine's IP address in the local network, or None without one.

    No packet is sent: connecting a datagram socket only asks the routing table.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def own_addresses() -> list[str]:
    """Return the default of `ALLOWED_HOSTS`: the names and addresses of this machine."""
    own = socket.gethostname().lower()
    names = ["localhost", "127.0.0.1", "[::1]", own]
    names.append(f"{own}.local")  # its name in a Wi-Fi network
    address = lan_address()
    return names + ([address] if address else [])


def phone_base(request: HttpRequest) -> str:
    """Return the base address of this server that phones can open, as in `http://192.168.1.20:8000`.

    `PUBLIC_URL` comes first, else the address that the director uses. Phones cannot use
    "localhost", so the machine's address in the local network replaces it.
    """
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL).rstrip("/")
    host = request.get_host()
    name, port = _split_port(host)
    if name in ("localhost", "[::1]") or name.startswith("127."):
        address = lan_address()
        host = f"{address}{port}" if address else host
    return f"{request.scheme}://{host}"


def _split_port(host: str) -> tuple[str, str]:
    """Split a host into its name and its port with the colon, if any."""
    if host.endswith("]"):  # an IPv6 address without a port
        return host, ""
    name, colon, port = host.rpartition(":")
    return (name, colon + port) if colon else (host, "")
