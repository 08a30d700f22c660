"""The private address of a player's own page.

Like a table's secret it is computed from the server's key, so no readable address is stored. A new
salt makes a new address. It is shown to directors, mailed to the owner's confirmed address, and
printed on their sheet. Phones are not given it, because any phone can claim to be a player's.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, QuerySet
from django.db.models.signals import post_save
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.clubs.people.public_names import PublicName, stricter_wish
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import CODE_ALPHABET, Section
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.events.services.names_on_record import FORGETTING
from bridgebuddy.events.services.roster import MERGING, set_public_name
from bridgebuddy.jobs.kinds import job_kind
from bridgebuddy.jobs.services import request_job

from ..models import BridgeWebsUpload, PlayerPage, PlayerSession, ResultsSubscription
from ..waiting_changes import FORGET, TELL, WAIT

LENGTH = 16
#: the time in which the club can object to a deletion request
THINKING_TIME = timedelta(days=30)
#: the job that hides names a day after the request
HIDE = "hide-who-asked"
#: the time for a second tap on the same button
SECOND_TAP = timedelta(seconds=10)


def connect_signals() -> None:
    """Connect the handlers for deleted names and merged people.

    Call it once, when the program starts.
    """
    MERGING.append(_move_page_data)
    FORGETTING.append(_forget_answers)
    post_save.connect(_delete_pages_if_anonymous, sender=Person, dispatch_uid="own pages")


def _move_page_data(kept_person: Person, merged_person: Person) -> None:
    """Give the personal page, e-mail address and deletion request of a merged person to `kept_person`.

    Cached sessions are computed again.
    """
    asked = PlayerPage.objects.filter(person__in=(kept_person, merged_person)).exclude(
        forget_at=None
    )
    wishes = {request.person_id: request for request in asked.order_by("forget_at")}
    hidden = {key: page for key, page in wishes.items() if page.hide_at is None}
    before = [
        hidden[person.pk].public_name_before if person.pk in hidden else person.public_name
        for person in (kept_person, merged_person)
    ]
    for model in (PlayerPage, ResultsSubscription):
        if not model._base_manager.filter(person=kept_person).exists():
            model._base_manager.filter(person=merged_person).update(person=kept_person)
    if first := next(iter(wishes.values()), None):
        PlayerPage.objects.filter(person=kept_person).update(
            forget_at=first.forget_at,
            hide_at=first.hide_at,
            ended_at=first.ended_at,
            public_name_before=stricter_wish(*before),
        )
        if first.hide_at is None:
            ResultsSubscription.objects.filter(person__in=(kept_person, merged_person)).delete()
    _delete_cached_sessions(kept_person, merged_person)


def _delete_pages_if_anonymous(instance: Person, **_sent: object) -> None:
    """Delete the personal page and e-mail address of a person who becomes anonymous."""
    if instance.anonymous_since is not None:
        PlayerPage.objects.filter(person=instance).delete()
        PlayerSession.objects.filter(person=instance).delete()


def _forget_answers(_club: Club, _names: Iterable[str], sections: QuerySet[Section]) -> None:
    """Delete the stored answers of BridgeWebs about sessions of a deleted person, as they may contain the name."""
    BridgeWebsUpload.objects.filter(session__in=sections.values("session")).update(answer="")


def _delete_cached_sessions(*people: Person) -> None:
    """Delete the cached own-page data of everybody in the sessions of these people."""
    concerned = PlayerSession.objects.filter(person__in=people).values("session")
    PlayerSession.objects.filter(
        session__in=list(concerned.values_list("session", flat=True))
    ).delete()


def page_code(page: PlayerPage) -> str:
    """Return the secret code in the address of an personal page: letters and digits that can be typed."""
    digest = salted_hmac("bridgebuddy.publication.own", page.salt, algorithm="sha256").digest()
    return "".join(CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in digest[:LENGTH])


def page_address(page: PlayerPage) -> str:
    """Return the secret address of a player's personal page."""
    return reverse("own-page", args=[page_code(page)])


def find_page(code: str, **more: Exists) -> PlayerPage | None:
    """Return the active personal page with this code, or None; `more` are extra annotations of the query.

    Makes one query.
    """
    if len(code) != LENGTH:
        return None
    pages = PlayerPage.objects.filter(
        key=_hashed_code(code), ended_at=None, person__anonymous_since=None
    )
    return pages.annotate(**more).select_related("person__club").first()


def page_of_renewed_code(code: str, browser: str) -> PlayerPage | None:
    """Return the personal page whose former code this was, for the browser that has just renewed the address.

    For others a renewed address is invalid at once, as it may have been renewed because of them.
    """
    if len(code) != LENGTH or not browser:
        return None
    since = timezone.now() - SECOND_TAP
    pages = PlayerPage.objects.filter(since__gte=since, ended_at=None)
    return (
        pages.filter(former_key=_hashed_code(f"{code} {browser}"))
        .select_related("person__club")
        .first()
    )


