"""Rate limits, counted in a table of their own.

One database statement counts a try, so that threads, processes and machines share the count without losing any. If
the database cannot write, nothing is counted or refused, because the claim of too many tries would be false.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import F
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from ..models import AttemptCount

TABLE = AttemptCount._meta.db_table
COUNT = f"""
    INSERT INTO {TABLE} (who, tries, until) VALUES (%s, 1, %s)
    ON CONFLICT (who) DO UPDATE SET
        tries = CASE WHEN {TABLE}.until <= %s THEN 1 ELSE {TABLE}.tries + 1 END,
        until = CASE WHEN {TABLE}.until <= %s THEN excluded.until ELSE {TABLE}.until END
    RETURNING tries
"""
NETWORK = 64  # bits of an IPv6 address: a line to the internet has all the rest
SITE = 48  # bits: the most that a provider gives one customer, 65,536 networks
#: factor for the attempts of all networks of a site together
SITE_HAS = 2
NOBODY_KNOWS = "unknown"  # behind a socket without a proxy, addresses are unknown
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AttemptLimit:
    """A limit of `most` tries (of passwords, codes, mails) by a client within `within` seconds of the first."""

    name: str
    most: int
    within: int

    def count(self, client: str) -> bool:
        """Count a try by `client`. Return whether it exceeds the limit."""
        now, key = int(time.time()), self._hashed_key(client)
        try:
            with connection.cursor() as cursor:
                cursor.execute(COUNT, [key, now + self.within, now, now])
                tries: int = cursor.fetchone()[0]
            if tries == 1:
                AttemptCount.objects.filter(until__lte=now).delete()
        except DatabaseError:
            log.exception("A try could not be counted.")
            return False
        return tries > self.most

    def is_reached(self, client: str) -> bool:
        """Return whether `client` has made all allowed tries. One query."""
        counted = AttemptCount.objects.filter(
            who=self._hashed_key(client), until__gt=int(time.time())
        )
        return counted.filter(tries__gte=self.most).exists()

    def uncount_attempt(self, client: str) -> None:
        """Take back one counted try of `client`, for example after a correct password."""
        try:
            AttemptCount.objects.filter(who=self._hashed_key(client), tries__gt=0).update(
                tries=F("tries") - 1
            )
        except DatabaseError:
            log.exception("A try could not be given back.")

    def limits_of_network(self, request: HttpRequest) -> list[tuple[AttemptLimit, str]]:
        """Return this limit with the client's network as key, and for IPv6 a second one with the site (/48)."""
        network, site = network_of(request), site_of(request)
        counted = [(self, network)]
        if site != network:
            of_site = replace(self, name=f"{self.name}, by site", most=SITE_HAS * self.most)
            counted.append((of_site, site))
        return counted

    def _hashed_key(self, client: str) -> str:
        """Return the client's key as a keyed hash, so that addresses cannot be read from the table."""
        return salted_hmac(self.name, client, algorithm="sha256").hexdigest()[:40]


def address_of(request: HttpRequest) -> str:
    """Return the client's IP address: from the trusted proxies' header, or else from the connection.

    If the header has fewer entries than there are proxies, the request has bypassed one. Then the header is ignored.
    """
    neighbour: str = request.META.get("REMOTE_ADDR", "")
    hops: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    addresses = request.headers.get("X-Forwarded-For", "").split(",")
    return addresses[-hops].strip() if 0 < hops <= len(addresses) else neighbour


def network_of(request: HttpRequest) -> str:
    """Return the client's network: an IPv4 address, or the first 64 bits of an IPv6 address."""
    return _network_of(request, NETWORK)


def site_of(request: HttpRequest) -> str:
    """Return the client's site: an IPv4 address, or the first 48 bits of an IPv6 address."""
    return _network_of(request, SITE)


def _network_of(request: HttpRequest, bits: int) -> str:
    """Return the network of the client's IP address, with a prefix of `bits` bits for IPv6."""
    for address in (address_of(request), request.META.get("REMOTE_ADDR", "")):
        if network := _network_address(address, bits):
            return network
    return NOBODY_KNOWS


def _network_address(header: str, bits: int = NETWORK) -> str:
    """Return the network of an IP address in a header as text; empty if it is no address."""
    if header.startswith("["):
        header = header[1:].partition("]")[0]
    elif header.count(":") == 1:
        header = header.partition(":")[0]
    try:
        address = ip_address(header.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        network = ip_network((address, bits), strict=False)
        return str(network.network_address if bits == NETWORK else network)
    return str(address)


def count_all(limits: Iterable[tuple[AttemptLimit, str]]) -> bool:
    """Count one try for each of several limits and their clients. Return whether any limit is exceeded."""
    too_many = [limit.count(client) for limit, client in limits]
    return any(too_many)
