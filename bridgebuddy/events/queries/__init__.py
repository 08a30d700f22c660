"""Reading sessions: each question that two pages ask has its answer here, once."""
