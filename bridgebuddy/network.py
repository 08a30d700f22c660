"""The addresses under which this machine is reached in the club's own network."""

import socket


def lan_address() -> str | None:
    """Return this machine's address in the local network, or None without one.

    No packet is sent: connecting a datagram socket only asks the routing table.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def own_addresses() -> list[str]:
    """Return the host names a machine may serve without being told others."""
    names = ["localhost", "127.0.0.1", "[::1]", socket.gethostname().lower()]
    address = lan_address()
    return names + ([address] if address else [])
