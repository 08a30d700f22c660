"""Allowed elements of a USEBIO file and their order, from files of other programs (`data/usebio.toml`).

The project does not have the DTD; every file names it as `usebio_v1_2.dtd`.
"""

import re
import tomllib
from collections import Counter
from pathlib import Path

KNOWN = tomllib.loads((Path(__file__).parent / "data" / "usebio.toml").read_text("utf-8"))
VALUES = KNOWN.pop("values")


def problems_of(root, above=""):
    """Return the differences of a file from those of other programs."""
    found = [] if not root.text or not root.text.strip() else fits(root)
    children = [item.tag for item in root]
    if children:
        order = KNOWN.get(f"{above}/{root.tag}", KNOWN.get(root.tag, []))
        pattern = "".join(part_of(item) for item in order)
        if not re.fullmatch(pattern, "".join(f"{child} " for child in children)):
            found.append(f"{above}/{root.tag}: {children}")
    return found + [problem for child in root for problem in problems_of(child, root.tag)]


def part_of(asked):
    names = "|".join(f"{part} " for part in asked.rstrip("?*").split("|"))
    return f"(?:{names}){asked[len(asked.rstrip('?*')) :]}"


def fits(one):
    allowed = VALUES.get(one.tag)
    is_known = allowed is None or any(re.fullmatch(value, one.text) for value in allowed)
    return [] if is_known else [f"{one.tag}: {one.text}"]


def scorecards_of(root):
    """Return how many lines each contestant's scorecard has, as public readers find them.

    They look for the sections of pairs in the session, for the boards of an individual in the event, and for the
    matches of any other event in the session; elsewhere they look for nothing.
    """
    event = root.find("EVENT")
    kind, session = event.get("EVENT_TYPE"), event.find("SESSION")
    if kind == "INDIVIDUAL":
        places, seats = [event], ("N_PLAYER", "S_PLAYER", "E_PLAYER", "W_PLAYER")
    elif kind == "PAIRS":
        places, seats = session.findall("SECTION"), ("NS_PAIR", "EW_PAIR")
    else:
        places, seats = session.findall("MATCH"), ("NS_PAIR", "EW_PAIR")
    return Counter(
        (place.get("SECTION_ID"), line.findtext(f"{seat}_NUMBER"))
        for place in places
        for board in place.findall("BOARD")
        for line in board.findall("TRAVELLER_LINE")
        for seat in seats
    )


def scores_of(root):
    """Return each contestant's place, percentage and total, as public readers find them."""
    event = root.find("EVENT")
    kind, session = event.get("EVENT_TYPE"), event.find("SESSION")
    if kind == "INDIVIDUAL":
        places, tag = [event], "PLAYER"
    elif kind == "PAIRS":
        places, tag = session.findall("SECTION"), "PAIR"
    else:
        places, tag = [session], "PAIR" if kind == "SWISS_PAIRS" else "TEAM"
    found = {}
    for place in places:
        for text in place.find("PARTICIPANTS").findall(tag):
            number = text.get("TEAM_ID") or text.findtext(f"{tag}_NUMBER")
            key = place.get("SECTION_ID"), number
            assert key not in found, f"{number} twice"
            found[key] = tuple(
                text.findtext(name) for name in ("PLACE", "PERCENTAGE", "TOTAL_SCORE")
            )
    return found


def hands_of(root):
    """Return how many boards have hands, as public readers find them: in the session, or beside the event."""
    sets = [*root.findall("HANDSET"), *root.findall("EVENT/SESSION/HANDSET")]
    return sum(len(text.findall("BOARD")) for text in sets)
