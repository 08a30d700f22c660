"""Reading markup whichever way a template lays it out."""

import re

from django.http import HttpResponse


def markup(response: HttpResponse) -> str:
    """Return a page's markup in one form: one space where there is any, none beside a tag.

    >>> markup(HttpResponse('<p\\n  class="note"\\n>\\n  Round 1\\n  of <b>7</b>\\n</p>'))
    '<p class="note">Round 1 of<b>7</b></p>'
    """
    text = re.sub(r"\s+", " ", response.content.decode())
    return re.sub(r" ?(<[^>]*?) ?(/?>) ?", r"\1\2", text).strip()


def words(response: HttpResponse) -> str:
    """Return the words of a page, without its markup.

    >>> words(HttpResponse('<p>Round 1\\n of <b>7</b></p>'))
    ' Round 1 of 7 '
    """
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def has_open_fold(response: HttpResponse, fold: str) -> bool:
    """Return whether a page shows a fold open.

    >>> has_open_fold(HttpResponse('<details class="fold" id="delete" open><summary>Delete</summary>'), "delete")
    True
    """
    return any(
        f'id="{fold}"' in tag and tag.endswith(" open>")
        for tag in re.findall(r"<details[^>]*>", markup(response))
    )
