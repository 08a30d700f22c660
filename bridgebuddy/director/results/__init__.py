"""The Results tab: results of boards, doubtful results and the ranking."""
