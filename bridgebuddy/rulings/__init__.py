"""A guide to rulings at the table: questions, answers and what to say, by the Laws of 2017."""
