"""Double-dummy results of sessions' deals, calculated by jobs, each deal once."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from bridgebuddy.deals.double_dummy import NoSolver, NotSolved, SolverProcess
from bridgebuddy.deals.models import DoubleDummy
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.sections import all_sections
from bridgebuddy.jobs.kinds import RetryLater, job_kind
from bridgebuddy.jobs.services import request_job
from bridgebuddy.scoring.models import Deal, ScoringSettings
from bridgebuddy.scoring.results.against_cards import strain_of_contract
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import cards_of_line
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.words import opening_lead

KIND, LEADS = "double-dummy", "leads"
#: most deals that a job solves before other jobs have their turn
AT_ONCE, SECONDS_AT_ONCE = 24, 60
#: tries after which a deal is given up if the solver hangs or dies
MOST_TRIES = 3
#: time after the start of a round in which all phones ask for their page
WHILE_PHONES_ASK = timedelta(seconds=30)
log = logging.getLogger(__name__)


def unsolved_deals() -> QuerySet[Deal]:
    """Return the deals without double-dummy tricks, except those on which the solver has failed too often."""
    solutions = DoubleDummy.objects.filter(deal=OuterRef("pbn"))
    deals = Deal.objects.filter(session__deleted_at=None)
    return deals.exclude(Exists(solutions.exclude(tricks=""))).exclude(
        Exists(solutions.filter(tries__gte=MOST_TRIES))
    )


def request_solving() -> None:
    """Request the background job that solves deals double dummy."""
    if unsolved_deals().exists():
        request_job(KIND)


@job_kind(KIND, tries=8, seconds=240, nightly=True)
def solve_waiting(_key: str = "") -> None:
    """Solve deals double dummy, the latest sessions first; stop as soon as a round begins anywhere."""
    waiting = list(
        dict.fromkeys(unsolved_deals().order_by("-session", "board").values_list("pbn", flat=True))
    )
    if not waiting:
        return
    solved: list[str] = []
    until = time.monotonic() + SECONDS_AT_ONCE
    try:
        with SolverProcess() as solver:
            for deal in waiting[:AT_ONCE]:
                if _has_round_just_begun():
                    raise RetryLater(WHILE_PHONES_ASK)
                if time.monotonic() > until:
                    break  # the machine is busy: others go first
                if _solve_deal(solver, deal):
                    solved.append(deal)
    except (
        NoSolver
    ):  # the program was removed meanwhile; after a new installation it is asked for again at night
        log.info("Deals cannot be solved, because endplay is missing: pip install endplay")
        return
    finally:
        _refresh_result_pages(solved)
    _request_leads_of(solved)
    if unsolved_deals().exists():
        request_job(KIND)


def _request_leads_of(solved: Iterable[str]) -> None:
    """Request the jobs that solve the opening leads of sessions with these deals."""
    over = ScoringSettings.objects.exclude(final_at=None, published_at=None)
    sessions = Deal.objects.filter(pbn__in=list(solved), session__in=over.values("session"))
    for session in sessions.values_list("session", flat=True).distinct().order_by():
        request_job(LEADS, session)


def ask_for_leads(section: Section) -> None:
    """Request the job that solves each opening lead of a session double dummy, if hands are known."""
    if Deal.objects.filter(session=section.session_id).exists():
        request_job(LEADS, section.session_id)


@job_kind(LEADS, tries=8, seconds=240)
def solve_leads(key: str) -> None:
    """Compute the double-dummy tricks after each opening lead of the session with this key."""
    section = (
        all_sections().filter(session=int(key), session__deleted_at=None).order_by("pk").first()
    )
    contracts_of_deal = _unsolved_leads(section) if section else {}
    if not contracts_of_deal:
        return
    try:
        with SolverProcess() as solver:
            for deal, contracts in contracts_of_deal.items():
                if _has_round_just_begun():
                    raise RetryLater(WHILE_PHONES_ASK)
                _solve_leads(solver, deal, contracts)
    except NoSolver:
        return
    finally:
        _refresh_result_pages(contracts_of_deal)


def _unsolved_leads(section: Section) -> dict[str, set[tuple[str, str]]]:
    """Return the contracts whose lead is known but not solved, by deal."""
    leads: dict[str, set[tuple[str, str]]] = {}
    scored = ScoredSession(SessionSnapshot(section))
    for line in scored.tonight.lines:
        outcome = line.outcome or {}
        if "contract" not in outcome or not opening_lead(outcome):
            continue
        cards = cards_of_line(scored, line)
        contract = strain_of_contract(outcome["contract"]), outcome["declarer"]
        if cards is not None and cards.solved and "-".join(contract) not in cards.leads:
            leads.setdefault(cards.pbn, set()).add(contract)
    return leads


def _solve_leads(solver: SolverProcess, deal: str, contracts: Iterable[tuple[str, str]]) -> None:
    """Compute and store the tricks after each opening lead against these contracts on a deal."""
    row = DoubleDummy.objects.get(deal=deal)
    for strain, declarer in contracts:
        try:
            row.leads[f"{strain}-{declarer}"] = solver.tricks_by_lead(deal, strain, declarer)
        except NotSolved:
            log.warning("What leads gave could not be solved")
    row.save(update_fields=["leads"])


def _solve_deal(solver: SolverProcess, deal: str) -> bool:
    """Compute and store the double-dummy tricks of a deal; return whether it could be solved."""
    row, _ = DoubleDummy.objects.get_or_create(deal=deal, defaults={"tries": 0})
    try:
        row.tricks = solver.solve(deal)
    except NotSolved:
        log.warning("A deal could not be solved")
        row.tries += 1
    row.save()
    return bool(row.tricks)


def _has_round_just_begun() -> bool:
    """Return whether a round began so recently that phones ask often."""
    since = timezone.now() - WHILE_PHONES_ASK
    return Section.objects.filter(round_started_at__gte=since).exists()


def _refresh_result_pages(solved: Iterable[str]) -> None:
    """Refresh open result pages that show one of these deals; phones in a round are not affected."""
    sessions = Deal.objects.filter(pbn__in=list(solved)).values("session")
    if solved:
        Section.objects.filter(session__in=sessions).update(results=F("results") + 1)
