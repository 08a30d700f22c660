"""Literature on the fairness of movements: author and title, as published."""

#: the measure of the library follows Manning and Moore, Qf is the figure of BALANS
LITERATURE = (
    "J. Manning, “Competition, balance and arrow-switching”",
    "R. Moore, “Too many arrow-switches spoil the balance”",
    "P. Smulders, BALANS (Qf)",
    "I. McKinnon, “Bridge Directing Complete”",
    "Wikipedia, “Duplicate bridge movements”",
)
