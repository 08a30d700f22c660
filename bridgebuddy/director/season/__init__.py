"""The club's season: championships and handicaps, defined, read and explained."""
