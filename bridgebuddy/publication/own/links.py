"""The private address of a player's own page.

As a table's secret it is worked out from the server's key, so nothing is stored that could be read; another salt makes
it another one. It is shown to directors, sent to an address that its owner has confirmed, and given to a phone that
plays for its owner, if they have none.
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

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.clubs.public_names import PublicName, stricter
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import CODE_ALPHABET, Section
from bridgebuddy.events.services.forgetting import anonymise
from bridgebuddy.events.services.names_on_record import FORGETTING
from bridgebuddy.events.services.roster import MERGING, let_read
from bridgebuddy.jobs.kinds import does

from ..models import MailAddress, OwnEvening, OwnPage, Upload

LENGTH = 16
#: so long the club can say that it was not its owner who asked to be forgotten
THINKING_TIME = timedelta(days=30)
#: a second tap on the same button comes within
SECOND_TAP = timedelta(seconds=10)


def listen() -> None:
    """Let a page go with its owner's name, and follow whoever is merged. Call it once, when the program starts."""
    MERGING.append(_take_along)
    FORGETTING.append(_forget_answers)
    post_save.connect(_forget, sender=Person, dispatch_uid="own pages")


def _take_along(stays: Person, goes: Person) -> None:
    """Who is merged keeps what only one of the two has, and the wish to be forgotten; evenings are worked out anew."""
    asked = OwnPage.objects.filter(person__in=(stays, goes)).exclude(forget_at=None)
    wishes = {one.person_id: one for one in asked.order_by("forget_at")}
    before = [
        wishes[one.pk].public_name_before if one.pk in wishes else one.public_name
        for one in (stays, goes)
    ]
    for model in (OwnPage, MailAddress):
        if not model._base_manager.filter(person=stays).exists():
            model._base_manager.filter(person=goes).update(person=stays)
    if first := next(iter(wishes.values()), None):
        OwnPage.objects.filter(person=stays).update(
            forget_at=first.forget_at, ended_at=first.ended_at, public_name_before=stricter(*before)
        )
        MailAddress.objects.filter(person__in=(stays, goes)).delete()
    _work_out_anew(stays, goes)


def _forget(instance: Person, **_sent: object) -> None:
    if instance.anonymous_since is not None:
        OwnPage.objects.filter(person=instance).delete()
        OwnEvening.objects.filter(person=instance).delete()


def _forget_answers(_club: Club, _names: Iterable[str], sections: QuerySet[Section]) -> None:
    """Delete what BridgeWebs answered about sessions of somebody who is forgotten: it may quote names."""
    Upload.objects.filter(session__in=sections.values("session")).update(answer="")


def _work_out_anew(*people: Person) -> None:
    """Others' evenings have the keys of whom they played with and against."""
    concerned = OwnEvening.objects.filter(person__in=people).values("session")
    OwnEvening.objects.filter(
        session__in=list(concerned.values_list("session", flat=True))
    ).delete()


def code_of(page: OwnPage) -> str:
    """Return what the address of a page has: letters and digits that can be typed."""
    digest = salted_hmac("bridgebuddy.publication.own", page.salt, algorithm="sha256").digest()
    return "".join(CODE_ALPHABET[one % len(CODE_ALPHABET)] for one in digest[:LENGTH])


def address_of(page: OwnPage) -> str:
    return reverse("own-page", args=[code_of(page)])


def find(code: str, **more: Exists) -> OwnPage | None:
    """Return the page of a code, if there is one that has not ended, with what is asked `more` of it. One query."""
    if len(code) != LENGTH:
        return None
    found = OwnPage.objects.filter(key=_kept(code), ended_at=None, person__anonymous_since=None)
    return found.annotate(**more).select_related("person__club").first()


def renewed_just_now(code: str, browser: str) -> OwnPage | None:
    """Return the page whose address was this one until a moment ago, to the browser that has renewed it.

    To everybody else an address that was renewed is dead at once: it may have been for their sake.
    """
    if len(code) != LENGTH or not browser:
        return None
    since = timezone.now() - SECOND_TAP
    found = OwnPage.objects.filter(since__gte=since, ended_at=None)
    return (
        found.filter(former_key=_kept(f"{code} {browser}")).select_related("person__club").first()
    )


