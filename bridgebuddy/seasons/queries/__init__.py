"""What is asked of a season: the club’s final lists, its championships, handicaps and ratings."""
