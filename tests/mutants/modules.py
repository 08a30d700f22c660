"""What is mutated, and by which tests: those that are to know it, and quick enough to run for each mutant."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Module:
    """Files that are mutated together (globs), and the tests that should notice."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


EVENTS, DIRECTOR = "tests/events/test_", "tests/director/test_"


def services(*files: str, events: str = "", director: str = "") -> Module:
    """Files of services; besides their own tests, the table over all services is run."""
    return Module(
        tuple(f"bridgebuddy/events/services/{file}.py" for file in files),
        (
            *(f"{EVENTS}{name}.py" for name in (*events.split(), "guards")),
            *(f"{DIRECTOR}{name}.py" for name in director.split()),
        ),
    )


SERVICES = {
    "rounds": services("rounds", "locking", "noting", events="rounds sections clock"),
    "plays": services(
        "plays", "line_up", events="plays line_up open_rounds live_changes turning_back"
    ),
    "people": services("people", events="plays entries", director="substitutes other_clubs"),
    "roster": services("roster", "showing", events="roster showing"),
    "entries": services(
        "entries", "sessions", events="entries names at_once", director="sessions other_clubs"
    ),
    "sections": services("sections", "deals", events="sections"),
    "deletions": services("deletions", "stored_movements", events="deletions stored_movements"),
    "copies": services("copies_of_sessions", events="copies_of_sessions"),
    "movement": services(
        *("movement", "own_movements", "switches"),
        events="entries stored_movements calls",
        director="own_movements switches",
    ),
    "changes": services(
        *("changes", "searches"),
        events="live_changes coming_back turning_back stored_movements",
        director="history searches changes_together",
    ),
}

MODULES = {
    "laws": Module(
        ("movements/engine/laws.py",),
        (
            "tests/engine/test_laws.py",
            "tests/engine/test_laws_boards.py",
            "tests/engine/test_laws_places.py",
            "tests/engine/test_laws_teams.py",
        ),
    ),
    # random evenings (test_changes_laws, test_simulation) take minutes, and kill by chance
    "changes": Module(
        ("movements/engine/changes/*.py",),
        (
            "tests/engine/test_changes_appendix.py",
            "tests/engine/test_changes_arrival.py",
            "tests/engine/test_changes_comeback.py",
            "tests/engine/test_changes_departure.py",
            "tests/engine/test_changes_mistakes.py",
            "tests/engine/test_changes_plan.py",
            "tests/engine/test_changes_rebuild.py",
            "tests/engine/test_changes_seats.py",
            "tests/engine/test_draws.py",
            "tests/engine/test_least_harm.py",
        ),
    ),
    **{f"services/{name}": one for name, one in SERVICES.items()},
    "access": Module(
        ("bridgebuddy/events/access.py", "bridgebuddy/players/access.py"),
        (
            "tests/events/test_access.py",
            "tests/players/test_code.py",
            "tests/players/test_sections.py",
            "tests/director/test_signing_in.py",
        ),
    ),
    "rules": Module(("bridgebuddy/clubs/rules.py",), ("tests/events/test_access.py",)),
}
