"""Run the whole test suite: on SQLite with the browser journeys, then on PostgreSQL.

`make test` calls it. The PostgreSQL part starts a cluster of its own, on a free port, in a temporary
directory, and says so when there is no server binary. It runs whatever happened on SQLite; what
failed where is said in the last lines.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from . import minutes
from .postgres import NoServer, cluster

#: a file stays in one process, which makes what the file shares once; files come as they are named or sorted
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", "2"]
PYTEST += ["--dist", "loadfile", "--no-loadscope-reorder"]
SLOW_FIRST = ["-p", "tests.minutes"]
#: run on both databases: what locks, what people do at once, snapshots and migrations, what is written by hand in SQL
#: or looks into JSON, and every page and form in some states with whatever may be sent to it, so that each query is
#: asked there once. All else is the same, and runs on SQLite.
ON_BOTH = [
    "tests/director/test_pressed_twice.py",
    *("tests/clubs", "tests/pages", "tests/test_emptied.py", "tests/test_remembered.py"),
    *("tests/table_phones/test_letters.py", "tests/table_phones/test_services.py"),
    *("tests/table_phones/test_weight.py", "tests/director/test_in_one_moment.py"),
    *("tests/money/test_at_once.py", "tests/publication/test_mails_at_once.py"),
    *("tests/director/test_players.py", "tests/events/test_access.py"),
    *("tests/events/test_at_once.py", "tests/demo/test_demo.py"),
    *("tests/events/test_forgetting.py", "tests/events/test_guards.py"),
    *(
        "tests/events/test_killed.py",
        "tests/events/test_migrations.py",
        "tests/events/test_names.py",
    ),
    *("tests/events/test_plays.py", "tests/events/test_records.py", "tests/events/test_roster.py"),
    *("tests/events/test_rounds.py", "tests/events/test_snapshot.py"),
    *("tests/operations/test_backups.py", "tests/operations/test_moving_house.py"),
    "tests/operations/test_migration_lock.py",
    *("tests/operations/test_forgotten.py", "tests/operations/test_out_of_order.py"),
    *("tests/players/test_kept.py", "tests/players/test_lookup.py"),
    *("tests/scoring/test_at_once.py", "tests/scoring/test_guards.py"),
    *("tests/security/test_fuzz.py", "tests/security/test_members.py"),
    "tests/security/test_processes.py",
    *("tests/operations/test_server_troubles.py", "tests/operations/test_behind_proxies.py"),
]
#: of files in which little is: these tests
OF_FILES: dict[str, tuple[str, ...]] = {
    "tests/director/test_this_round.py": (
        "test_an_unchanged_poll_reads_who_asks_the_section_and_who_is_silent",
        "test_a_result_is_news_for_the_desk_and_for_this_round_and_for_no_phone",
        "test_the_poll_of_several_sections_counts_the_results_of_all",
        "test_more_tables_cost_no_more_queries",
    ),
    "tests/events/test_live_changes.py": (
        "test_a_late_pair_becomes_rover_and_what_was_played_stays",
        "test_undo_brings_the_movement_back_and_the_pair_waits",
        "test_redo_seats_the_pair_again",
        "test_of_twenty_changes_at_once_one_is_made_and_the_evening_stays_lawful",
        "test_directors_who_look_again_each_make_their_change",
        "test_a_change_killed_in_the_middle_leaves_the_old_movement",
    ),
    "tests/operations/test_watching.py": (
        "test_a_server_with_which_all_is_well_says_so",
        "test_a_server_whose_database_is_of_another_version_cannot_answer",
        "test_a_server_whose_database_is_away_cannot_answer",
        "test_a_server_does_not_start_on_a_database_that_lacks_a_migration",
        "test_a_server_does_not_start_on_a_database_that_a_newer_version_has_written",
        "test_asking_whether_a_server_is_ready_writes_nothing",
        "test_a_cache_that_is_away_takes_no_server_out",
        "test_the_log_tells_of_an_error_without_the_row_a_database_quotes",
    ),
    "tests/players/test_code.py": (
        "test_an_address_nobody_could_type_is_only_a_wrong_code",
        "test_after_sixty_wrong_codes_a_network_has_one_try_a_second",
        "test_a_phone_that_knows_the_section_is_never_locked_out",
        "test_wrong_codes_are_forgotten_after_ten_minutes",
        "test_polls_never_touch_the_rate_limit",
        "test_where_a_redis_keeps_it_unchanged_polls_ask_the_database_once",
    ),
    "tests/scoring/test_doubts.py": (
        "test_doubts_ask_the_database_only_when_they_are_made",
        "test_what_was_settled_stays_settled_until_its_result_is_another",
    ),
    "tests/scoring/test_tonight.py": (
        "test_a_match_of_teams_has_the_boards_of_both_tables_and_its_own_deals",
        "test_a_fouled_board_is_two_fields",
        "test_a_penalty_is_taken_from_whoever_it_was_given_to",
        "test_what_cannot_have_been_is_set_aside_and_the_others_are_scored",
    ),
    "tests/security/test_bad_input.py": (
        "test_a_name_nobody_sees_is_no_name",
        "test_a_name_turns_nothing_around",
        "test_a_movement_of_ones_own_may_number_a_pair_as_nobody_counts",
    ),
    "tests/security/test_limits.py": (
        "test_sixteen_threads_have_as_many_tries_as_one",
        "test_sixteen_threads_are_told_of_as_many_codes_as_one_that_they_are_wrong",
        "test_two_processes_count_together",
        "test_tries_are_forgotten_when_their_time_is_over",
        "test_three_hundred_and_twenty_other_addresses_push_no_limit_out",
        "test_sixteen_threads_try_no_more_passwords_than_one",
        "test_a_full_disk_is_not_taken_for_too_many_tries",
    ),
    "tests/table_phones/test_entering.py": (
        "test_four_spades_made_takes_six_taps_with_the_other_sides_yes",
        "test_of_two_phones_that_differ_nothing_counts_until_one_side_gives_way",
        "test_the_same_form_sent_twice_counts_once",
    ),
}
ON_BOTH += [f"{path}::{name}" for path, names in OF_FILES.items() for name in names]
#: what spoils input at random looks less far the second time; every page is asked in one state or two, not in nine, and
#: every other one at one change, not each at two
ON_POSTGRESQL = {"INPUTS": "600", "TURNS": "16", "STATES_TURNS": "6"}
#: of those files asks nothing there that others do not ask: who is let in nowhere, in the same file; what seals a
#: backup, once it is written; the same by another seed, or of an evening that has rows in the same tables; a service in
#: another state in which it does the same
ON_ONE = [
    "tests/pages/test_every_state.py::test_no_address_lets_anybody_in_who_has_no_business_there",
    "tests/pages/test_one_moment.py::test_every_change_shows",
    *(
        f"tests/test_remembered.py::test_it_is_the_same_as_if_it_were_made[{evening}]"
        for evening in (
            "9-two-way-rover-asked1",
            "8-howell-asked2",
            "7-None-asked3",
            "12-share-and-relay-asked7",
        )
    ),
    *(
        f"tests/operations/test_backups.py::{name}"
        for name in (
            "test_only_its_owner_may_read_a_backup",
            "test_what_is_no_backup_is_refused_and_nothing_changes",
            "test_nothing_happens_unless_it_is_wanted",
            "test_the_key_of_a_machine_comes_back_with_everything_else",
            "test_a_key_of_the_environment_is_in_no_backup_and_asked_for",
            "test_nobody_reads_a_backup_without_its_passphrase",
            "test_with_another_passphrase_nothing_changes",
            "test_a_passphrase_that_is_not_set_is_asked_for",
            "test_openssl_alone_opens_an_encrypted_backup",
            "test_a_letter_that_has_changed_is_seen",
            "test_it_is_told_how_long_a_copy_is_kept",
        )
    ),
    "tests/players/test_kept.py::test_of_results_two_processes_show_what_a_new_one_would_whatever_has_changed",
    *(
        f"tests/events/test_guards.py::test_what_a_service_may_do_in_a_state_and_nothing_else[{state}]"
        for state in ("entered", "switched", "paused", "last")
    ),
]


@dataclass(frozen=True)
class Outcome:
    """What came of the tests on one database."""

    database: str
    ran: int = 0
    failed: tuple[str, ...] = ()
    #: pytest's own status, which says more than the tests: 0 when all is well
    status: int = 0
    #: why nothing was tried
    not_run: str = ""
    #: why nothing could be tried, though it should have been
    broken: str = ""
    #: how long the tests of each file took
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)

    @property
    def is_good(self) -> bool:
        if self.broken:
            return False
        return bool(self.not_run) or (self.ran > 0 and not self.failed and self.status == 0)

    def __str__(self) -> str:
        return f"{self.database}: {self._verdict()}"

    def _verdict(self) -> str:
        if self.broken:
            return f"FAILED, {self.broken}"
        if self.not_run:
            return f"not run, {self.not_run}"
        if self.failed:
            return f"FAILED, {len(self.failed)} of {self.ran}: {' '.join(self.failed)}"
        if self.status not in (0, 5):
            return f"FAILED, pytest gave up with status {self.status}"
        if not self.ran:
            return "FAILED, no test ran"
        return "passed"


def read_outcome(database: str, status: int, report: Path) -> Outcome:
    """Return what pytest wrote about its tests; it has written nothing when it broke down."""
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except (FileNotFoundError, ElementTree.ParseError):
        return Outcome(database, status=status)
    ran = [case for case in cases if case.find("skipped") is None]
    failed = [
        "::".join(filter(None, (case.get("file"), case.get("name"))))
        for case in ran
        if case.find("failure") is not None or case.find("error") is not None
    ]
    return Outcome(
        database, len(ran), tuple(dict.fromkeys(failed)), status, seconds=minutes.seconds(report)
    )


def environment(**more: str) -> dict[str, str]:
    """Return what tests run with: whatever is said of it outside, what was compiled is kept, beside the sources."""
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"PYTHONPYCACHEPREFIX": str(Path("var", "compiled").absolute()), **found, **more}


def run(database: str, *arguments: str, **more: str) -> Outcome:
    """Run pytest and say what came of it."""
    print(f"== {database}", flush=True)
    with tempfile.TemporaryDirectory(prefix="bridgebuddy-tests-") as folder:
        report = Path(folder) / "report.xml"
        written = ["-o", "junit_family=xunit1", f"--junitxml={report}"]
        status = subprocess.call(
            [*PYTEST, *SLOW_FIRST, *written, *arguments], env=environment(**more)
        )
        return read_outcome(database, status, report)


def run_on_postgres() -> Outcome:
    """Run what touches the database on a cluster of its own, where there is a server for it."""
    if gone := [one for one in ON_BOTH if not os.path.exists(one.partition("::")[0])]:
        return Outcome("PostgreSQL", broken=f"there is no {' or '.join(gone)}")
    try:
        with cluster() as url:
            but = [f"--deselect={one}" for one in ON_ONE]
            return run("PostgreSQL", *ON_BOTH, *but, DATABASE_URL=url, **ON_POSTGRESQL)
    except NoServer as missing:
        return Outcome("PostgreSQL", not_run=str(missing))
    except subprocess.CalledProcessError as error:
        return Outcome("PostgreSQL", broken=f"its server did not start or stop: {error}")


def main() -> int:
    """Return the exit status: 0 when everything passed everywhere."""
    # who is asked to stop still stops its tests and its server
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    arguments = [one for one in sys.argv[1:] if one != "--minutes"]
    outcomes = [run("SQLite", *arguments), run_on_postgres()]
    if "--minutes" in sys.argv:
        spent = {one.database: one.seconds for one in outcomes if one.seconds}
        minutes.PAGE.write_text(minutes.page(spent), encoding="utf-8")
    print("==", *sorted(outcomes, key=lambda outcome: not outcome.is_good), sep="\n")
    return 0 if all(outcome.is_good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
