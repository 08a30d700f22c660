"""Redirects to folds: expandable parts of a page, such as a form behind its button."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse


def redirect_with_part_open(fold: str, page: str, *args: Any, **which: Any) -> HttpResponse:
    """Redirect to `page` with the expandable part `fold` open.

    The page opens the part that its address names: `?open=delete#delete`. `which` adds the object that the part is
    about: `?open=mail&mail=7#mail`.
    """
    return redirect(f"{reverse(page, args=args)}?{urlencode({'open': fold} | which)}#{fold}")
