"""Help: what a page is for, in a few lines, and everything that docs/ says, rendered and searched."""
