"""Search the round robins of an odd number of teams in which one team is in every triangle.

    python -m tests.proofs.searches.team_triangles > movements/engine/tables/team_triangles.toml

Team 1 plays a triangle with one couple of teams after the other, two rounds each; meanwhile the
others play head to head. So every team but team 1 must meet all but its own couple, in rounds that
leave out one couple twice. Put all couples but the last on a circle of 2u places, partners opposite
each other, and the last couple beside it. One round turned step by step round the circle gives all
rounds in which a couple of the circle is missing, provided its matches span every distance on the
circle but two once: the couples' own, u, and 1, which is left for the two rounds in which the last
couple is in the triangle and neighbours meet. `starter` finds such a round.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

SEED = 1
MOST_TEAMS = 59


def starter(half: int, rng: Random) -> list[tuple[int, int]]:
    """Return matches on a circle of 2·`half` places that span each distance 2 … half-1 once.

    No place plays twice, and the places 0 and `half` do not play. Found by climbing: an unused
    distance is laid from a place without a match, and a match in its way is taken up again.
    """
    places = 2 * half
    free = [place for place in range(places) if place % half]
    unused = list(range(2, half))
    opponent: dict[int, int] = {}
    while unused:
        distance = unused.pop(rng.randrange(len(unused)))
        first = rng.choice([place for place in free if place not in opponent])
        second = (first + rng.choice((distance, -distance))) % places
        if not second % half:
            unused.append(distance)
            continue
        if second in opponent:
            third = opponent.pop(second)
            del opponent[third]
            unused.append(_distance(second, third, places))
        opponent[first], opponent[second] = second, first
    return sorted((a, b) for a, b in opponent.items() if a < b)


def _distance(a: int, b: int, places: int) -> int:
    return min((a - b) % places, (b - a) % places)


def table() -> dict[str, list[dict[str, Any]]]:
    """Return the table: one starter for each odd number of teams that is not printed."""
    return {
        "starter": [
            {
                "teams": teams,
                "matches": " ".join(f"{a}-{b}" for a, b in starter((teams - 3) // 2, Random(SEED))),
            }
            for teams in range(15, MOST_TEAMS + 1, 2)
        ]
    }


def main() -> None:
    """Print the table as TOML."""
    out = [
        "# Round robins of an odd number of teams with one team in every triangle: for each number",
        "# of teams one round on the circle, which turned step by step gives the others.",
        "# Found by search, not published: python -m tests.proofs.searches.team_triangles",
    ]
    for item in table()["starter"]:
        out += ["", "[[starter]]", f"teams = {item['teams']}", f'matches = "{item["matches"]}"']
    sys.stdout.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
