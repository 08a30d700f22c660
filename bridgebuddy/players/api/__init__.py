"""The public pages as JSON: results, boards, championships and a club's list of results."""
