"""The files that phones keep for times without a network."""

from __future__ import annotations

import hashlib
import json
from functools import cache

from django.contrib.staticfiles import finders
from django.templatetags.static import static

from bridgebuddy.web.static_files import inline_imports, minify

#: the static files of a players' page; each is named with the version, so it can be cached
FILES = (
    "css/phone.css",
    "css/ring.css",
    "css/room.css",
    "css/room-halves.css",
    "css/room-code.css",
    "css/room-ranking.css",
    "js/clock.js",
    "js/phone.js",
    "js/room.js",
    "js/sound.js",
    "vendor/htmx-2.0.11.min.js",
    "brand.svg",
)
#: further files of the table pages and of pages with unsent results, for phones that enter results
OF_TABLES = ("css/suits.css", "css/tables.css", "js/letters.js", "js/tables.js", "js/waiting.js")
#: named by style sheets, and so without a version
FONTS = ("fonts/phone-400.woff2", "fonts/phone-800.woff2")
WORKER = "js/sw.js"
#: scripts that the worker includes
OF_WORKER = "js/letters.js"


@cache
def static_files_version() -> str:
    """Return a version of all static files together, which changes when one of them does."""
    digest = hashlib.sha256()
    for name in (*FILES, *OF_TABLES, *FONTS, WORKER):
        digest.update(_file_content(name))
    return digest.hexdigest()[:12]


def versioned_address(name: str) -> str:
    """Return the address of a static file with the version in it."""
    return f"{static(name)}?v={static_files_version()}"


@cache
def service_worker_script() -> str:
    """Return the script of the service worker, with the version and the files to cache."""
    files = [*(versioned_address(name) for name in FILES), *(static(name) for name in FONTS)]
    told = {
        "VERSION": static_files_version(),
        "FILES": files,
        "OF_TABLES": [versioned_address(name) for name in OF_TABLES],
    }
    lines = [f"const {name} = {json.dumps(value)};\n" for name, value in told.items()]
    programs = [minify(name, _file_content(name)).decode() for name in (OF_WORKER, WORKER)]
    return "\n".join(["".join(lines), *programs])


def _file_content(name: str) -> bytes:
    """Return the content of a static file."""
    path = finders.find(name)
    if not path:
        raise FileNotFoundError(name)
    return inline_imports(path)
