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


def services(
    *files: str,
    events: str = "",
    director: str = "",
    security: str = "",
    scoring: str = "",
    coming: str = "",
) -> Module:
    """Files of services; besides their own tests, the tables over all services are run."""
    return Module(
        tuple(f"bridgebuddy/events/services/{file}.py" for file in files),
        (
            *(f"{EVENTS}{name}.py" for name in (*events.split(), *ALL_SERVICES)),
            *(f"{DIRECTOR}{name}.py" for name in director.split()),
            *(f"{SECURITY}{name}.py" for name in security.split()),
            *(f"{SCORING}{name}.py" for name in scoring.split()),
            *(f"tests/coming/test_{name}.py" for name in coming.split()),
        ),
        ("every_service_is_in_the_table",),  # it would find the mutants, which are functions too
    )


SERVICES = {
    "rounds": services("rounds", "locking", "noting", events="rounds sections clock"),
    "plays": services(
        *("plays", "line_up"),
        events="plays line_up open_rounds live_changes turning_back",
        director="six_players extra_boards",
        scoring="drawing_live",
    ),
    "people": services(
        "people", events="plays entries line_up", director="substitutes other_clubs six_players"
    ),
    "roster": services(
        *("roster", "showing", "codes"),
        events="roster showing one_section forgetting",
        director="players",
        security="codes",
    ),
    "entries": services(
        "entries",
        "sessions",
        events="entries names at_once one_section",
        director="sessions other_clubs",
    ),
    "sections": services("sections", "deals", events="sections one_section"),
    "deletions": services(
        "deletions", "stored_movements", events="deletions stored_movements copies_of_sessions"
    ),
    "forgetting": services("forgetting", "names_on_record", events="forgetting"),
    "copies": services(
        *("copies_of_sessions", "trials"),
        events="copies_of_sessions",
        scoring="rehearsing seated_by_ranking several_sessions",
    ),
    "movement": services(
        *("movement", "own_movements", "prepared", "seats", "switches"),
        events="entries free_seats stored_movements calls turns",
        director="own_movements strengths switches changes_switched",
        scoring="drawing",
        coming="prepared",
    ),
    "changes": services(
        *("changes", "change_facts", "change_seats", "searches"),
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
    "happened": changes("happened", "pieces", tests="changes_mistakes"),
    "proposal": changes(
        *("__init__", "change", "proposal", "numbering"),
        tests="changes_departure changes_mistakes changes_plan changes_seats",
    ),
    "plan": changes("length", "lines", "rings", "seats", tests="changes_plan changes_seats"),
    "arrival": changes(
        *("arrival", "newcomer", "appendix", "party", "rovers", "tables"),
        tests="changes_arrival changes_appendix",
        but=("the_referee_finds", "longest_evenings", "forty_tables", "no_appendix_is_offered"),
    ),
    "choosing": changes("layouts", "least_harm", tests="layouts least_harm"),
    "rebuild": changes("rebuild", tests="changes_rebuild"),
}

RULES = "bridgebuddy/scoring/rules"


def rules(*files: str, tests: str, but: tuple[str, ...] = ()) -> Module:
    """Files of the rules of scoring; the second count of random sessions is run for each but the files of others."""
    return Module(
        tuple(f"{RULES}/{file}.py" for file in files),
        tuple(f"{SCORING}{name}.py" for name in tests.split()),
        but,
    )


#: every file of the rules is in one of these
SCORING_RULES = {
    "points": rules(
        "points", "laws", "outcomes", "slips", tests="laws facts slips outcomes boards recount"
    ),
    "fields": rules(
        *("comparing", "valuing", "methods/__init__", "methods/aggregate", "methods/butler"),
        *("methods/catalogue", "methods/comparison", "methods/cross_imps", "methods/matchpoints"),
        tests="boards fates datum facts rankings pairs_of_teams format leavers partners fines recount",
    ),
    "matches": rules(
        *("matches", "match_results", "team_boards", "match_points", "missing_matches"),
        *("pairs_in_teams", "standings", "scales/__init__", "scales/victory_points"),
        tests="matches standings pairs_of_teams leavers fines facts scales format",
    ),
    "ranking": rules(
        *("ranking", "tallies", "scores", "rounding", "masterpoints"),
        *("report", "results", "written"),
        tests="places rankings fines decisive format recount masterpoint_scales",
    ),
    "drawing": rules(
        "drawing", "knocking_out", "stage", tests="matches one_draw drawing knockout_places"
    ),
    "documents": rules(
        *("document", "errors", "mismatch", "model", "profile", "reading", "score"),
        tests="format command facts",
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

#: every service of the rooms above results
GUARDS = "tests/publication/test_guards.py"
#: what changes results, and what tables do to them
OF_RESULTS = {
    "scoring/services": Module(
        ("bridgebuddy/scoring/services/*.py",),
        tuple(
            f"{SCORING}{name}.py"
            for name in (
                *("guards", "results", "rulings", "match_rulings", "drawing", "drawing_live"),
                *("deals", "terminals", "rehearsing", "seated_by_ranking", "several_sessions"),
            )
        ),
        ("every_service_is_in_the_table",),
    ),
    "tables/services": Module(
        ("bridgebuddy/tables/services/*.py",),
        (
            *(f"tests/tables/test_{name}.py" for name in ("services", "entering", "wrong_board")),
            *(f"tests/tables/test_{name}.py" for name in ("letters", "left_boards", "desk")),
            GUARDS,
        ),
        ("every_service_is_in_the_table",),
    ),
}

#: what has come since: who comes, seasons, what everybody reads
NEWEST = {
    "coming": Module(
        ("bridgebuddy/coming/*.py", "bridgebuddy/coming/rules/*.py"),
        (
            *(
                f"tests/coming/test_{name}.py"
                for name in ("who_comes", "weeks", "chart", "prepared")
            ),
            GUARDS,
        ),
        ("every_service_is_in_the_table",),
    ),
    "seasons/rules": Module(
        ("bridgebuddy/seasons/rules/*.py",),
        tuple(
            f"tests/seasons/test_{name}.py"
            for name in (
                *("rules", "promotion", "handicaps", "teams", "luck", "rating"),
                *("pace", "expected"),
            )
        ),
    ),
    "seasons/services": Module(
        ("bridgebuddy/seasons/services/*.py",),
        (*(f"tests/seasons/test_{name}.py" for name in ("groups", "ledger", "rating")), GUARDS),
        ("every_service_is_in_the_table",),
    ),
    "publication": Module(
        ("bridgebuddy/publication/*.py", "bridgebuddy/publication/own/*.py"),
        ("tests/publication/test_moving_in.py", "tests/players/test_own_page.py", GUARDS),
        ("every_service_is_in_the_table",),
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
    **{f"changes/{name}": one for name, one in CHANGES.items()},
    **{f"services/{name}": one for name, one in SERVICES.items()},
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
    **{f"scoring/{name}": one for name, one in SCORING_RULES.items()},
    **OF_RESULTS,
    **NEWEST,
    "rules": Module(("bridgebuddy/clubs/rules.py",), ("tests/events/test_access.py",)),
}
