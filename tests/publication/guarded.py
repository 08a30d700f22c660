"""Services above results: each with its arguments and the counters that it moves in each section; see test_guards.py."""

from __future__ import annotations

import datetime

from django.utils import timezone

from bridgebuddy.events.services.setup import entries
from bridgebuddy.planning import calendar, prepared_starts, series, starting
from bridgebuddy.planning.models import Series
from bridgebuddy.publication.imports import importing, list_imports
from bridgebuddy.publication.mails import bounces, mail_changes, member_mails
from bridgebuddy.publication.models import (
    ListImport,
    PlayerPage,
    ResultsMail,
    ResultsSubscription,
)
from bridgebuddy.publication.own import links
from bridgebuddy.publication.waiting_changes import WAIT
from bridgebuddy.registration import blocked_requests, late_arrivals, registering
from bridgebuddy.registration.models import BlockedRequest, UnconfirmedName
from bridgebuddy.seasons.services import championships, ledger, ratings
from bridgebuddy.table_phones import submissions
from bridgebuddy.table_phones.errors import PhoneEntryClosed
from bridgebuddy.table_phones.models import DirectorCall, PhoneHolder
from bridgebuddy.table_phones.services import (
    calls,
    claims,
    phone_holders,
    phone_settings,
    playing_directors,
    seats,
)
from bridgebuddy.table_phones.services.claims import NewClaim
from tests.publication.test_moving_in import brought, import_all

from .scene import FIVE, FOUR, LATE, PLAN, RESULTS, SHOWN, row

#: of a section whose movement is chosen
CHOSEN = {"boards_per_round", "movement_id"}


def saying(s, play=None, side="ew", outcome=FOUR, after=1, **more):
    return {
        "section": s.section,
        "claim": NewClaim((play or s.said).pk, side, outcome, after, **more),
    }


def a_phone(s, **wants):
    """The key of a phone that wants to be an entry's."""
    return PhoneHolder.objects.create(section=s.section, phone="p", table=1, **wants).pk


def a_call(s):
    return DirectorCall.objects.create(section=s.section, table=1, round=1)


def listed(scene) -> int:
    """The key of a list that was imported."""
    details = {scene.player.pk: {"member_number": "12345"}}
    list_imports.import_details(scene.club, details, by=scene.by)
    return ListImport.objects.get().pk


def told(scene) -> BlockedRequest:
    """Return a report of a blocked request to a club."""
    blocked_requests.report_unwanted_requests(scene.ben, scene.ann)
    return BlockedRequest.objects.get()


def typed(s, **by):
    session = s.ahead.session
    return UnconfirmedName.objects.create(
        session=session, name="Zoë Neu", since=timezone.now(), **by
    )


def who_come(s):
    for item, other in ((s.ann, s.ben), (s.ben, s.ann)):
        registering.register_pair(s.ahead.session, item, other)


def prepared_of(s):
    """Return the key of the evening that can start with six registered pairs."""
    entries.add_pairs(s.ahead, [(f"Ina North{n}", f"Ina South{n}") for n in range(6)], by=s.by)
    prepared_starts.prepare(str(s.ahead.pk))
    kept = prepared_starts.last_prepared(s.ahead)
    return kept.key(kept.evenings[0])


def a_series(s):
    """A series of the event that is to come."""
    session = s.ahead.session
    return Series.objects.create(
        event=session.event, days="1", starts_at=session.starts_at, until=LATE
    )


def a_page(s):
    return links.give_address(s.player, by=None)


