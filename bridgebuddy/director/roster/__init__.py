"""The club's players: found, put right, and made one where they were two."""
