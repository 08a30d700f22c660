"""Results as other programs read them: one format a file. Plain Python, like all the rules."""
