"""Arrow-switches to choose and to announce."""
