"""Verifiable deals: a secret with a published hash, added words, and then the deals. Decision 0022."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.models import User
from bridgebuddy.deals.rules.making import new_secret
from bridgebuddy.events.errors import AlreadyStarted
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_session
from bridgebuddy.scoring.errors import AlreadyDealt, NoWord, WordsAreClosed
from bridgebuddy.scoring.models import DealGeneration
from bridgebuddy.scoring.results.dealing import are_boards_in_play, deal_generation_of

from ..recording import note_results, refresh_displays
from .deals import deals_of, deals_scope, store_deals

MOST_WORDS, LONGEST_WORD = 20, 40


@transaction.atomic
def begin_dealing(section: Section, boards: Iterable[int], *, by: User | None) -> DealGeneration:
    """Draw the secret for random deals of these boards; no deal is made yet.

    Raises `AlreadyDealt`.
    """
    section, _ = lock_session(section)
    if deal_generation_of(section) is not None or deals_of(section).exists():
        raise AlreadyDealt()
    dealing = DealGeneration.objects.create(
        session_id=section.session_id,
        section=deals_scope(section),
        secret=new_secret(),
        boards=sorted(boards),
    )
    fingerprint = dealing.fingerprint
    note_results(
        section, "results.dealing", by=by, boards=len(dealing.boards), fingerprint=fingerprint
    )
    return dealing


@transaction.atomic
def add_word(section: Section, word: str, *, by: User | None) -> DealGeneration:
    """Add a word that changes all random deals to be made; repeating the last word changes nothing.

    Raises `WordsAreClosed` or `NoWord`.
    """
    section, _ = lock_session(section)
    dealing = _open_dealing(section)
    text = " ".join(word.split())
    if not text.isprintable() or not 0 < len(text) <= LONGEST_WORD:
        raise NoWord()
    if dealing.words[-1:] == [text]:
        return dealing
    if len(dealing.words) >= MOST_WORDS:
        raise WordsAreClosed()
    dealing.words = [*dealing.words, text]
    dealing.save(update_fields=["words"])
    note_results(section, "results.dealing_word", by=by, word=text)
    return dealing


@transaction.atomic
def deal_boards(section: Section, *, by: User | None) -> DealGeneration:
    """Make the random deals; after that no words can be added.

    Raises `WordsAreClosed` if they are already made.
    """
    section, _ = lock_session(section)
    dealing = _open_dealing(section)
    _make_deals(section, dealing, timezone.now(), by)
    return dealing


@transaction.atomic
def deal_without_witnesses(
    section: Section, boards: Iterable[int], *, by: User | None
) -> DealGeneration:
    """Draw the secret and make the random deals of these boards, without witnesses.

    Raises `AlreadyDealt`, and `AlreadyStarted` if round 1 has begun.
    """
    section, _ = lock_session(section)
    if are_boards_in_play(section):
        raise AlreadyStarted()
    dealing = begin_dealing(section, boards, by=by)
    _make_deals(section, dealing, dealing.made_at, by)
    return dealing


def _make_deals(
    section: Section, dealing: DealGeneration, closed_at: datetime, by: User | None
) -> None:
    """Store the deals of a secret. Made in one step, they are closed at the moment in which the secret was drawn."""
    dealing.closed_at = closed_at
    dealing.save(update_fields=["closed_at"])
    store_deals(section, dealing.deals, by=by, replaces=True)
    refresh_displays(section)


def _open_dealing(section: Section) -> DealGeneration:
    """Return the section's `DealGeneration` whose deals are not made yet; raise `WordsAreClosed` without one."""
    dealing = deal_generation_of(section)
    if dealing is None or dealing.closed_at is not None:
        raise WordsAreClosed()
    return dealing
