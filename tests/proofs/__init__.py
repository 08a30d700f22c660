"""What proves the product and is no part of it: evenings and contests by chance, referees, recounts, searches."""
