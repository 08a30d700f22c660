"""Proofs of the product outside of it: random evenings and contests, referees, recounts, searches."""
