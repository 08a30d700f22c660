"""HTML to PDF in a separate process, and the cache of printed sheets."""