TABLES = [
    row(
        phone_holders.store_holder,
        lambda s: {"section": s.section, "phone": "p", "table": 1, "entry": s.entry},
        "PhoneHolder",
    ),
    row(
        phone_holders.ask_for_holder,
        lambda s: {"section": s.section, "phone": "p", "table": 1, "entry": s.entry},
        "PhoneHolder",
        section=RESULTS,
    ),
    row(
        phone_holders.answer_holder_request,
        lambda s: {
            "section": s.beside,  # the desk of another section of the session lets it
            "key": a_phone(s, wants_id=s.entry),
            "accepted": True,
            "by": s.by,
        },
        "PhoneHolder",
        records="tables.phone",
        section=SHOWN,
    ),
    row(
        phone_holders.answer_holder_request,
        lambda s: {
            "section": s.section,
            "key": a_phone(s, wants_id=s.entry),
            "accepted": False,
            "by": s.by,
        },
        "PhoneHolder",
        records="tables.phone_not",
        section=SHOWN,
    ),
    row(
        claims.submit_claim,
        lambda s: saying(s, s.unsaid, "ns", after=0, key="k"),
        "Result ResultClaim CorrectionRequest PhoneSubmission",
        section=RESULTS,
    ),
    row(
        claims.submit_claim,
        lambda s: saying(s, outcome=FIVE),
        "Result ResultClaim CorrectionRequest",
        section=RESULTS,
    ),
    row(
        claims.confirm_result,
        lambda s: {"section": s.section, "play": s.said.pk, "side": "ew", "after": 1},
        "ResultClaim",
        section=RESULTS,
    ),
    row(
        claims.move_result,
        lambda s: saying(s, side="ns") | {"other_board": s.unsaid.pk, "other_after": 0},
        "Result ResultClaim",
        section=RESULTS,
        refused_when_final=PhoneEntryClosed,
    ),
    row(
        playing_directors.store_playing_entry,
        lambda s: {"section": s.section, "entry": s.entry, "by": s.by},
        "PlayingDirector",
        records="tables.plays",
    ),
    row(
        playing_directors.record_early_look,
        lambda s: (
            playing_directors.store_playing_entry(s.section, s.entry, by=s.by)
            or {"section": s.section, "board": 1, "by": s.by}
        ),
        "PlayingDirector",
        records="tables.early",
    ),
    row(
        playing_directors.store_playing_entry,
        lambda s: (
            playing_directors.store_playing_entry(s.section, s.entry, by=s.by)
            or {"section": s.section, "entry": None, "by": s.by}
        ),
        "PlayingDirector",
        records="tables.plays_not",
    ),
    row(
        seats.swap_chairs,
        lambda s: {"section": s.section, "entry": s.entry},
        "SwappedSeats",
        section=RESULTS,
    ),
    row(
        calls.call_director,
        lambda s: {"section": s.section, "table": 1},
        "DirectorCall",
        section=RESULTS,
    ),
    row(
        calls.create_call_for_table,
        lambda s: {"section": s.section, "table": 1, "why": DirectorCall.Why.DIGITS},
        "DirectorCall",
        section=RESULTS,
    ),
    row(
        calls.accept_call,
        lambda s: {"section": s.beside, "key": a_call(s).pk, "by": s.by},
        "DirectorCall",
        section=RESULTS,
    ),
    row(
        calls.withdraw_call,
        lambda s: a_call(s) and {"section": s.section, "table": 1},
        "DirectorCall",
        section=RESULTS,
    ),
    row(
        phone_settings.store_phone_settings,
        lambda s: {
            "section": s.section,
            "by": s.by,
            "asks_lead": False,
            "mode": "any",
            "agreement": "none",
            "feedback": "none",
        },
        "PhoneSettings",
        records="tables.phones",
        section=SHOWN,
        beside=SHOWN,
    ),
    row(
        phone_settings.renew_secrets,
        lambda s: {"section": s.section, "by": s.by},
        "PhoneSettings SecurityEvent",
        records="tables.secrets",
        section=SHOWN,
        beside=SHOWN,
    ),
    row(
        submissions.run_once,
        lambda s: {"section": s.section, "key": "k", "change": lambda: 0},
        "PhoneSubmission",
    ),
]

