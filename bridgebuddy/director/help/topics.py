"""The help topics of the pages."""

from __future__ import annotations

from django.http import HttpRequest

#: each help topic: the names of its addresses; help can link to the first
PAGES: dict[str, tuple[str, ...]] = {
    "home": ("home", "event", "copy-session", "delete-session", "trial", "club-results"),
    "new-session": ("new-session", "edit-session"),
    "entries": (
        *("entries", "add-pair", "add-list", "take-list", "edit-pair", "seat", "strengths"),
        *("substitutes", "divide", "all-sections", "who-comes", "door-code"),
    ),
    "movement": (
        *("choose-movement", "choose-drawn", "match-boards", "arrow-switches"),
        *("import-movement", "own-movement", "use-movement", "draw"),
    ),
    "print": ("print", "print-preview"),
    "desk": ("desk", "history", "i-play", "section-clocks"),
    "law-guide": (
        *("guide-laws", "guide-law", "guide-law-board", "guide-laws-print"),
        *("help-laws", "help-law", "help-laws-print"),
    ),
    "change": ("change", "break", "line-up", "cross"),
    "results": ("results", "enter-result", "look-at"),
    "money": (
        *("money", "money-prices", "money-count", "money-sheet", "club-money", "money-month"),
        *("money-accounts", "money-account"),
    ),
    "slips": ("slips", "terminals"),
    "boards": ("boards", "board-results", "results-line", "score-sheet", "fouled-board"),
    "deals": ("deals", "type-cards"),
    "ranking": ("ranking", "hand-in", "classes", "butler", "matches", "match"),
    "looking-back": ("looking-back",),
    "phones": ("phones",),
    "players": (
        *("players", "new-player", "edit-player", "player-numbers", "merge-players"),
        *("anonymise-player", "attendance", "member-mails", "new-member-mail", "member-mail"),
    ),
    "season": (
        *("season", "new-championship", "championship", "championship-line"),
        *("championship-rules", "championship-evenings", "session-handicaps"),
        *("handicaps", "handicap-by-hand", "rating"),
        *("masterpoints", "ledger", "pace"),
    ),
    "settings": (
        *("club-settings", "club-paper", "club-privacy", "kept"),
        *("club-federation", "club-public"),
        *("security-log", "new-club", "delete-club"),
    ),
    "account": ("account",),
    "roles": ("members", "invite", "invite-on-paper"),
    "member": ("member-home", "join"),
    "library": ("library", "movement"),
    "published": (
        "public-results",
        "public-sheets",
        "public-sheet",
        "public-boards",
        "public-board",
        *("club-page", "club-players", "club-player", "club-year", "club-month"),
    ),
    "table": ("table", "table-join", "table-who", "table-coming", "table-pads"),
    "own-page": ("own-page", "own-coming", "own-come", "own-kept", "own-forget"),
}
OF = {name: topic for topic, names in PAGES.items() for name in names}
USUAL = "first-evening"


def topic_name(request: HttpRequest) -> str:
    """Return the name of the help topic for the page of a request."""
    match = request.resolver_match
    if match and match.url_name == "home" and not request.user.is_authenticated:
        return USUAL  # the first page, for strangers
    return OF.get(match.url_name or "", USUAL) if match else USUAL
