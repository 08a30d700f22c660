"""What is done after an answer: rows that a process beside the server takes, one after the other."""
