"""Parts of every page and every request."""
