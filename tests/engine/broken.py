"""A movement for every law that breaks it and no other one, in the form of a file."""

from movements.engine.declarations import Stand
from movements.engine.model import Movement
from tests.engine.written import absent, evening, numbered

BROKEN: dict[str, Movement] = {
    "structure": evening("1-2:A 3-4:B", "2=1-3:C"),
    "field": evening("1-2:A 3-4:B", fields=(numbered(5),)),
    "present": evening("1-2:A 3-4:B", exemptions=(absent(3, rounds=(1,)),)),
    "draw": evening("1-2: 3-4:", "1-3: 2-4:", contest="teams"),
    "one-place": evening("1-2:A 3-1:B"),
    "board-once": evening("1-2:A 3-4:B", "1-3:A 2-4:C"),
    "copies": evening("1-2:A 3-4:A"),
    "stands": evening("1-2:A 3-4:B", stands=(Stand(1, 1, ("B",)),)),
    "no-self": evening("1-1:A 2-3:B 3-2:B", contest="teams", copies=2),
    "full-match": evening("1-2:A 2-1:B", contest="teams"),
    "meet-once": evening("1-2:A 3-4:B", "1-2:C 3-4:D"),
    "unequal-plays": evening("1-2:A 3-4:B", sets=("A", "B", "C")),
}
