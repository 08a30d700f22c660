"""Does a test fail when the code is wrong? `make mutants` breaks it in thousands of places and looks."""
