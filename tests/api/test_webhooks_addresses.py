"""Webhooks go to nowhere inside: reliability.md, row 24."""

import ipaddress
import socket
import threading
from contextlib import suppress

import pytest
import requests

from replays import outgoing, webhooks
from replays.outgoing import AddressError
from replays.webhooks import WebhookError

# Everything that means this machine or its surroundings, in all the dresses that are known;
# {port} is where somebody listens and counts.
INSIDE = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "0",
    "0.0.0.0",
    "00",
    "0x0",
    "2130706433",
    "017700000001",
    "0x7f000001",
    "0x7F000001",
    "0x7f.1",
    "0x7f.0x0.0x0.0x1",
    "0177.0.0.1",
    "0177.0.0.01",
    "127.0.0.1%20",
    "127.0.0.1%00",
    "%31%32%37.0.0.1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "localhost.localdomain",
    "some.localhost",
    "ip6-localhost",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[0000::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fe80::1%25lo]",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[ff02::1]",
    "[fec0::1]",
    "[100::1]",
    "[2001:db8::1]",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "169.254.1.1",
    "100.64.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "192.88.99.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "printer",
    "db.internal",
    "nas.local",
    "metadata.google.internal",
    "example.org@127.0.0.1",
    "user:password@127.0.0.1",
    "127.0.0.1\\@example.org",
    "127.0.0.1#@example.org",
    "example.org:80@localhost",
]
# What a resolver may answer for a name that looks like anybody's.
ANSWERS = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "169.254.169.254",
    "192.168.0.10",
    "100.100.100.200",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fd00::1",
    "fe80::1",
]


@pytest.fixture(scope="module")
def listener():
    """Somebody who listens on this machine, in both families, and counts who connects."""
    counted, stop, threads = [], threading.Event(), []
    first = socket.create_server(("127.0.0.1", 0))
    servers = [first]
    port = first.getsockname()[1]
    with suppress(OSError):  # a machine without IPv6
        servers.append(socket.create_server(("::1", port), family=socket.AF_INET6))

    def listen(server):
        server.settimeout(0.05)
        while not stop.is_set():
            try:
                connection, _address = server.accept()
            except TimeoutError:
                continue
            counted.append(connection.getsockname())
            connection.close()

    for server in servers:
        threads.append(threading.Thread(target=listen, args=(server,)))
        threads[-1].start()
    yield port, counted
    stop.set()
    for thread in threads:
        thread.join()
    for server in servers:
        server.close()


@pytest.fixture
def connects(monkeypatch):
    """Where sockets connect to; nothing outside this machine is reached by a test."""
    went, real = [], socket.socket.connect

    def connect(self, address):
        went.append(address[0])
        ip = ipaddress.ip_address(address[0].partition("%")[0])
        if not ip.is_loopback and not ip.is_unspecified:
            raise ConnectionRefusedError("not from a test")
        return real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    return went


def resolver(monkeypatch, answers):
    """Answer for names of example.org, one answer after the other; the last one goes on."""
    asked, real = [], socket.getaddrinfo

    def resolve(host, port, *args, **words):
        if host is None or not str(host).endswith("example.org"):
            return real(host, port, *args, **words)
        asked.append(host)
        address = answers.pop(0) if len(answers) > 1 else answers[0]
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        place = (address, port, 0, 0) if ":" in address else (address, port)
        return [(family, socket.SOCK_STREAM, 6, "", place)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def addresses(port):
    for host in INSIDE:
        yield f"https://{host}:{port}/hooks"
        yield f"http://{host}:{port}/hooks"


def test_there_are_enough_of_them():
    assert len(INSIDE) >= 60


@pytest.mark.django_db
def test_an_endpoint_inside_is_refused_when_it_is_made(alice):
    taken = []
    for host in INSIDE:
        try:
            url = f"https://{host}/hooks"
            webhooks.make_endpoint(viewer=alice, url=url, events=["hand.audited"])
            taken.append(host)
        except WebhookError as error:
            assert error.field == "url"  # noqa: PT017 - all of them are tried

    assert taken == []


def test_nobody_inside_is_connected_to(listener, connects):
    """The second wall alone: addresses go straight to the session, unchecked."""
    port, counted = listener
    with outgoing.session(private=False) as through:
        for address in addresses(port):
            with pytest.raises((requests.RequestException, UnicodeError, ValueError)):
                through.post(address, data=b"{}", timeout=2, allow_redirects=False)

    assert counted == []
    assert [each for each in connects if ipaddress.ip_address(each).is_private] == []


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_name_that_resolves_to_inside_is_not_connected_to(
    answer, listener, connects, monkeypatch
):
    port, counted = listener
    resolver(monkeypatch, [answer])
    with outgoing.session(private=False) as through, pytest.raises(AddressError):
        outgoing.post(through, f"https://hooks.example.org:{port}/", b"{}", {}, private=False)

    assert (counted, connects) == ([], [])


def test_a_name_is_resolved_once_and_its_answer_is_connected_to(listener, connects, monkeypatch):
    """A resolver that says something harmless first and this machine after that."""
    port, counted = listener
    asked = resolver(monkeypatch, ["93.184.215.14", "127.0.0.1"])
    with outgoing.session(private=False) as through, pytest.raises(requests.ConnectionError):
        outgoing.post(through, f"https://hooks.example.org:{port}/", b"{}", {}, private=False)

    assert (asked, counted) == (["hooks.example.org"], [])
    assert set(connects) == {"93.184.215.14"}


def test_the_surroundings_say_nothing(listener, connects, monkeypatch):
    """A proxy in the environment would resolve and connect in our place."""
    port, counted = listener
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{port}")
    resolver(monkeypatch, ["93.184.215.14"])
    with outgoing.session(private=False) as through, pytest.raises(requests.ConnectionError):
        outgoing.post(through, "https://hooks.example.org/", b"{}", {}, private=False)

    assert (counted, set(connects)) == ([], {"93.184.215.14"})


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/hooks",
        "https://hooks.example.org:8443/a?b=c",
        "https://1.1.1.1/hooks",
        "https://[2606:4700:4700::1111]/hooks",
        "https://127.example.org/hooks",
        "https://xn--bcher-kva.example/hooks",
    ],
)
def test_what_everybody_can_reach_is_taken(address):
    outgoing.check_address(address, private=False)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "example.org",
        "//example.org",
        "ftp://example.org",
        "file:///etc/passwd",
        "gopher://example.org",
        "http://example.org",
        "https://",
        "https:///hooks",
        "https://example.org:port/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org/\r\nX: y",
        "https://example.org/\x00",
        "https://[::1",
        "https://exämple.org/",
        "https://example.org/" + "a" * 2000,
    ],
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(AddressError):
        outgoing.check_address(address, private=False)


def test_this_machine_is_allowed_where_the_setting_says_so():
    for address in ("http://127.0.0.1:9/hooks", "http://localhost:9/", "https://printer/"):
        outgoing.check_address(address, private=True)
