"""Charts, equipment, calendar and prepared starts of a club."""
