"""The tab Results: what came of the boards, what looks wrong, and who has won."""
