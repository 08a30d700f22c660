"""Background jobs: rows that a process beside the server takes one after another."""
