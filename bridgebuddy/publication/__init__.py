"""What everybody reads of a club: its page, its archive, its feed; and where its results are handed in."""
