"""Run the unit tests of the phone's scripts in Node, which need no browser and no server."""

import json
import os
import shutil
import subprocess
from itertools import product
from pathlib import Path

from bridgebuddy.scoring.rules.model import Contract
from bridgebuddy.scoring.rules.points import STRAINS, declarers_score

HERE = Path(__file__).parent


def expected_scores() -> list[list]:
    """Return the server's score of every contract, doubling, vulnerability and number of tricks."""
    rows = []
    for level, strain, doubled, vulnerable, tricks in product(
        range(1, 8), STRAINS, range(3), (False, True), range(14)
    ):
        score = declarers_score(Contract(level, strain, doubled), tricks, vulnerable=vulnerable)
        name = "NT" if strain == "N" else strain
        rows.append([level, name, "x" * doubled, vulnerable, tricks, score])
    return rows


def test_the_phones_scripts_decide_as_their_unit_tests_say(tmp_path):
    """One run for all files: Node takes as long to start as it takes to test them."""
    scores = tmp_path / "scores.json"
    scores.write_text(json.dumps(expected_scores()), encoding="utf-8")
    node = shutil.which("node")
    assert node, "Node is missing: apt-get install nodejs"

    done = subprocess.run(
        [node, "--test", *sorted(map(str, HERE.glob("*.test.mjs")))],
        env={**os.environ, "SCORES": str(scores), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
