"""Arrow-switches: choice and announcement."""
