"""Invented pairs, for trying a club and a session."""

PAIRS = (
    ("Hanna Brandt", "Karl Fischer"),
    ("Margaret Hughes", "Peter Collins"),
    ("Ingrid Lehmann", "Klaus Richter"),
    ("David Turner", "Ruth Bennett"),
    ("Anne Miller", "Joachim Schmidt"),
    ("Monika Vogel", "Heinz Krause"),
    ("Susan Clarke", "John Whitfield"),
    ("Elisabeth Koch", "Dieter Sommer"),
    ("Barbara Neumann", "Jürgen Wolf"),
    ("Patricia Evans", "Michael Shaw"),
    ("Helga Zimmermann", "Ernst Bauer"),
    ("Christine Ward", "Alan Foster"),
    ("Gisela Hartmann", "Rolf Busch"),
    ("Janet Palmer", "Brian Cooper"),
    ("Ursula Seidel", "Manfred Otto"),
    ("Linda Harris", "Sean O'Neill"),
    ("Sabine Engel", "Thomas Reid"),
    ("Renate Jahn", "François Ebert"),
)
