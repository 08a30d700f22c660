"""Sessions and sections of a club: lists, shared stands and strength."""
