"""The page of the user's own account."""
