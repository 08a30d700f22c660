"""Sheets as responses: a PDF, or a page for the browser's own print.

WeasyPrint needs the library Pango, which Windows and macOS do not include. Browsers understand the
sheets' style sheet too, so they print the same pages.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.http import content_disposition_header

from .cache import cached_pdf
from .print_process import HANDED_ON, ROOT

BODY = re.compile(r"<body([^>]*)>(.*)</body>", re.DOTALL)
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


@lru_cache(maxsize=1)
def can_make_pdf() -> bool:
    """Return whether WeasyPrint finds its libraries; it is tested once, in a separate process."""
    done = subprocess.run(
        [sys.executable, "-c", "import weasyprint"],
        cwd=ROOT,
        env={name: os.environ[name] for name in HANDED_ON & os.environ.keys()},
        capture_output=True,
    )
    return done.returncode == 0


def sheets_response(
    name: str, *sheets: str, draw: Callable[..., bytes] = cached_pdf, back: str = ""
) -> HttpResponse:
    """Return a response with several sheets: as a PDF with this name, or as a page for the browser to print.

    `back` is the address of the link back on that page.
    """
    if can_make_pdf():
        response = HttpResponse(draw(*sheets), content_type="application/pdf")
        disposition = content_disposition_header(as_attachment=False, filename=name)
        response["Content-Disposition"] = disposition or "inline"
        return response
    return _browser_page(sheets, back)


def _browser_page(sheets: tuple[str, ...], back: str) -> HttpResponse:
    """Return the sheets as one HTML page for the browser to print, with a link back and a hint."""
    bodies = [body for sheet in sheets if (body := BODY.search(sheet))]
    styles = [rule for sheet in sheets for rule in STYLE.findall(sheet)]
    context = {
        "title": re.findall(r"<title>(.*?)</title>", sheets[0], re.DOTALL)[0],
        "attributes": bodies[0][1],
        "bodies": [body[2] for body in bodies],
        "styles": list(dict.fromkeys(styles)),
        "back": back,
    }
    response = HttpResponse(render_to_string("printing/in-browser.html", context))
    hashes = [base64.b64encode(hashlib.sha256(rule.encode()).digest()).decode() for rule in styles]
    if hashes:  # the rule that shows the club's logo
        allowed = ["'self'", *(f"'sha256-{digest}'" for digest in hashes)]
        response._csp_update = {"style-src": allowed}  # type: ignore[attr-defined]
    return response
