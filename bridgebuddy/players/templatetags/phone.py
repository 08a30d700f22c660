"""Tags of the players' pages."""

from django import template

from .. import offline

register = template.Library()

register.simple_tag(offline.address, name="phone_file")
