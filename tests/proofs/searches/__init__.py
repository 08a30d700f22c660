"""The searches behind `tables/`: run by hand, each with a fixed seed, each printing what it found."""
