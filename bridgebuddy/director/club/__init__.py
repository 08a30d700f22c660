"""A club's settings, in groups that each fit on a screen."""
