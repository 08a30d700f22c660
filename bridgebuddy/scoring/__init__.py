"""Results: what came of the plays, and who has won."""
