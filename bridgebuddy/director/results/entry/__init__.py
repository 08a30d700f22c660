"""Entry of results: by keys, by slips, and from terminals."""
