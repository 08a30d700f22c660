"""The next round of a Swiss or a knock-out."""
