"""The club's season: championships and handicaps."""