COMING = [
    row(
        registering.switch_registration,
        lambda s: {"section": s.ahead, "is_on": False, "maximum": None, "by": s.by},
        "RegistrationSettings",
        records="section.beforehand",
    ),
    row(
        registering.register_pair,
        lambda s: {"session": s.ahead.session, "person": s.ann, "partner": s.ben},
        "Registration Job",
    ),
    row(
        registering.register_pair,
        lambda s: {"session": s.ahead.session, "person": s.ann, "partner": s.ben, "by": s.by},
        "Registration Job",
        records="section.said_for",
    ),
    row(
        registering.seek_partner,
        lambda s: {"session": s.ahead.session, "person": s.ann, "by": s.by},
        "Registration Job",
        records="section.said_for",
    ),
    row(
        registering.record_absence,
        lambda s: {"session": s.ahead.session, "people": [s.ann], "by": s.by},
        "Registration Job",
        records="section.not_this_time",
    ),
    row(  # who is on the list already
        registering.record_absence,
        lambda s: (
            entries.add_pairs(s.ahead, [(s.ann.name, s.ben.name)], by=s.by)
            and {"session": s.ahead.session, "people": [s.ann], "by": s.by}
        ),
        "Registration Job",
        records="section.not_this_time",
        ahead=SHOWN,
    ),
    row(
        registering.record_arrivals,
        lambda s: who_come(s) or {"session": s.ahead.session, "people": [s.ann]},
        "Registration Job",
    ),
    row(
        registering.record_delay,
        lambda s: who_come(s) or {"session": s.ahead.session, "people": [s.ann], "minutes": 10},
        "Registration Job",
        records="section.late",
        ahead=SHOWN,
    ),
    row(
        registering.note_typed_names,
        lambda s: {"session": s.ahead.session, "name": "Zoë Neu"},
        "UnconfirmedName Job",
    ),
    row(
        registering.confirm_names,
        lambda s: {"unconfirmed_name": typed(s), "name": "Zoë Neu", "by": s.by},
        "UnconfirmedName Registration Person Job",
        records="section.said_for",
    ),
    row(
        registering.register_names,
        lambda s: {"session": s.ahead.session, "names": [s.ann.name, "Zoë Neu"], "by": s.by},
        "Registration Person Job",
        records="section.said_for",
    ),
    row(
        registering.refuse_names,
        lambda s: {"unconfirmed_name": typed(s, by=s.ann), "by": s.by},
        "UnconfirmedName Registration Job",
    ),
    row(
        registering.refuse_unknown,
        lambda s: {"session": s.ahead.session, "up_to": typed(s).pk, "by": s.by},
        "UnconfirmedName Job",
    ),
    row(
        blocked_requests.block_requests,
        lambda s: {"person": s.ben, "sender": s.ann},
        "BlockedRequest",
    ),
    row(
        blocked_requests.unblock_requests,
        lambda s: (
            blocked_requests.block_requests(s.ben, s.ann) or {"person": s.ben, "sender": s.ann}
        ),
        "BlockedRequest",
    ),
    row(
        blocked_requests.report_unwanted_requests,
        lambda s: {"person": s.ben, "sender": s.ann},
        "BlockedRequest",
        records="club.asked_unwanted",
    ),
    row(
        registering.switch_registration,
        lambda s: {"section": s.section, "is_on": True, "maximum": 12, "by": s.by},
        "RegistrationSettings",
        records="section.beforehand",
    ),
    row(
        blocked_requests.close_report,
        lambda s: {"blocked_request": told(s), "by": s.by},
        "BlockedRequest",
        records="club.asked_seen_to",
    ),
    row(
        registering.enter_registered_pairs,
        lambda s: who_come(s) or {"section": s.ahead, "by": s.by},
        "Entry EntryPerson Job",
        records="section.enter",
        ahead=PLAN,
    ),
    row(
        starting.start_prepared_session,
        lambda s: {"section": s.ahead, "key": prepared_of(s), "by": s.by},
        "SectionMovement Play StoredMovement SeatingRow Entry",
        records="section.movement section.next_round",
        ahead=PLAN | CHOSEN | {"clock_ends_at", "round", "round_started_at"},
    ),
    row(
        starting.lay_out_prepared_session,
        lambda s: {"section": s.ahead, "key": prepared_of(s), "by": s.by},
        "SectionMovement StoredMovement SeatingRow Entry",
        records="section.movement",
        ahead=PLAN | CHOSEN,
    ),
    row(
        late_arrivals.withdraw_entry,
        lambda s: {"entry": entries.add_pairs(s.ahead, [("Ina", "Ida")], by=s.by)[0], "by": s.by},
        "Entry EntryPerson",
        records="section.withdraw",
        ahead=PLAN,
    ),
    row(
        series.create_series,
        lambda s: {
            "session": s.ahead.session,
            "settings": series.SeriesInput(frozenset({1}), s.ahead.session.starts_at, LATE),
            "days": [LATE],
            "by": s.by,
        },
        "Session RegistrationSettings Series SessionPlan",
        records="section.copy section.beforehand",
    ),
    row(
        series.change_series,
        lambda s: {
            "series": a_series(s),
            "settings": series.SeriesInput(
                frozenset({1}), s.ahead.session.starts_at, LATE, price="7 €"
            ),
            "by": s.by,
        },
        "Series",
    ),
    row(
        calendar.store_plans,
        lambda s: {"planned": {s.ahead.session: calendar.SessionPlanInput(price="7 €")}},
        "SessionPlan",
    ),
]

