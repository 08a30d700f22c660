"""Export formats of results, one for each file. Plain Python, like all the rules."""
