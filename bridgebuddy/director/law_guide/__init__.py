"""The guide to rulings at the table: its pages, and the way from an end to *Correct*."""