SEASONS = [
    row(
        ledger.report_points,
        lambda s: {"club": s.club, "until": s.club.today.replace(day=1), "by": s.by},
        "MasterpointReport MasterpointEntry",
        records="season.give_in",
    ),
    row(
        championships.store_championship,
        lambda s: {"championship": s.league, "by": s.by},
        records="season.rules",
        ahead=SHOWN,
    ),
    row(
        championships.publish_championship,
        lambda s: {"championship": s.league, "is_published": True, "by": s.by},
        "Championship",
        records="season.publish",
        ahead=SHOWN,
    ),
    row(
        championships.show_in_room,
        lambda s: {"championship": s.league, "is_shown": False, "by": s.by},
        "Championship",
        records="season.no_room",
        ahead=SHOWN,
    ),
    row(
        championships.show_in_room,
        lambda s: {"championship": hidden(s), "is_shown": True, "by": s.by},
        "Championship",
        records="season.room",
        ahead=SHOWN,
    ),
    row(
        championships.make_championship_final,
        lambda s: {"championship": s.league, "is_final": True, "by": s.by},
        "Championship",
        records="season.final",
    ),
    row(
        championships.make_championship_final,
        lambda s: {
            "championship": championships.make_championship_final(s.league, True, by=None),
            "is_final": False,
            "by": s.by,
        },
        "Championship",
        records="season.open_again",
    ),
    row(
        championships.publish_championship,
        lambda s: {
            "championship": championships.publish_championship(s.league, True, by=None),
            "is_published": False,
            "by": s.by,
        },
        "Championship",
        records="season.unpublish",
        ahead=SHOWN,
    ),
    row(
        championships.delete_championship,
        lambda s: {"championship": s.league, "by": s.by},
        "Championship",
        records="season.delete",
        ahead=SHOWN,
    ),
    row(
        championships.divide_list,
        lambda s: {"championship": s.league, "count": 2, "moving_count": 1, "by": s.by},
        "Championship",
        records="season.groups",
        ahead=SHOWN,
    ),
    row(
        championships.put_into_groups,
        lambda s: {
            "championship": in_groups(s),
            "group_by_people": {},
            "moving_count": 0,
            "by": s.by,
        },
        "Championship",
        records="season.groups",
        ahead=SHOWN,
    ),
    row(
        championships.remove_groups,
        lambda s: {"championship": in_groups(s), "by": s.by},
        "Championship",
        records="season.groups",
        ahead=SHOWN,
    ),
    row(
        championships.begin_next_championship,
        lambda s: {"championship": in_groups(s), "by": s.by},
        "Championship",
        records="season.final season.next",
        ahead=SHOWN,
    ),
    row(
        ratings.use_ratings_as_strengths,
        lambda s: {"club": s.club, "by": s.by},
        "Person",
        records="season.strengths",
        before=SHOWN,
        when_final={"section": SHOWN},  # whose people have a rating then
    ),
]

