"""The club's own network: under which addresses this machine is found there."""

from __future__ import annotations

import fcntl
import io
import ipaddress
import socket
import struct
from collections.abc import Iterator

import segno

# Linux: ask an interface for its IPv4 address; the answer holds it at these bytes.
_SIOCGIFADDR = 0x8915
_AT = slice(20, 24)
# Somewhere on the usual private networks. Nothing is sent: the system only says which of its
# own addresses it would send from.
_SOMEWHERE = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "192.0.2.1")


def addresses() -> list[str]:
    """Return this machine's IPv4 addresses on its networks, the likeliest first."""
    found = dict.fromkeys([*_routed(), *_of_interfaces()])
    return [each for each in found if not ipaddress.ip_address(each).is_loopback]


def _routed() -> Iterator[str]:
    for target in _SOMEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
            except OSError:
                continue  # no way there: a network without a router
            yield probe.getsockname()[0]


def _of_interfaces() -> Iterator[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _number, name in socket.if_nameindex():
            question = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, question)
            except OSError:
                continue  # it has no address, or this system is asked otherwise
            yield socket.inet_ntoa(answer[_AT])


def qr_for_terminal(address: str) -> str:
    """Return the QR code of an address, to be written to a terminal."""
    out = io.StringIO()
    segno.make(address, error="l").terminal(out, border=2, compact=True)
    return out.getvalue()
