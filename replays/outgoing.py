"""Requests to addresses that a club named: to nowhere inside, and never somewhere else.

A name is resolved once; what it says is checked and connected to, so that an answer that
changes between check and connection gains nothing. Redirects are not followed.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests_hardened.ip_filter import EXTRA_BLOCKED_NET_RANGES, InvalidIPAddress
from requests_hardened.ip_filter_adapter import IPFilterAdapter

# To connect, and between two bytes of the answer (seconds).
TIMEOUT = (10, 20)
_MOST_ADDRESS = 2000
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
_AGENT = "rummy-audit-webhooks/1"


class AddressError(ValueError):
    """An address that nothing is sent to; the message says what is expected instead."""


def check_address(address: str, *, private: bool) -> None:
    """Refuse an address that can be told to be wrong without asking for its host.

    ``private``: this installation sends to its own network too. Raises AddressError.
    """
    if not address.isascii() or not address.isprintable() or " " in address or "\\" in address:
        raise AddressError("an address of plain ASCII characters without spaces and backslashes")
    if len(address) > _MOST_ADDRESS:
        raise AddressError(f"an address of at most {_MOST_ADDRESS} characters")
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        raise AddressError("an address like https://example.org/hooks") from None
    if parts.scheme not in (("https", "http") if private else ("https",)):
        raise AddressError("an address that begins with https://")
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise AddressError("an address without a name or password in it")
    if parts.fragment or "#" in address:
        raise AddressError("an address without #")
    if "%" in parts.netloc:
        raise AddressError("a host without %")
    if (literal := _literal(host)) is not None:
        if not private and not _is_public(literal):
            raise AddressError("an address that the whole internet can reach")
    elif not _HOST.fullmatch(host) or _is_number(host):
        raise AddressError("the name of a host")
    elif not private and ("." not in host.strip(".") or _is_local(host)):
        raise AddressError("the name of a host that the whole internet can reach")


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_number(host: str) -> bool:
    """Whether a host would be read as a number in another dress: 127.1, 0x7f000001, 0177.0.0.1."""
    last = host.rstrip(".").rpartition(".")[2].lower()
    return last.isdigit() or bool(re.fullmatch(r"0x[0-9a-f]*", last))


def _is_local(host: str) -> bool:
    ends = (
        ".localhost",
        ".localdomain",
        ".local",
        ".internal",
        ".intranet",
        ".lan",
        ".home",
        ".home.arpa",
    )
    return f".{host.lower().rstrip('.')}".endswith(ends)


def _is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address, or the one that it carries, is for everybody."""
    if any(address in each for each in EXTRA_BLOCKED_NET_RANGES):
        return False
    if isinstance(address, ipaddress.IPv6Address):
        carried = address.ipv4_mapped or address.sixtofour
        if carried is not None or address.teredo is not None:
            return False
        # What is routed lies here; all else is local, of old forms or not given out.
        return address in ipaddress.ip_network("2000::/3") and address.is_global
    return address.is_global and not address.is_multicast


class _PublicOnly(IPFilterAdapter):
    """Resolves a host once, refuses what is not public, and connects to just that address."""

    def build_connection_pool_key_attributes(self, *args: Any, **words: Any) -> Any:
        host, pool = super().build_connection_pool_key_attributes(*args, **words)
        address = ipaddress.ip_address(host["host"].strip("[]"))
        if not _is_public(address):
            raise InvalidIPAddress(address)
        return host, pool


def session(*, private: bool) -> requests.Session:
    """Return a session that goes to public addresses only, unless ``private``."""
    made = requests.Session()
    # No proxy, no password file, no certificates from the surroundings.
    made.trust_env = False
    made.headers.clear()
    for scheme, secure in (("https://", True), ("http://", False)):
        made.mount(scheme, HTTPAdapter() if private else _PublicOnly(is_https_proto=secure))
    return made


def post(
    through: requests.Session, address: str, body: bytes, headers: dict[str, str], *, private: bool
) -> requests.Response:
    """Send a body; return the answer, its own body unread.

    Raises AddressError, and ``requests.RequestException`` where nothing answers.
    """
    check_address(address, private=private)
    headers = {"User-Agent": _AGENT, "Content-Type": "application/json", **headers}
    try:
        answer = through.post(
            address,
            data=body,
            headers=headers,
            timeout=TIMEOUT,
            allow_redirects=False,
            stream=True,
        )
    except InvalidIPAddress:
        raise AddressError("a host that the whole internet can reach") from None
    answer.close()
    return answer
