"""Addresses of what the API tells of: looked up in the list of routes once, not for each row."""

from functools import cache

from django.urls import get_script_prefix, reverse

# Of the kind that public ids are: it stands in an address as it is.
_PLACE = "0public0id0"


def address_of(name: str, public_id: str) -> str:
    """Return the address of a route with one public id in it, as ``reverse`` does.

    >>> address_of("api:hand", "2345bcdfghjkmnpq")
    '/api/v1/hands/2345bcdfghjkmnpq'
    """
    before, after = _around(name, get_script_prefix())
    return f"{before}{public_id}{after}"


@cache
def _around(name: str, _prefix: str) -> tuple[str, str]:
    before, _place, after = reverse(name, args=[_PLACE]).partition(_PLACE)
    return before, after
