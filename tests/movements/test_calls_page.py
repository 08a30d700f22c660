"""The table of docs/dev/calls.md agrees with a new reading of the calls."""

import pytest

from movements.engine import catalogue

from .reading import everything

#: families whose calls are all read in some seconds
QUICK = ("head-to-head", "scissors-howell", "extended-hesitation", "shomate", "rematch-howell")


@pytest.mark.parametrize("family", QUICK)
def test_a_row_of_the_page_is_what_reading_the_family_comes_to(family):
    row = everything.read(catalogue.find_family(family)).row(family)

    assert everything.written_rows()[family] == row


def test_the_page_has_its_rows_in_order_and_sums_them_up():
    rows = everything.written_rows()
    page = everything.PAGE.read_text().split(everything.TABLE)[1].strip()

    assert page == everything.table_of(rows)
    assert rows.keys() <= {family.name for family in catalogue.FAMILIES}
    assert len(rows) > 35


def test_the_row_of_all_sums_counts_and_weights_shares_by_calls():
    rows = [
        "| web | 300 | 2,000 | 0 | 33 | 40 | 0 % | 2 % |",
        "| awl | 100 | 500 | 1 | 9 | 12 | 8 % | 0 % |",
    ]

    assert everything.row_of_all(rows) == "| **all** | 400 | 2,500 | 1 | 33 | 40 | 2 % | 2 % |"