def forgotten_just_now(code: str) -> OwnPage | None:
    """Return the page of this address whose owner has asked a moment ago to be forgotten."""
    asked = OwnPage.objects.filter(ended_at__gte=timezone.now() - SECOND_TAP)
    found = asked.filter(key=_kept(code)).exclude(forget_at=None)
    return found.select_related("person__club").first() if len(code) == LENGTH else None


def _kept(code: str) -> str:
    return salted_hmac("bridgebuddy.publication.own.key", code, algorithm="sha256").hexdigest()


@transaction.atomic
def give(
    person: Person, way: str = OwnPage.Way.CLUB, *, by: User | None, browser: str = ""
) -> OwnPage:
    """Give somebody an address; one that they have ends. Their own `browser` may come by it once more."""
    Person.objects.select_for_update().get(pk=person.pk)
    page = OwnPage.objects.select_for_update().filter(person=person).first()
    page = page or OwnPage(person=person)
    page.former_key = _kept(f"{code_of(page)} {browser}") if page.key else ""
    page.salt, page.way = secrets.token_hex(16), way
    page.since, page.ended_at = timezone.now(), None
    page.key = _kept(code_of(page))
    page.save()
    name = person.whole_name or person.name  # read for everybody, it may be another
    record("club.own_page", person.club, by=by, name=name, way=way)
    return page


@transaction.atomic
def given_once(person: Person, way: str, *, by: User | None = None) -> OwnPage | None:
    """Give somebody an address who never had one; None to whoever has or had one.

    A second tap on the same button comes by the address that the first one gave.
    """
    Person.objects.select_for_update().get(pk=person.pk)
    page = OwnPage.objects.select_related("person__club").filter(person=person).first()
    if page is not None:
        is_just_given = not page.former_key and page.since >= timezone.now() - SECOND_TAP
        return page if is_just_given and page.way == way and not page.ended_at else None
    return give(person, way, by=by)


def to_be_mailed(person: Person) -> OwnPage | None:
    """Return the page whose address is sent to somebody with their results; None where the club has ended it."""
    page = OwnPage.objects.filter(person=person).first()
    if page is None:
        return given_once(person, OwnPage.Way.MAIL)
    return None if page.ended_at else page


@transaction.atomic
def end(page: OwnPage, *, by: User | None) -> None:
    """End an address: nobody gets in by it, and nobody is sent another one by itself."""
    OwnPage.objects.filter(pk=page.pk).update(ended_at=timezone.now())
    record("club.own_page_ended", page.person.club, by=by, name=page.person.name)


@transaction.atomic
def ask_to_be_forgotten(page: OwnPage) -> None:
    """Take what can be given back off at once, and the name after a while in which the club can say no.

    An address may be in other hands than its owner's, and a name that is forgotten never comes back.
    """
    now, person = timezone.now(), page.person
    MailAddress.objects.filter(person=person).delete()
    kept = OwnPage.objects.filter(pk=page.pk)
    kept.update(ended_at=now)
    kept.filter(forget_at=None).update(  # asked again, it is the first time that counts
        forget_at=now + THINKING_TIME, public_name_before=person.public_name
    )
    let_read(person, PublicName.NONE)
    record("club.asked_to_be_forgotten", person.club, by=None, name=person.name)


@transaction.atomic
def keep(page: OwnPage, *, by: User) -> None:
    """Note that somebody shall not be forgotten after all; all may read of the name what they did before."""
    person = page.person
    if OwnPage.objects.filter(pk=page.pk).exclude(forget_at=None).update(forget_at=None):
        let_read(person, page.public_name_before, by=by)
        record("club.not_forgotten", person.club, by=by, name=person.name)


@does("forget-who-asked", nightly=True)
def forget_who_asked(_key: str = "") -> None:
    """Forget whose time is over; who plays just now is tried again the next night."""
    asked = OwnPage.objects.filter(forget_at__lte=timezone.now()).select_related("person__club")
    for page in asked.order_by("pk"):
        with suppress(ChangeRefused):
            anonymise(page.person, by=None)
