"""A club that has something of everything its pages show."""

from __future__ import annotations

import datetime

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.events.models import Section, Session
from bridgebuddy.money.rules.ledger import EntryKind, Prices
from bridgebuddy.money.services import accounts, cash, payments
from bridgebuddy.money.services import settings as money_settings
from bridgebuddy.planning import calendar, charts
from bridgebuddy.planning.models import Equipment
from bridgebuddy.planning.rules.chart import usual_chart
from bridgebuddy.publication.models import BridgeWebs
from bridgebuddy.registration import blocked_requests, registering
from bridgebuddy.seasons.models import Championship, HandicapRule, ManualHandicap, RatingSettings
from bridgebuddy.seasons.services import ledger
from tests.factories import repeat_weekly, section_to_enter, section_with
from tests.publication.test_moving_in import import_all
from tests.seasons.evenings import evening
from tests.security import rights
from tests.table_phones.tapping import with_phones

WEEK = datetime.timedelta(weeks=1)


def make_full_club(club: Club, by: User) -> dict[str, str]:
    """Fill a club. Return an address of each name, with sessions, people and lists of this club."""
    play_season(club, by)
    tonight = with_phones(section_with(10, "mitchell", round=3, club=club, by=by))
    Session.objects.filter(pk=tonight.session_id).update(date=club.today)
    tonight = Section.objects.get(pk=tonight.pk)
    addresses = rights.addresses_of(tonight, by)
    keep_money(tonight, by)
    plan_sessions(club, by)
    Championship.objects.filter(club=club).update(has_handicap=True, is_in_room=True)
    return addresses


def play_season(club: Club, by: User) -> None:
    """Play two sessions with masterpoints, and import another one."""
    HandicapRule.objects.create(club=club, last=3, least=1)
    RatingSettings.objects.create(club=club)
    for weeks in (7, 3):
        day = str(club.today - weeks * WEEK)
        evening(club, by, day, boards_per_round=8, masterpoints="abf-session")
    ledger.report_points(club, club.today - 5 * WEEK, by=by)
    import_all(club, by, str(club.today - 9 * WEEK))
    ManualHandicap.objects.create(person=club.people.earliest("pk"), handicap=4, reason="illness")


def keep_money(section: Section, by: User) -> None:
    """Let a session be paid in cash and from an account."""
    club, session = section.club, section.session
    money_settings.turn_on_money(club, by=by)
    money_settings.store_settings(club, {"members": 500, "visitors": 800}, by=by)
    money_settings.set_prices(session, Prices(600, 900, 0), for_series=True, by=by)
    first, second, third = (entry.players[0] for entry in section.entries.order_by("pk")[:3])
    accounts.store_payment(first, 5000, key=f"in {club.pk}", by=by)
    accounts.store_correction(second, -350, reason="counted", key=f"wrong {club.pk}", by=by)
    paid = {"how": EntryKind.ACCOUNT, "seen": 0, "key": f"account {club.pk}", "by": by}
    payments.record_payment(session, first.pk, **paid)
    payments.record_other_payments(session, [third.pk], key=f"cash {club.pk}", by=by)
    cash.count_cash(session, at_start=100, pieces=[(200, 2)], after_version=0, by=by)


def plan_sessions(club: Club, by: User) -> None:
    """Plan a series of sessions, and let players register for its first one."""
    charts.store_chart(club, usual_chart()[:2])
    Equipment.objects.create(club=club, tables=9)
    BridgeWebs.objects.create(club=club, code=f"club{club.pk}", sealed="")
    section = section_to_enter(club, by, day=club.today + WEEK)
    session = section.session
    repeat_weekly(session, 2, by=by)
    ann, ben, cleo, dan = list(club.people.order_by("pk")[:4])
    registering.register_pair(session, ann, ben)
    registering.seek_partner(session, cleo)
    registering.note_typed_names(session, "Zoë Neu", "Max Gast")
    blocked_requests.report_unwanted_requests(ann, dan)
    plan = calendar.SessionPlanInput(by, ann, "5 €")
    calendar.store_plans({session: plan})
