"""What a USEBIO file may have in it and in which order: as real files of clubs have it, element by element.

Nobody here has the DTD; whoever has fetched it finds `usebio_v1_2.dtd` named in every file. `?` may be missing,
`*` may come more than once, `+` comes at least once, `|` parts what stands for each other.
"""

import re
from xml.etree.ElementTree import Element

PLAYER = "PLAYER_NAME CLUB_ID_NUMBER? NATIONAL_ID_NUMBER?"
STANDING = "PERCENTAGE|TOTAL_SCORE"
LINE = (
    "DIRECTION? NS_PAIR_NUMBER? EW_PAIR_NUMBER? N_PLAYER_NUMBER? S_PLAYER_NUMBER? E_PLAYER_NUMBER?"
    " W_PLAYER_NUMBER? CONTRACT? PLAYED_BY? LEAD? TRICKS? SCORE NS_MATCH_POINTS? EW_MATCH_POINTS?"
    " NS_CROSS_IMP_POINTS? EW_CROSS_IMP_POINTS?"
)
#: by the element, and where it has several meanings by the one around it: what is in it
CHILDREN = {
    "USEBIO": "CLUB EVENT",
    "CLUB": "CLUB_NAME CLUB_ID_NUMBER?",
    "EVENT": (
        "PROGRAM_NAME PROGRAM_VERSION EVENT_DESCRIPTION DATE COUNTRY? BOARD_SCORING_METHOD"
        " MATCH_SCORING_METHOD? MASTER_POINT_SCALE? SESSION_COUNT SECTION_COUNT PAIRS? WINNER_TYPE?"
        " EW_PAIRS? BOARDS_PLAYED P2P_CHARGE_RATE? MPS_AWARDED_FLAG CONTACT? SCORING_METHOD?"
        " TEAM_PAIRING_AVAILABLE? PAIRWISE_SCORING_METHOD? SESSION+"
    ),
    "SESSION": "SECTION+",
    "SECTION": "PARTICIPANTS BOARD* MATCH* HANDSET?",
    "PARTICIPANTS": "PAIR* PLAYER* TEAM*",
    "PARTICIPANTS/PAIR": (
        f"PAIR_NUMBER DIRECTION? MASTER_POINTS? {STANDING}? PLACE? BOARDS_PLAYED? ADJUSTMENT? PLAYER+"
    ),
    "PARTICIPANTS/PLAYER": (
        f"PLAYER_NUMBER {PLAYER} {STANDING}? PLACE? BOARDS_PLAYED? ADJUSTMENT?"
    ),
    "PARTICIPANTS/TEAM": f"{STANDING}? WINS_OR_DRAWS? PLACE? MASTER_POINTS? ADJUSTMENT? PAIR* PLAYER*",
    "TEAM/PAIR": "PAIR_NUMBER BOARDS_PLAYED PAIR_IMPS PLAYER+",
    "PLAYER": PLAYER,
    "BOARD": "BOARD_NUMBER IMPS? TEAM_POINTS? OPPOSING_TEAM_POINTS? TRAVELLER_LINE*",
    "TRAVELLER_LINE": LINE,
    "MATCH": (
        "ROUND_NUMBER TEAM? OPPOSING_TEAM? NS_PAIR_NUMBER? EW_PAIR_NUMBER? START_BOARD_NUMBER?"
        " END_BOARD_NUMBER? TEAM_SCORE? OPPOSING_TEAM_SCORE? NS_SCORE? EW_SCORE?"
        " NS_VICTORY_POINTS? EW_VICTORY_POINTS? BOARD*"
    ),
    "HANDSET": "BOARD+",
    "HANDSET/BOARD": "BOARD_NUMBER HAND HAND HAND HAND",
    "HAND": "DIRECTION SPADES HEARTS DIAMONDS CLUBS",
}
#: what stands in an element that has none in it
TEXTS = {
    "DATE": r"\d\d/\d\d/\d{4}",
    "PERCENTAGE": r"\d{1,3}\.\d\d",
    "PLACE": r"\d+=?",
    "MPS_AWARDED_FLAG": "[YN]",
    "WINNER_TYPE": "[12]",
    "CONTRACT": r"[1-7](NT|[CDHS])x{0,2}|PASS",
    "PLAYED_BY": "[NESW]",
    "LEAD": r"[SHDC](10|[2-9AKQJ])",
    "SCORE": r"-?\d+|A\d{4}",
    "BOARD_SCORING_METHOD": "MATCH_POINTS|CROSS_IMPS|BUTLER_IMPS|IMPS|PAB|BAM|AGGREGATE",
    "MATCH_SCORING_METHOD": "VPS|PAB|BAM",
}
ATTRIBUTES = {
    "USEBIO": {"Version"},
    "EVENT": {"EVENT_TYPE"},
    "SESSION": {"SESSION_ID"},
    "SECTION": {"SECTION_ID"},
    "PARTICIPANTS/TEAM": {"TEAM_ID", "TEAM_NAME"},
    "HANDSET": {"HANDSET_ID"},
}


def problems(root: Element) -> list[str]:
    """Return what is not as it should be, with where it is."""
    return list(_problems(root, ""))


def _problems(element: Element, parent: str):
    tag = element.tag
    if set(element.attrib) != ATTRIBUTES.get(f"{parent}/{tag}", ATTRIBUTES.get(tag, set())):
        yield f"{parent}/{tag}: attributes {sorted(element.attrib)}"
    rule = CHILDREN.get(f"{parent}/{tag}", CHILDREN.get(tag))
    if rule is None:
        if len(element):
            yield f"{parent}/{tag}: has elements"
        elif not re.fullmatch(TEXTS.get(tag, "(?s).+"), element.text or ""):
            yield f"{parent}/{tag}: {element.text!r}"
        return
    if not re.fullmatch(_pattern(rule), "".join(f"<{one.tag}>" for one in element)):
        yield f"{parent}/{tag}: {[one.tag for one in element]}"
    for one in element:
        yield from _problems(one, tag)


def _pattern(rule: str) -> str:
    parts = []
    for word in rule.split():
        how = word[-1] if word[-1] in "?*+" else ""
        names = word.removesuffix(how) if how else word
        parts.append(f"({'|'.join(f'<{name}>' for name in names.split('|'))}){how}")
    return "".join(parts)
