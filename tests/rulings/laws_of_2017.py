"""The divisions of the Laws of Duplicate Bridge 2017, as far as the guide may cite them.

Written from the Laws' table of contents and headings, apart from the guide: a number that the guide cites must
be among them. A line is a law; a letter with figures in brackets has these divisions, deeper ones follow a colon.
"""

from __future__ import annotations

import re

DIVISIONS = """
5 A B
7 A B1 B2 C D
8 A1 A2 B1 B2 C
9 A1 A2 A3 A4 A5 B1 B2 C
10 A B C1 C2 C3 C4
12 A1 A2 A3 B1 B2 C1(a) C1(b) C1(c) C1(d) C1(e) C2(a) C2(b) C2(c) C2(d) C3 C4
13 A1 A2 B1 B2 C D
14 A1 A2 A3 B1 B2 B3 B4 C
15 A1(a) A1(b) A1(c) A2 A3 B1 B2 B3
16 A1 A2 A3 A4 B1(a) B1(b) B2 B3 C1 C2 D1 D2(a) D2(b) D2(c) D2(d) D3
17 A B C D1 D2 D3 E1 E2
19 A1 A2 B1 B2 C D
20 F1 F2 F3 F4(a) F4(b) F5(a) F5(b) F6
21 A B1(a) B1(b) B2 B3
23 A1 A2 A3 B C
24 A B C D E
25 A1 A2 A3 A4 A5 A6 B1 B2 B3
26 A B
27 A1 A2 B1(a) B1(b) B2 B3 B4 C D
28 A B
29 A B C
30 A B1(a) B1(b)(i) B1(b)(ii) B2 C
31 A1 A2(a) A2(b) B1 B2 C
32 A1 A2(a) A2(b) B1 B2 C
33
34
35 A B C D
36 A B1 B2 B3 B4 C
41 A B C D
45 A B C1 C2 C3 C4(a) C4(b) C5 D1 D2 E1 E2 F
47 A B C D E1 E2(a) E2(b) F1 F2
48 A B1 B2
49
50 A B C D1(a) D1(b) D2(a) D2(b) E1 E2 E3
51 A B1(a) B1(b) B2(a) B2(b) B2(c)
52 A B1(a) B1(b) B1(c) B2
53 A B C
54 A B1 B2 C D E
55 A B1 B2 C
56
57 A1 A2 A3 A4 B C1 C2 C3 D
58 A B1 B2 B3 B4
59
61 A B1 B2 B3 C
62 A B1 B2 C1 C2 C3 D1 D2
63 A1 A2 A3 A4 B
64 A1 A2 B1 B2 B3 B4 B5 B6 B7 B8 C1 C2(a) C2(b)
67 A1 A2 B1(a) B1(b) B2(a) B2(b)
68 A B1 B2 C D1 D2(a) D2(b)(i) D2(b)(ii)
69 A B1 B2
70 A B1 B2 B3 C1 C2 C3 D1 D2 D3 E1 E2
71 A B
72 A B1 B2 B3 B4 C
73 A1 A2 B1 B2 C1 C2 D1 D2 E1 E2
75 A B1 B2 B3 C D1 D2 D3
79 A1 A2 B1 B2 B3 C1 C2
81 A B1 B2 C1 C2 C3 C4 C5 C6 C7 C8 D
82 A B1 B2 B3 C
83
85 A1 A2 B
86 A B1 B2 B3
90 A B1 B2 B3 B4 B5 B6 B7 B8
92 A B C D
"""
NUMBERS = range(1, 94)
STEP = re.compile(r"\(\w+\)|[A-Z]|\d+")


def citable_laws() -> set[str]:
    """Return every number that may be cited: each division, and each that contains it."""
    found = {str(number) for number in NUMBERS}
    for line in DIVISIONS.split("\n")[1:-1]:
        number, *divisions = line.split()
        for division in divisions:
            steps = STEP.findall(division)
            found |= {number + "".join(steps[:depth]) for depth in range(1, len(steps) + 1)}
    return found
