"""Sentences as data: facts are filled in, and one of several is said where facts decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise

#: the case that holds where no other does
OTHERWISE = ""

Sentence = str | Promise | Mapping[str, str | Promise]
"""A sentence, or several by the fact that calls for each; the first whose fact is there is said."""


def said(sentence: Sentence, facts: Mapping[str, Any]) -> str:
    """Return a sentence with its facts; nothing where none of several is called for."""
    if isinstance(sentence, Mapping):
        cases = (text for fact, text in sentence.items() if fact == OTHERWISE or facts.get(fact))
        sentence = next(cases, "")
    return str(sentence % facts)
