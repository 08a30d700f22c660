"""Before the start: entries, movement, boards and seats."""
