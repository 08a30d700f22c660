"""The rules of the cards: plain Python, no Django, no clock and no unseeded random numbers."""
