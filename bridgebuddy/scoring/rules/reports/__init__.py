"""The results of a session as values and as a document."""
