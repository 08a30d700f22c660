"""A template that asks an object of ours for a name that it does not have is noticed."""

import pytest
from django.template import Context, Template

from bridgebuddy.rulings.guide import GuideLine

from .template_names import UnknownName

ROW = GuideLine("x", "27A")


@pytest.mark.parametrize(
    "text",
    ["{{ row.nothing }}", "{% if row.nothing %}x{% endif %}", "{% for x in row.a %}{% endfor %}"],
)
def test_an_unknown_name_of_an_object_of_ours_fails(text):
    with pytest.raises(UnknownName, match="GuideLine has no"):
        Template(text).render(Context({"row": ROW}))


@pytest.mark.parametrize(
    "text", ["{{ nothing }}", "{{ word.nothing }}", "{{ data.nothing }}", "{{ row.numbers.5 }}"]
)
def test_other_missing_names_are_empty_as_ever(text):
    assert Template(text).render(Context({"row": ROW, "word": "a", "data": {}})) == ""
