"""Folds: parts of a page that open where they are pressed, and were pages of their own before."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse


def lead_to_fold(fold: str, page: str, *args: Any) -> HttpResponse:
    """Redirect a former page's address to the fold of `page` that replaces it.

    The page opens the fold that its address names: `?open=delete#delete`.
    """
    return redirect(f"{reverse(page, args=args)}?open={fold}#{fold}")
