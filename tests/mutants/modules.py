"""What is mutated, and by which tests: those that are to know it, and quick enough to run for each mutant."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Module:
    """Files that are mutated together (globs), and the tests that should notice."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


MODULES = {
    "laws": Module(
        ("movements/engine/laws.py",),
        (
            "tests/engine/test_laws.py",
            "tests/engine/test_laws_boards.py",
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
    "services": Module(
        ("bridgebuddy/events/services/*.py",),
        (
            "tests/events/test_coming_back.py",
            "tests/events/test_entries.py",
            "tests/events/test_live_changes.py",
            "tests/events/test_open_rounds.py",
            "tests/events/test_plays.py",
            "tests/events/test_roster.py",
            "tests/events/test_rounds.py",
            "tests/events/test_stored_movements.py",
            "tests/director/test_change_reasons.py",
            "tests/director/test_changes_together.py",
            "tests/director/test_entries_in_play.py",
            "tests/director/test_history.py",
            "tests/director/test_own_movements.py",
            "tests/director/test_searches.py",
            "tests/director/test_sessions.py",
            "tests/director/test_switches.py",
        ),
    ),
    "access": Module(
        ("bridgebuddy/events/access.py", "bridgebuddy/players/access.py"),
        (
            "tests/director/test_access.py",
            "tests/players/test_code.py",
            "tests/players/test_player.py",
        ),
    ),
    "rules": Module(
        ("bridgebuddy/clubs/rules.py",),
        ("tests/clubs/test_clubs.py", "tests/director/test_access.py"),
    ),
}
