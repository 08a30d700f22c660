"""Pages of a series and of the coming weeks."""