def _hashed_code(code: str) -> str:
    """Return the hash under which the code of an personal page is stored."""
    return salted_hmac("bridgebuddy.publication.own.key", code, algorithm="sha256").hexdigest()


@transaction.atomic
def give_address(
    person: Person, way: str = PlayerPage.Way.CLUB, *, by: User | None, browser: str = ""
) -> PlayerPage:
    """Give a player a new secret address of the personal page; the old one becomes invalid.

    `browser` may use the old address once more.
    """
    Person.objects.select_for_update().get(pk=person.pk)
    page = PlayerPage.objects.select_for_update().filter(person=person).first()
    page = page or PlayerPage(person=person)
    page.former_key = _hashed_code(f"{page_code(page)} {browser}") if page.key else ""
    page.salt, page.way = secrets.token_hex(16), way
    page.since, page.ended_at = timezone.now(), None
    page.key = _hashed_code(page_code(page))
    page.save()
    name = person.whole_name or person.name  # within `use_public_names` the name may be hidden
    add_record("club.own_page", person.club, by=by, name=name, way=way)
    return page


@transaction.atomic
def give_first_address(person: Person, way: str, *, by: User | None = None) -> PlayerPage | None:
    """Give a player the first address of an personal page; return None if there is or was one.

    A second tap on the same button returns the address of the first.
    """
    Person.objects.select_for_update().get(pk=person.pk)
    page = PlayerPage.objects.select_related("person__club").filter(person=person).first()
    if page is not None:
        is_just_given = not page.former_key and page.since >= timezone.now() - SECOND_TAP
        return page if is_just_given and page.way == way and not page.ended_at else None
    return give_address(person, way, by=by)


def page_to_mail(person: Person) -> PlayerPage | None:
    """Return the personal page to link in a player's results mail; None if the club has ended it."""
    page = PlayerPage.objects.filter(person=person).first()
    if page is None:
        return give_first_address(person, PlayerPage.Way.MAIL)
    return None if page.ended_at else page


@transaction.atomic
def end_address(page: PlayerPage, *, by: User | None) -> None:
    """End the address of an personal page; no new one is sent automatically."""
    PlayerPage.objects.filter(pk=page.pk).update(ended_at=timezone.now())
    add_record("club.own_page_ended", page.person.club, by=by, name=page.person.name)


@transaction.atomic
def ask_to_be_forgotten(page: PlayerPage) -> None:
    """Store a player's request to delete the name, and notify the player's address and the directors.

    The address may be in other hands than its owner's, so nothing happens for a day. Then the
    reversible part follows (`hide_requested_names`). The name is deleted after a longer delay, in which
    the club can object; that is final.
    """
    now, person = timezone.now(), page.person
    asked = PlayerPage.objects.filter(pk=page.pk, forget_at=None)
    if asked.update(forget_at=now + THINKING_TIME, hide_at=now + WAIT):
        add_record("club.asked_to_be_forgotten", person.club, by=None, name=person.name)
        request_job(TELL, f"{FORGET} {person.pk}")
        request_job(HIDE, wait=WAIT)
    elif PlayerPage.objects.filter(pk=page.pk, hide_at=None).update(ended_at=now):
        # hidden before, and given a new page meanwhile
        ResultsSubscription.objects.filter(person=person).delete()


@job_kind(HIDE, nightly=True)
@transaction.atomic
def hide_requested_names(_key: str = "") -> None:
    """Background job: after the first delay of deletion requests, hide names, and end pages and mails."""
    now = timezone.now()
    due = PlayerPage.objects.select_for_update(of=("self",)).filter(hide_at__lte=now)
    for page in due.select_related("person__club").order_by("pk"):
        person = page.person
        PlayerPage.objects.filter(pk=page.pk).update(
            hide_at=None, ended_at=now, public_name_before=person.public_name
        )
        ResultsSubscription.objects.filter(person=person).delete()
        set_public_name(person, PublicName.NONE)


@transaction.atomic
def cancel_deletion(page: PlayerPage, *, by: User | None) -> None:
    """Cancel a player's request to delete the name, and restore the public form of the name."""
    page = (
        PlayerPage.objects.select_for_update(of=("self",)).select_related("person").get(pk=page.pk)
    )
    person = page.person
    if page.forget_at is None:
        return
    PlayerPage.objects.filter(pk=page.pk).update(forget_at=None, hide_at=None)
    if page.hide_at is None:  # the name was hidden
        set_public_name(person, page.public_name_before, by=by)
    add_record("club.not_forgotten", person.club, by=by, name=person.name)


@job_kind("forget-who-asked", nightly=True)
def delete_requested_names(_key: str = "") -> None:
    """Background job: delete the names whose delay is over; not during a running session."""
    asked = PlayerPage.objects.filter(forget_at__lte=timezone.now()).select_related("person__club")
    for page in asked.order_by("pk"):
        with suppress(ChangeRefused):
            anonymise_person(page.person, by=None)
