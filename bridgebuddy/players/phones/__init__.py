"""The plan of a contestant on their phone."""
