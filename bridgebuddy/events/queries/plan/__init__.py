"""The plan of a session: seats, boards, moves and announcements of all rounds."""
