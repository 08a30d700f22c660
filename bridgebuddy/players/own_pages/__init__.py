"""A player's own page: access, registration, e-mail address, and a member's home page."""
