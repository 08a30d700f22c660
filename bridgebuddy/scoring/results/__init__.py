"""Results for pages and paper: rankings, matches and score sheets."""
