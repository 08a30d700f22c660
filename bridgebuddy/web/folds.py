"""Folds: parts of a page that open where they are pressed, and were pages of their own before."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse


def lead_to_fold(fold: str, page: str, *args: Any, **which: Any) -> HttpResponse:
    """Redirect a former page's address to the fold of `page` that replaces it.

    The page opens the fold that its address names: `?open=delete#delete`. `which` names the one of several things
    that the fold is about: `?open=mail&mail=7#mail`.
    """
    return redirect(f"{reverse(page, args=args)}?{urlencode({'open': fold} | which)}#{fold}")
