"""Previews of rounds drawn from results, and the bracket of a knock-out."""
