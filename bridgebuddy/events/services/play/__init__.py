"""During play: rounds, plays, people at the tables, and live changes."""
