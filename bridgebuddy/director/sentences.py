"""Sentences as data, with placeholders and alternatives that depend on facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise

#: the alternative if no other applies
OTHERWISE = ""

Sentence = str | Promise | Mapping[str, str | Promise]
"""A sentence, or alternatives by their facts; the first alternative with a true fact is used."""


def filled_sentence(sentence: Sentence, facts: Mapping[str, Any]) -> str:
    """Return a sentence with facts filled in; of several variants, the one whose condition among the facts holds."""
    if isinstance(sentence, Mapping):
        cases = (text for fact, text in sentence.items() if fact == OTHERWISE or facts.get(fact))
        sentence = next(cases, "")
    return str(sentence % facts)
