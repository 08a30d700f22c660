"""What a USEBIO file may have in it, and in which order: as files of other programs have it (`data/usebio.toml`).

Nobody here has the DTD; whoever has fetched it finds `usebio_v1_2.dtd` named in every file.
"""

import re
import tomllib
from pathlib import Path

KNOWN = tomllib.loads((Path(__file__).parent / "data" / "usebio.toml").read_text("utf-8"))
VALUES = KNOWN.pop("values")


def problems_of(root, above=""):
    """What in a file is not as in those of other programs."""
    found = [] if not root.text or not root.text.strip() else fits(root)
    children = [one.tag for one in root]
    if children:
        order = KNOWN.get(f"{above}/{root.tag}", KNOWN.get(root.tag, []))
        pattern = "".join(part_of(one) for one in order)
        if not re.fullmatch(pattern, "".join(f"{one} " for one in children)):
            found.append(f"{above}/{root.tag}: {children}")
    return found + [one for child in root for one in problems_of(child, root.tag)]


def part_of(asked):
    names = "|".join(f"{one} " for one in asked.rstrip("?*").split("|"))
    return f"(?:{names}){asked[len(asked.rstrip('?*')) :]}"


def fits(one):
    allowed = VALUES.get(one.tag)
    is_known = allowed is None or any(re.fullmatch(value, one.text) for value in allowed)
    return [] if is_known else [f"{one.tag}: {one.text}"]
