"""What the public pages show, as JSON: results, boards, championships and a club's list of results."""