PUBLICATION = [
    row(
        importing.read_import,
        lambda s: {"club": s.club, "files": [("a.csv", b"Date;Place;Name 1\n")]},
        "Import",
    ),
    row(
        importing.import_sessions,
        lambda s: {
            "brought": brought(s.club, "2020-03-03"),
            "choices": [importing.AcceptedSession(0, datetime.date(2020, 3, 3), "Tuesday")],
            "people": {},
            "by": s.by,
        },
        "Import Event Session ScoringSettings PastSession PastLine PastPlayer Person",
        records="club.moved_in",
    ),
    row(
        importing.revert_import,
        lambda s: {"brought": import_all(s.club, s.by, "2020-03-03"), "by": s.by},
        "Import Event Session ScoringSettings PastSession PastLine PastPlayer Person",
        records="club.moved_out",
    ),
    row(
        importing.publish_import,
        lambda s: {
            "brought": import_all(s.club, s.by, "2020-03-03"),
            "is_public": True,
            "by": s.by,
        },
        "ScoringSettings",
        records="club.moved_in_read",
    ),
    row(
        list_imports.import_details,
        lambda s: {
            "club": s.club,
            "details": {s.player.pk: {"member_number": "12345"}},
            "new_people": {"Zoe Listed": {"email": "zoe@example.org"}},
            "by": s.by,
        },
        "ListImport ListImportPerson Person ResultsSubscription",
        records="club.numbers",
    ),
    row(
        list_imports.revert_list_import,
        lambda s: {"club": s.club, "key": listed(s), "by": s.by},
        "ListImport ListImportPerson Person",
        records="club.numbers club.numbers_undone",
    ),
    row(
        member_mails.send_to_members,
        lambda s: {
            "addressees": addressees(s),
            "draft": member_mails.MailDraft("Christmas", "Come!", "", "key"),
            "by": s.by,
        },
        "MemberMail MemberMailDelivery Job",
        records="club.member_mail",
    ),
    row(
        bounces._mark_returned,
        lambda s: mailed(s) | {"is_never": True},
        "ResultsMail ResultsSubscription",
    ),
    row(
        links.give_address,
        lambda s: {"person": s.player, "by": s.by},
        "PlayerPage",
        records="club.own_page",
    ),
    row(
        links.give_first_address,
        lambda s: {"person": s.player, "way": "mail", "by": s.by},
        "PlayerPage",
        records="club.own_page",
    ),
    row(
        links.end_address,
        lambda s: {"page": a_page(s), "by": s.by},
        "PlayerPage",
        records="club.own_page_ended",
    ),
    row(
        links.ask_to_be_forgotten,
        lambda s: {"page": a_page(s)},
        "PlayerPage Job",
        records="club.asked_to_be_forgotten",
    ),
    row(
        links.hide_requested_names,
        lambda s: due(s),
        "PlayerPage Person",
        records="club.public_name",
        section=SHOWN,
    ),
    row(
        mail_changes.stop_mails,
        lambda s: {"person": confirmed(s).person},
        "ResultsSubscription Job",
    ),
    row(
        mail_changes.keep_address,
        lambda s: {"address": followed(s), "by": s.by},
        "ResultsSubscription",
        records="club.mail_change_refused",
    ),
    row(mail_changes.confirm_next, lambda s: {"address": followed(s)}, "ResultsSubscription"),
    row(mail_changes.change_addresses, lambda s: due_address(s), "ResultsSubscription"),
    row(
        links.cancel_deletion,
        lambda s: {"page": asked(s), "by": s.by},
        "PlayerPage Person",
        records="club.public_name club.not_forgotten",
        section=SHOWN,
    ),
]
TABLE = [*TABLES, *COMING, *SEASONS, *PUBLICATION]


def hidden(s):
    championships.show_in_room(s.league, False, by=None)
    return s.league


def in_groups(s):
    return championships.divide_list(s.league, 2, 1, by=None)


def mailed(s):
    """A letter that was sent, and to where."""
    address = ResultsSubscription.objects.create(person=s.player, email="anna@example.org")
    letter = ResultsMail.objects.create(session=s.section.session, address=address, state="sent")
    return {"address": address.pk, "letter": str(letter.pk)}


def addressees(s):
    """The members of a club, one with an address."""
    confirmed(s)
    return member_mails.Addressees(s.club, "all")


def confirmed(s):
    """An e-mail address that its owner has confirmed."""
    return ResultsSubscription.objects.create(
        person=s.player, email="anna@example.org", confirmed_at=timezone.now()
    )


def followed(s):
    """An address that another one is to follow."""
    address = confirmed(s)
    mail_changes._store_next_address(address, "new@example.org")
    return address


def due_address(s):
    """Let an address have been stopped a day ago; nothing is asked."""
    confirmed(s)
    ResultsSubscription.objects.update(stopped_at=timezone.now() - WAIT)
    return {}


def asked(s):
    """Return the page of a person who asked to be forgotten and whose name is hidden."""
    page = a_page(s)
    links.ask_to_be_forgotten(page)
    due(s)
    links.hide_requested_names()
    page.refresh_from_db()
    return page


def due(s):
    """Let a person have asked to be forgotten a day ago; the service takes no arguments."""
    if not PlayerPage.objects.exclude(hide_at=None).exists():
        links.ask_to_be_forgotten(a_page(s))
    PlayerPage.objects.exclude(hide_at=None).update(hide_at=timezone.now())
    return {}
