"""The fairness of movements, and ways to improve it."""
