"""The director's desk: the page of the round in progress."""
