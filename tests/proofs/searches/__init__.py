"""The searches behind `table_phones/`: run by hand, each with a fixed seed, each printing what it found."""
