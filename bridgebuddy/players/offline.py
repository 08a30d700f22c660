"""What the phones keep for the time without a network."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from django.contrib.staticfiles import finders

#: what a player's page needs; the service worker keeps them
ASSETS = (
    "vendor/pico-2.1.1.min.css",
    "vendor/htmx-2.0.11.min.js",
    "css/app.css",
    "js/phone.js",
    "js/clock.js",
    "js/sw.js",
)


@lru_cache
def asset_version() -> str:
    """Return a short name for the static files as they are: another when one of them changes."""
    digest = hashlib.sha256()
    for name in ASSETS:
        path = finders.find(name)
        if path:
            with open(path, "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()[:12]
