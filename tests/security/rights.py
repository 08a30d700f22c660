"""Access by address: one table, which must have every address.

Ten kinds of visitors ask at every address: a stranger, a phone that has opened the section, an account without a
club, a club's member, helper, scorer, secretary, treasurer and director, and another club's director.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from bridgebuddy.clubs.membership import members
from bridgebuddy.clubs.models import Club, ClubLogo, Membership, Person, User
from bridgebuddy.events.models import EntryPerson, Import, Section
from bridgebuddy.events.services.play import people
from bridgebuddy.events.services.setup.own_movements import store_own_movement
from bridgebuddy.planning.models import Series
from bridgebuddy.publication.mails.member_mails import SIGNER
from bridgebuddy.publication.models import ClubPage, MemberMail, ResultsSubscription
from bridgebuddy.publication.own.links import give_address, page_code
from bridgebuddy.registration.door import entrance_key
from bridgebuddy.scoring.services.publishing import publish_results
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.services.rulings import foul_board, give_penalty
from bridgebuddy.seasons.models import Championship, MasterpointReport
from movements.engine import catalogue

# ── what is answered ──

YES = "yes"
NO = "no"  # it does not exist
SIGN_IN = "sign in"
FOUND_A_CLUB = "found a club"

# ── whose an address is ──

EVERYBODY = "everybody"
SENT_TO_SIGN_IN = "everybody is sent to the sign-in"
#: whoever is signed in
SIGNED_IN = "signed in"
#: directors and helpers of any club, with what is their clubs'
ANY_HELPER = "helpers of any club"
#: directors, helpers and secretaries of any club, with what is their clubs'
ANY_PLANNER = "planners of any club"
#: of the club, whatever they may do there
MEMBERS = "members"
#: directors and helpers of the club
HELPERS = "helpers"
#: directors, helpers and scorers of the club
SCORERS = "scorers"
#: directors and secretaries of the club
SECRETARIES = "secretaries"
#: directors, secretaries and treasurers of the club
READERS_OF_MEMBERS = "readers of the list of members"
#: directors and treasurers of the club
TREASURERS = "treasurers"
#: directors, helpers and treasurers of the club
PAYMENTS = "payments of a session"
#: directors of the club
DIRECTORS = "directors"

#: what a phone opens with a table's secret
TABLES = {
    *(
        "table",
        "table-join",
        "table-digits",
        "table-who",
        "table-call",
        "table-swap",
        "table-pads",
        "table-coming",
    ),
    *("table-board", "table-yes", "table-check", "table-choose", "table-exchange"),
    "table-cards",
}

#: published results that only teams have
OF_TEAMS = {"public-matches", "public-match", "public-pairs", "api-match"}

#: published results, championships and clubs' lists as JSON
AS_JSON = {
    "api-results",
    "api-board",
    "api-sheet",
    "api-championship",
    "api-club",
    "api-club-results",
    "api-schema",
}
#: pages of the secretary
MAILS_TO_MEMBERS = {"member-mails", "new-member-mail", "member-mail"}
#: a club's page that is switched on
OF_CLUB = {"club-page", "club-year", "club-month", "club-players", "club-player"}
OF_CLUB |= {"club-embedded", "club-feed", "club-calendar", "club-come"}

WHO = {
    EVERYBODY: {"home"}  # to strangers it says what this is
    | {"help", "help-topic", "help-card", "help-read", "trial"}
    | {"help-laws", "help-law", "help-laws-print"}
    | {"service-worker", "manifest", "code", "player-language", "invitation", "join"}
    | {"lookup", "room-display", "player", "have-read", "my-results"}
    # who has no table's secret is told how to get one, see tests/table_phones/test_rights.py
    | TABLES
    | {"player-privacy", "public-privacy"}
    | {"player-deals", "player-deals-word", "public-deals", "public-deals-file"}
    | {"public-results", "public-sheets", "public-sheet", "public-boards", "public-board"}
    | OF_CLUB
    | {"mail-address", "member-mails-off"}
    # who has no such phone is told to ask the director, see tests/players/test_own_claim.py
    | {"own-code", "own-page", "own-kept", "own-forget", "own-file", "own-claim"}
    | {"own-coming", "own-come"}
    # who has not the key of the door is told to ask the director
    | {"door", "through-door", "leave-door"}
    | {"public-find"}
    | {"public-championship", "public-championship-line"}
    | {"account_login", "account_signup", "account_logout", "account_reset_password"}
    | AS_JSON
    | OF_TEAMS,
    SENT_TO_SIGN_IN: {"account_inactive"},
    SIGNED_IN: {
        *("account_change_password", "account_set_password", "account_email"),
        "new-club",
        "own-language",
        "delete-account",
        "account",
        "use-movement",
        "print-movement",
    },
    ANY_HELPER: {"import-movement"},
    ANY_PLANNER: {"new-session"},
    MEMBERS: {"leave-club", "member-home", "member-page", "member-come"},
    HELPERS: {
        "edit-session",
        "renew-code",
        "copy-session",
        "rehearse",
        "press-on",
        "entries",
        "who-comes",
        "door-code",
        "door-tablet",
        "add-pair",
        "add-list",
        "take-list",
        "suggestions",
        "edit-pair",
        "withdraw",
        "substitutes",
        "correct-substitute",
        "end-substitute",
        "strengths",
        "seat",
        "swap",
        "choose-movement",
        "choose-drawn",
        "arrow-switches",
        "match-boards",
        "own-movement",
        "desk",
        "change",
        "undo",
        "redo",
        "history",
        "all-rounds",
        "next-round",
        "back",
        "finish",
        "divide",
        "all-sections",
        "start-rounds",
        "section-clocks",
        "play-as",
        "guide-laws",
        "guide-law",
        "guide-law-board",
        "guide-laws-print",
        "draw",
        "draw-back",
        "invent-results",
        "deals-away",
        "deals-make",
        "deals-word",
        "deals-close",
        "deals-file",
        "phones",
        "renew-secrets",
        "take-call",
        "let-phone",
        "break",
        "seen",
        "clock",
        "guide-known",
        "cross",
        "line-up",
        "print",
        "print-logo",
        "print-pdf",
        "print-preview",
    },
    SCORERS: {
        "event",
        "boards",
        "board-results",
        "results-line",
        "results-undo",
        "score-sheet",
        "penalty-back",
        "fouled-board",
        "unfoul-board",
        "look-at",
        "results-doubt",
        "looking-back",
        "ranking",
        "results-profile",
        "results-state",
        "results-beside",
        "results-room",
        "matches",
        "match",
        "butler",
        "same-cards",
        "rule-match",
        "match-ruling-back",
        "extra-boards",
        "hand-in",
        "publish",
        "results-file",
        "classes",
        "deals",
        "type-cards",
        "remind-table",
        "session-handicaps",
        "results",
        "enter-result",
        "slips",
        "slip-reading",
        "terminals",
        "terminals-back",
        "i-play",
        "look-early",
        "club-results",
    },
    PAYMENTS: {"money", "money-count", "money-sheet", "print-money-sheet"},
    TREASURERS: {
        *("money-prices", "club-money", "money-month", "money-file", "print-money-month"),
        *("money-accounts", "find-account", "money-account"),
    },
    SECRETARIES: MAILS_TO_MEMBERS
    | {
        "club-settings",
        "club-paper",
        "club-public",
        "club-bridgewebs",
        "club-federation",
        "member-columns",
        "coming-weeks",
        "new-series",
        "series",
        "season",
        "new-championship",
        "championship",
        "championship-line",
        "championship-rules",
        "championship-evenings",
        "championship-groups",
        "championship-state",
        "print-championship",
        "rating",
        "attendance",
        "pace",
        "masterpoints",
        "points-file",
        "ledger",
        "handicaps",
        "handicap-by-hand",
        "keep-logo",
        "remove-logo",
        "new-player",
        "edit-player",
        "forget-player",
        "merge-players",
        "two-people",
        "player-numbers",
        "player-mail",
        "player-own-page",
        "players-own-pages",
        "person-data",
    },
    READERS_OF_MEMBERS: {"players"},
    DIRECTORS: {
        "club-privacy",
        "club-chart",
        "chart-file",
        "moving-in",
        "import",
        "delete-session",
        "bring-back",
        "members",
        "invite",
        "invite-on-paper",
        "member-role",
        "remove-member",
        "withdraw-invitation",
        "security-log",
        "anonymise-player",
        "kept",
        "club-data",
        "delete-club",
        "processing-record",
    },
}
#: what is allauth's, Django's and the library's
OTHERS = {
    EVERYBODY: {"library", "movement", "download", "set_language"}
    | {"account_login", "account_signup", "account_logout"}
    | {"account_reset_password", "account_reset_password_done", "account_confirm_email"}
    | {"account_reset_password_from_key", "account_reset_password_from_key_done"}
    | {"account_email_verification_sent"},
    SENT_TO_SIGN_IN: {"account_inactive"},
    SIGNED_IN: {"account_change_password", "account_set_password", "account_email"}
    | {"account_reauthenticate", "account_confirm_login_code"}
    | {"account_request_reauthentication_code", "account_confirm_reauthentication_code"}
    | {
        "mfa_index",
        "mfa_authenticate",
        "mfa_reauthenticate",
        "mfa_activate_totp",
        "mfa_deactivate_totp",
    }
    | {"mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_download_recovery_codes"},
}
NOT_OURS = ("movements.library", "allauth", "django.conf.urls.i18n")

# ── who asks ──

FINE: dict[str, Any] = {"unit": "percent", "amount": -1, "kind": "time"}
ANONYMOUS, PLAYER, STRANGER = "anonymous", "player", "stranger"
MEMBER, HELPER, DIRECTOR = "member", "helper", "director"
SCORER, SECRETARY, TREASURER = "scorer", "secretary", "treasurer"
ANOTHER_DIRECTOR = "another club's director"

ALL = (
    *(ANONYMOUS, PLAYER, STRANGER, MEMBER, HELPER, SCORER, SECRETARY, TREASURER),
    *(ANOTHER_DIRECTOR, DIRECTOR),
)
NOT_SIGNED_IN = dict.fromkeys((ANONYMOUS, PLAYER), SIGN_IN)
ANSWERS = {
    EVERYBODY: dict.fromkeys(ALL, YES),
    SENT_TO_SIGN_IN: dict.fromkeys(ALL, SIGN_IN),
    SIGNED_IN: dict.fromkeys(ALL, YES) | NOT_SIGNED_IN,
    ANY_HELPER: dict.fromkeys(ALL, YES)
    | NOT_SIGNED_IN
    | {STRANGER: FOUND_A_CLUB}
    | dict.fromkeys((MEMBER, SCORER, SECRETARY, TREASURER), NO),
    ANY_PLANNER: dict.fromkeys(ALL, YES)
    | NOT_SIGNED_IN
    | {STRANGER: FOUND_A_CLUB}
    | dict.fromkeys((MEMBER, SCORER, TREASURER), NO),
    MEMBERS: dict.fromkeys(ALL, YES)
    | NOT_SIGNED_IN
    | dict.fromkeys((STRANGER, ANOTHER_DIRECTOR), NO),
    HELPERS: dict.fromkeys(ALL, NO) | NOT_SIGNED_IN | {HELPER: YES, DIRECTOR: YES},
    SCORERS: dict.fromkeys(ALL, NO)
    | NOT_SIGNED_IN
    | dict.fromkeys((HELPER, SCORER, DIRECTOR), YES),
    SECRETARIES: dict.fromkeys(ALL, NO) | NOT_SIGNED_IN | {SECRETARY: YES, DIRECTOR: YES},
    READERS_OF_MEMBERS: dict.fromkeys(ALL, NO)
    | NOT_SIGNED_IN
    | dict.fromkeys((SECRETARY, TREASURER, DIRECTOR), YES),
    TREASURERS: dict.fromkeys(ALL, NO) | NOT_SIGNED_IN | {TREASURER: YES, DIRECTOR: YES},
    PAYMENTS: dict.fromkeys(ALL, NO)
    | NOT_SIGNED_IN
    | dict.fromkeys((HELPER, TREASURER, DIRECTOR), YES),
    DIRECTORS: dict.fromkeys(ALL, NO) | NOT_SIGNED_IN | {DIRECTOR: YES},
}


def patterns() -> dict[str, URLPattern]:
    """Every address of ours, by its name."""
    ours = [pattern for pattern in get_resolver().url_patterns if not is_other(pattern)]
    return {str(leaf.name): leaf for included in ours for leaf in leaves(included)}


def other_patterns() -> dict[str, URLPattern]:
    """Every address that is not of our making, by its name."""
    others = [pattern for pattern in get_resolver().url_patterns if is_other(pattern)]
    return {str(leaf.name): leaf for included in others for leaf in leaves(included)}


def leaves(included: URLPattern | URLResolver) -> Iterator[URLPattern]:
    if isinstance(included, URLPattern):
        yield included
        return
    for pattern in included.url_patterns:
        yield from leaves(pattern)


def is_other(included: URLPattern | URLResolver) -> bool:
    name = getattr(included, "urlconf_name", "")
    return getattr(name, "__name__", "").startswith(NOT_OURS)


def addresses_of(section: Section, by: User) -> dict[str, str]:
    """Every address of ours, of things that are there: by name."""
    club: Club = section.club
    ClubLogo.objects.create(club=club, image=b"logo", type="image/png")
    own = store_own_movement(club, catalogue.build_movement("howell", 4), name="Ours", by=by)
    first = section.entries.first()
    people.add_substitute(first, 2, "Zoë Neu", from_round=5, by=by)
    invitation, key = members.invite_address(
        club, email="new@example.org", roles=["director"], by=by
    )
    token = publish_results(section, by=by).token
    season = Championship.objects.create(
        club=club, name="Ours", published_at=timezone.now(), token=token
    )
    address = ResultsSubscription.objects.create(
        person=Person.objects.filter(club=club).first(), email="anna@example.org"
    )
    known = {
        "championship": season.pk,
        "brought": Import.objects.create(club=club).pk,
        "report": MasterpointReport.objects.create(club=club, until=timezone.now().date()).pk,
        "table": 1,
        "call": 1,
        "phone": 1,
        "came": "agreed",
        "link": EntryPerson.objects.exclude(plays_for=None).get(section=section).pk,
        "code": section.code,
        "entry": section.entries.first().pk,
        "play": getattr(section.plays.first(), "pk", 1),
        "person": Person.objects.filter(club=club).first().pk,
        "member": Membership.objects.filter(club=club).last().pk,
        "invitation": invitation.pk,
        "key": key,
        "door_key": entrance_key(section.session),
        "wish": "late",
        "name": "guide-cards",
        "label": "NS1",
        "language": "en",
        "family": "howell",
        "tables": 4,
        "board": 1,
        "result": enter_result(section, section.plays.first().pk, {"passed": True}, by=by).pk,
        "fouled": foul_board(section, 1, from_round=1, by=by).pk,
        "penalty": give_penalty(section, first.pk, **FINE, by=by).pk,
        "token": token,
        "section": section.name,
        "number": 1,
        "round": 1,
        "home": "1",
        "ruling": 1,
        "readout": 1,
        "subject": "lead",
        "step": "opening-leave-helped",
        "away": "2",
        "kind": "json",
        "format": "usebio",
        "address": ClubPage.objects.create(
            club=club, address=f"club-{club.pk}", is_on=True
        ).address,
        "secret": address.token,
        "signed": SIGNER.sign(str(address.pk)),
        "mail": MemberMail.objects.create(club=club, audience="all", subject="A", once="a").pk,
        "session": section.session_id,
        "series": Series.objects.create(
            event=section.session.event, days="2", starts_at="19:00", until="2030-06-30"
        ).pk,
        "year": section.session.date.year,
        "month": section.session.date.month,
    }
    keys = {"own-movement": own.pk}
    of_own = page_code(give_address(first.players[0], by=None))
    of_help = {"help-topic": "desk", "help-card": "first-evening", "help-read": "evening"}
    of_help["api-schema"] = "results"
    return {
        name: reverse(
            name,
            kwargs={
                converter: keys.get(name, club.pk)
                if converter == "pk"
                else of_help.get(name, known[converter])
                if converter == "name"
                else of_own
                if converter == "code" and name.startswith("own-") and name != "own-claim"
                else known[converter]
                for converter in pattern.pattern.converters
            },
        )
        for name, pattern in patterns().items()
    }


def other_addresses() -> dict[str, str]:
    """Every address that is not of our making."""
    known = {"key": "x", "uidb36": "1", "family": "howell", "tables": 4, "form": "json"}
    named = {name: item.pattern for name, item in other_patterns().items()}
    keys = {
        name: list(pattern.converters) or list(pattern.regex.groupindex)
        for name, pattern in named.items()
    }
    return {name: reverse(name, kwargs={key: known[key] for key in keys[name]}) for name in named}


def browser_of(user: AbstractBaseUser | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client
