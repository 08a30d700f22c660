"""The template tag that links a page to its help."""

from django import template
from django.template import Context
from django.urls import reverse

from bridgebuddy.director.help.topics import topic_name

register = template.Library()


@register.simple_tag(takes_context=True)
def help_address(context: Context) -> str:
    """Template tag: the address of the help for the current page."""
    return reverse("help-topic", args=[topic_name(context["request"])])
