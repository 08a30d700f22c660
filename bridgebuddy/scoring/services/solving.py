"""Double dummy of the deals of sessions: worked out beside the server, each deal once for ever."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from bridgebuddy.deals.models import DoubleDummy
from bridgebuddy.deals.solving import NoSolver, NotSolved, Solver
from bridgebuddy.events.models import Section
from bridgebuddy.jobs.kinds import Later, does
from bridgebuddy.jobs.services import ask

from ..models import Deal

KIND = "double-dummy"
#: deals that one job solves; then others have their turn
AT_ONCE = 24
#: a deal over which the solver hangs or dies is left alone after so many tries
MOST_TRIES = 3
#: so long after a round has begun every phone asks for its page
WHILE_PHONES_ASK = timedelta(seconds=30)
log = logging.getLogger(__name__)


def unsolved() -> QuerySet[Deal]:
    """The deals whose tricks are not known, and that whoever solves has not been given up over."""
    known = DoubleDummy.objects.filter(deal=OuterRef("pbn"))
    kept = Deal.objects.filter(session__deleted_at=None)
    return kept.exclude(Exists(known.exclude(tricks=""))).exclude(
        Exists(known.filter(tries__gte=MOST_TRIES))
    )


def ask_to_solve() -> None:
    """Let the deals be solved that nobody has solved yet."""
    if unsolved().exists():
        ask(KIND)


@does(KIND, tries=8, seconds=240, nightly=True)
def solve_waiting(_key: str = "") -> None:
    """Solve deals, those of the last sessions first; stop as soon as a round begins somewhere."""
    waiting = list(
        dict.fromkeys(unsolved().order_by("-session", "board").values_list("pbn", flat=True))
    )
    if not waiting:
        return
    solved: list[str] = []
    try:
        with Solver() as solver:
            for deal in waiting[:AT_ONCE]:
                if _a_round_begins():
                    raise Later(WHILE_PHONES_ASK)
                if _solve(solver, deal):
                    solved.append(deal)
    except (
        NoSolver
    ):  # it was taken away meanwhile; whoever installs it again has it asked for by night
        log.info("What solves deals is not installed: pip install 'bridgebuddy[analysis]'")
        return
    finally:
        _show(solved)
    if unsolved().exists():
        ask(KIND)


def _solve(solver: Solver, deal: str) -> bool:
    row, _ = DoubleDummy.objects.get_or_create(deal=deal, defaults={"tries": 0})
    try:
        row.tricks = solver.solve(deal)
    except NotSolved:
        log.warning("A deal could not be solved")
        row.tries += 1
    row.save()
    return bool(row.tricks)


def _a_round_begins() -> bool:
    since = timezone.now() - WHILE_PHONES_ASK
    return Section.objects.filter(round_started_at__gte=since).exists()


def _show(solved: Iterable[str]) -> None:
    """Let pages of results fetch themselves anew that show one of these deals; phones of a round have no news."""
    sessions = Deal.objects.filter(pbn__in=list(solved)).values("session")
    if solved:
        Section.objects.filter(session__in=sessions).update(results=F("results") + 1)
