"""Time of re-scoring: 40 tables × 30 boards by every method, and a quarter of it beside."""

from __future__ import annotations

import json
from random import Random
from time import process_time

from bridgebuddy.scoring.rules.points import possible_scores
from bridgebuddy.scoring.rules.score import score_document

METHODS = ("matchpoints", "cross-imps", "butler")


def evening(tables: int, boards: int) -> dict[str, object]:
    """Return the document of a Mitchell that all tables play, one board a round."""
    rng = Random(1)
    plays = [
        {
            "round": board,
            "table": table,
            "board": board,
            "ns": f"NS {table}",
            "ew": f"EW {(table + board) % tables + 1}",
            "outcome": {"score": rng.choice(sorted(possible_scores(board)))},
        }
        for board in range(1, boards + 1)
        for table in range(1, tables + 1)
    ]
    labels = [f"{line} {table}" for line in ("NS", "EW") for table in range(1, tables + 1)]
    contestants = [{"label": label, "field": label[:2]} for label in labels]
    return {"sections": [{"winners": 2}], "contestants": contestants, "plays": plays}


def seconds(document: dict[str, object]) -> float:
    """Return the CPU seconds of the quickest of five scorings."""
    text = json.dumps(document)
    found = []
    for _ in range(5):
        begin = process_time()
        score_document(text)
        found.append(process_time() - begin)
    return min(found)


def main() -> None:
    """Print the times, and how they grow."""
    for method in METHODS:
        large, small = (
            seconds(evening(tables, boards) | {"profile": {"method": method}})
            for tables, boards in ((40, 30), (20, 15))
        )
        print(f"{method:<12} 40 × 30: {1000 * large:5.0f} ms, {large / small:.1f} × 20 × 15")


if __name__ == "__main__":
    main()
