"""Update registrations when a person is merged or deleted."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from django.db.models import QuerySet
from django.db.models.signals import post_save

from bridgebuddy.clubs.models import Club, Person, searchable
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.names_on_record import FORGETTING
from bridgebuddy.events.services.roster import MERGING

from .blocked_requests import delete_blocks, merge_blocks
from .models import UnconfirmedName
from .registering import delete_registrations, merge_answers

#: names at least this similar (1.0: equal) count as spellings of one name
ALIKE = 0.85


def connect_signals() -> None:
    """Connect the handlers for merged and removed people of the roster.

    Call it once, when the program starts.
    """
    MERGING.append(_merge_registrations)
    FORGETTING.append(_forget_typed_names)
    post_save.connect(_forget_anonymous_person, sender=Person)


def _merge_registrations(kept_person: Person, merged_person: Person) -> None:
    """Give the registrations and blocks of `merged_person` to `kept_person`."""
    merge_answers(kept_person, merged_person)
    merge_blocks(kept_person, merged_person)


def _forget_anonymous_person(sender: type[Person], instance: Person, **_: object) -> None:
    """Delete the registrations and blocks of a person who becomes anonymous."""
    if instance.anonymous_since is not None:
        delete_registrations(instance)
        delete_blocks(instance)


def _forget_typed_names(club: Club, names: Iterable[str], _sections: QuerySet[Section]) -> None:
    """Delete the names of a removed person, and misspellings of them, from names that visitors typed."""
    forgotten = [_sorted_words(name) for name in names]
    for typed in UnconfirmedName.objects.filter(session__event__club=club):
        if _is_similar_to_known(typed.name, forgotten):
            typed.delete()
        elif _is_similar_to_known(typed.partner, forgotten):
            typed.partner = ""
            typed.save(update_fields=["partner"])


def _is_similar_to_known(typed_name: str, known_names: Iterable[str]) -> bool:
    """Return whether a typed name is similar to one of the names in `known_names`."""
    return any(
        SequenceMatcher(None, _sorted_words(typed_name), name).ratio() >= ALIKE
        for name in known_names
    )


def _sorted_words(name: str) -> str:
    """Return the words of a name in alphabetical order."""
    return " ".join(sorted(searchable(name).replace(",", " ").split()))
