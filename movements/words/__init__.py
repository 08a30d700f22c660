"""The engine's facts in the reader's language."""
