"""Before the first card: what a club plays with so many pairs."""
