"""The rules of a season: plain Python, exact fractions, no Django and no clock."""
