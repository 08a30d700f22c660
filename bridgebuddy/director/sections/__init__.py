"""Several sections of one session: dividing the list, and one desk for all of them."""
