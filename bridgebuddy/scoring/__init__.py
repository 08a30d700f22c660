"""Results: the outcomes of plays, and the rankings."""
