"""What is mutated, and by which tests: those that are to know it, and quick enough to run for each mutant."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Module:
    """Files that are mutated together (globs), and the tests that should notice.

    Some of those take many seconds each, over many evenings: they are left out, by a part of their name.
    """

    files: tuple[str, ...]
    tests: tuple[str, ...]
    but: tuple[str, ...] = ()


EVENTS, DIRECTOR = "tests/events/test_", "tests/director/test_"
ENGINE = "tests/engine/test_"
SECURITY = "tests/security/test_"
SCORING = "tests/scoring/test_"
ALL_SERVICES = ("guards", "records", "refusals")
#: in the tables of services: it would find the mutants, which are functions too
NOT_THE_TABLE = ("every_service_is_in_the_table",)


def services(
    *files: str,
    events: str = "",
    director: str = "",
    security: str = "",
    scoring: str = "",
    registration: str = "",
) -> Module:
    """Files of services; besides their own tests, the tables over all services are run."""
    return Module(
        tuple(f"bridgebuddy/events/services/{file}.py" for file in files),
        (
            *(f"{EVENTS}{name}.py" for name in (*events.split(), *ALL_SERVICES)),
            *(f"{DIRECTOR}{name}.py" for name in director.split()),
            *(f"{SECURITY}{name}.py" for name in security.split()),
            *(f"{SCORING}{name}.py" for name in scoring.split()),
            *(f"tests/registration/test_{name}.py" for name in registration.split()),
        ),
        NOT_THE_TABLE,
    )


SERVICES = {
    "rounds": services("play/rounds", "locking", "recording", events="rounds sections clock"),
    "plays": services(
        *("play/plays", "play/line_up"),
        events="plays line_up open_rounds live_changes turning_back",
        director="six_players extra_boards",
        scoring="drawing_live",
    ),
    "people": services(
        "play/people",
        events="plays entries line_up",
        director="substitutes other_clubs six_players",
    ),
    "roster": services(
        *("roster", "display_refresh", "codes"),
        events="roster showing one_section forgetting",
        director="players",
        security="codes",
    ),
    "entries": services(
        "setup/entries",
        "lifecycle/sessions",
        events="entries names at_once one_section",
        director="sessions other_clubs",
    ),
    "sections": services("setup/sections", "setup/deals", events="sections one_section"),
    "deletions": services(
        "lifecycle/deletions",
        "stored_movements",
        events="deletions stored_movements copies_of_sessions",
    ),
    "forgetting": services("lifecycle/forgetting", "names_on_record", events="forgetting"),
    "copies": services(
        *("lifecycle/copies_of_sessions", "lifecycle/trials"),
        events="copies_of_sessions",
        scoring="rehearsing seated_by_ranking several_sessions",
    ),
    "movement": services(
        *(
            "setup/movement",
            "setup/own_movements",
            "lifecycle/prepared_starts",
            "setup/seats",
            "setup/switches",
            "setup/breaks",
        ),
        events="entries free_seats stored_movements calls turns",
        director="own_movements strengths switches changes_switched wished_break",
        scoring="drawing",
        registration="prepared",
    ),
    "changes": services(
        *("play/changes", "play/change_facts", "play/change_seats", "play/searches"),
        events="live_changes coming_back turning_back stored_movements",
        director="history searches changes_together knockout",
        scoring="drawing drawing_live",
    ),
}


def changes(*files: str, tests: str, but: tuple[str, ...] = ()) -> Module:
    """Files of live changes; besides their own tests, the page of what is proposed is compared.

    Random evenings take minutes and kill by chance: they are not run.
    """
    return Module(
        tuple(f"movements/engine/changes/{file}.py" for file in files),
        tuple(f"{ENGINE}{name}.py" for name in (*tests.split(), "proposed")),
        but,
    )


CHANGES = {
    "departure": changes(
        *("departure", "comeback", "labels"), tests="changes_departure changes_comeback"
    ),
    "mistakes": changes(
        "repairs/mistakes", "repairs/pieces", "repairs/repair", tests="changes_mistakes"
    ),
    "proposal": changes(
        *("__init__", "change", "proposal", "numbering"),
        tests="changes_departure changes_mistakes changes_plan changes_seats",
    ),
    "plan": changes(
        "length", "lines", "table_count/rings", "seats", tests="changes_plan changes_seats"
    ),
    "arrival": changes(
        *(
            "arrivals/arrival",
            "newcomer",
            "arrivals/appendix",
            "arrivals/party",
            "arrivals/rovers",
            "table_count/tables",
        ),
        *("table_count/idle_tables", "table_count/under_way"),
        tests="changes_arrival changes_appendix",
        but=("the_referee_finds", "longest_evenings", "forty_tables", "no_appendix_is_offered"),
    ),
    "choosing": changes("layouts", "arrivals/least_harm", tests="layouts least_harm"),
    "rebuild": changes("repairs/rebuild", tests="changes_rebuild"),
}

RULES = "bridgebuddy/scoring/rules"


def rules(*files: str, tests: str, director: str = "", but: tuple[str, ...] = ()) -> Module:
    """Files of the rules of scoring; the second count of random sessions is run for each but the files of others."""
    return Module(
        tuple(f"{RULES}/{file}.py" for file in files),
        (
            *(f"{SCORING}{name}.py" for name in tests.split()),
            *(f"{DIRECTOR}{name}.py" for name in director.split()),
        ),
        but,
    )


#: every file of the rules is in one of these
SCORING_RULES = {
    "points": rules(
        "points",
        "laws",
        "outcomes",
        "contract_notation",
        tests="laws facts slips outcomes boards recount",
    ),
    "fields": rules(
        *("comparing", "valuing", "methods/__init__", "methods/aggregate", "methods/butler"),
        *("methods/catalogue", "methods/comparison", "methods/cross_imps", "methods/matchpoints"),
        tests="boards fates datum facts rankings pairs_of_teams format leavers partners fines recount",
    ),
    "matches": rules(
        *(
            "match_scoring/matches",
            "match_scoring/match_results",
            "match_scoring/team_boards",
            "match_scoring/match_points",
            "match_scoring/missing_matches",
        ),
        *(
            "reports/pairs_in_teams",
            "match_scoring/standings",
            "scales/__init__",
            "scales/victory_points",
        ),
        tests="matches standings pairs_of_teams leavers fines facts scales format",
    ),
    "ranking": rules(
        *(
            "rankings/ranking",
            "rankings/tallies",
            "rankings/scores",
            "rounding",
            "rankings/masterpoints",
        ),
        *("reports/report", "reports/results", "reports/results_document"),
        tests="places rankings fines decisive format recount masterpoint_scales",
    ),
    "drawing": rules(
        *("draws/circle", "draws/drawing", "draws/knocking_out", "draws/stage"),
        tests="written_files matches one_draw who_goes_on drawing knockout_places drawing_live standings"
        " format",
        director="draw knockout",
    ),
    "documents": rules(
        *("document", "errors", "match_scoring/mismatch", "model", "profile", "reading", "score"),
        tests="written_files command facts format matches fines boards places standings rankings pairs_of_teams"
        " leavers scales laws match_rulings",
        but=("percentage_is_always",),
    ),
    "files": rules(
        *("files/__init__", "files/bridgewebs", "files/catalogue", "files/csv", "files/exported"),
        "files/lines",
        *("files/pbn", "files/terminals", "files/text", "files/usebio", "par"),
        tests="written_files terminals par",
        but=("1000_tables",),
    ),
    "past": rules(
        *(
            "past/__init__",
            "past/archive",
            "past/model",
            "past/opening",
            "past/packed",
            "past/pbn",
            "past/tables",
            "past/usebio",
        ),
        tests="written_files past_files",
    ),
}


def room(files: str, but: tuple[str, ...] = NOT_THE_TABLE, /, **tests: str) -> Module:
    """Files of a room, and by the folder of tests which of them know it."""
    return Module(
        tuple(f"bridgebuddy/{file}.py" for file in files.split()),
        tuple(f"tests/{there}/test_{part}.py" for there in tests for part in tests[there].split()),
        but,
    )


#: what changes results, and what tables do to them
OF_RESULTS = {
    "scoring/services": room(
        "scoring/services/* scoring/services/cards/* scoring/services/draws/*",
        scoring="services guards results rulings match_rulings drawing drawing_live deals dealing terminals"
        " rehearsing seated_by_ranking several_sessions classes solving files",
        director="extra_boards reminders home",
        table_phones="typed_cards",
    ),
    "table_phones/services": room(
        "table_phones/services/*",
        table_phones="services entering wrong_board letters left_boards desk rights kept"
        " around_the_round playing_director",
        publication="guards",
    ),
}

#: what has come since: who comes, seasons, what everybody reads
NEWEST = {
    "registration": room(
        "registration/* planning/* planning/rules/*",
        registration="reminding who_comes weeks chart prepared preparing door late owned",
        players="own_coming reminder_mail asked_mail unwanted",
        director="looking_back who_comes",
        publication="guards",
    ),
    "seasons/rules": room(
        "seasons/rules/*",
        (),
        seasons="rules season promotion handicaps teams luck rating pace expected odd_seasons"
        " reading possible",
    ),
    "seasons/services": room(
        "seasons/services/*",
        seasons="groups ledger rating rating_job handicaps teams championships categories",
        publication="guards",
    ),
    "publication": room(
        "publication/* publication/mails/* publication/imports/* publication/own/*",
        publication="what_is_written moving_in bounces moving_house nothing_early guards",
        players="own_page own_mails own_claim everybodys club_page results_by_mail reminder_mail",
        director="bridgewebs moving_in",
        printing="own_codes",
    ),
    "deals": room(  # but its solver, a program of its own
        "deals/verification_script deals/models deals/double_dummy deals/rules/*",
        ("prints_a_program",),  # it prints a file of ours, which has the mutants in it
        deals="making",
        scoring="deals dealing solving typed_hands files",
        printing="deals",
    ),
    "jobs": room("jobs/*", ("one_process_more",), jobs="jobs"),
}


def queries(where: str, files: str, **tests: str) -> Module:
    """Files that read what happened; by tests that go through many evenings for seconds each they are not tried."""
    but = ("what_decides_stands", "percentage_is_always")
    return room(" ".join(f"{where}/{file}" for file in files.split()), but, **tests)


#: what is read of an evening, and made of it
READING = {
    "scoring/evening": queries(
        "scoring",
        "snapshot/lines snapshot/play_snapshot snapshot/document snapshot/ruled snapshot/counted snapshot/earlier snapshot/session_snapshot results/scored snapshot/meetings checks/effects snapshot/kinds",
        scoring="told tonight twice several_sessions leavers partners fines classes decisive team_evenings",
        players="results kept_results",
    ),
    "scoring/draws": queries(
        "scoring",
        "draws/drawing snapshot/drawn_matches snapshot/drawn_rounds results/matches results/league draws/knockout snapshot/knocked_out draws/bracket results/team_sheets",
        scoring="told drawing one_draw knockout_places match_boards match_rulings",
        director="draw knockout matches matches_of_pairs other_cards extra_boards",
    ),
    "scoring/checks": queries(
        "scoring",
        "checks/result_checks checks/result_check checks/repeated_boards results/against_cards snapshot/departures",
        scoring="told doubts twice leaving solving",
        director="look_at this_round",
    ),
    "scoring/lists": queries(
        "scoring",
        "results/sheets results/barometer results/butler results/classes results/figures",
        scoring="told classes decisive leaving partners explaining match_boards",
        director="ranking boards teams_journey other_boards",
        players="room_ranking",
    ),
    "scoring/files": queries(
        "scoring",
        "files/exports files/terminals results/archived results/dealing snapshot/cards results/arriving_results",
        scoring="told files files_of_contests terminals dealing deals solving typed_hands",
        table_phones="typed_cards",
        director="bridgewebs this_round",
    ),
    "seasons/queries": queries(
        "seasons",
        "queries/*",
        seasons="from_elsewhere attendance championships handicaps groups teams members expected ledger luck"
        " slow_pairs rating rating_job odd_seasons",
        director="looking_back",
    ),
    "table_phones/queries": room(
        "table_phones/queries/* table_phones/access table_phones/pages/joining table_phones/secrets",
        (),
        table_phones="queries entering desk rights playing_director left_boards typed_cards around_the_round"
        " kept wrong_board evening",
    ),
}

#: table money, the guide to rulings, results as data
OF_THE_CLUB = {
    "money/rules": room("money/rules/*", (), money="currencies payments accounts"),
    "money/queries": room(
        "money/queries/* money/access money/words",
        (),
        money="payments accounts months limits pages open_list account_page door",
        players="member_home",
    ),
    "money/services": room(
        "money/services/* money/roster_changes",
        money="payments accounts limits door open_list account_page sums",
        publication="guards",
    ),
    # its subjects are data, made when they are loaded
    "rulings": room("rulings/guide", (), rulings="guide laws_in_docs", director="law_guide"),
    "players/api": room(
        "players/api/*", (), **{"players/api": "answers documents sheets_and_matches"}
    ),
}

MODULES = {
    "laws": Module(
        ("movements/engine/laws/*.py",),
        (
            "tests/engine/test_laws.py",
            "tests/engine/test_laws_boards.py",
            "tests/engine/test_laws_places.py",
            "tests/engine/test_laws_teams.py",
        ),
    ),
    **{f"changes/{name}": item for name, item in CHANGES.items()},
    **{f"services/{name}": item for name, item in SERVICES.items()},
    "access": Module(
        ("bridgebuddy/events/access.py", "bridgebuddy/players/access.py"),
        (
            "tests/events/test_access.py",
            "tests/players/test_code.py",
            "tests/players/test_sections.py",
            "tests/director/test_signing_in.py",
            "tests/security/test_codes.py",
            "tests/security/test_limits.py",
            "tests/test_numbers_in_hundreds.py",
        ),
        ("threads", "processes", "does_not_start"),
    ),
    **{f"scoring/{name}": item for name, item in SCORING_RULES.items()},
    **OF_RESULTS,
    **NEWEST,
    **READING,
    **OF_THE_CLUB,
    "rules": Module(("bridgebuddy/clubs/rules.py",), ("tests/events/test_access.py",)),
}
