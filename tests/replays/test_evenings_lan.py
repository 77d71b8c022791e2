"""`./run --lan`: a club's own network, without internet."""

import urllib.error
import urllib.request

import pytest

from replays import lan
from tests.replays.service import Service, wait_until
from tests.services.process import free_port


def fetch(address, host):
    request = urllib.request.Request(address, headers={"Host": host})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read().decode()


@pytest.mark.ci
def test_the_network_is_let_in_by_its_address_with_a_qr_code_and_a_warning(tmp_path):
    one, port = Service(tmp_path), free_port()
    address = f"http://127.0.0.1:{port}/"
    try:
        up = one.start("up", "--lan", "127.0.0.1", "--port", str(port))
        wait_until(lambda: "tables by their QR codes" in said(one) or up.poll() is not None)

        assert f"running at {address}" in said(one)
        assert lan.qr_for_terminal(address) in said(one)
        assert "Everybody on this network can open these pages" in said(one)
        # Also to a browser on this very machine: whoever is on the network looks like it.
        assert "demo/sign-in" not in fetch(address, f"127.0.0.1:{port}")
        with pytest.raises(urllib.error.HTTPError, match="400"):
            fetch(address, "somewhere.example")
    finally:
        one.stop()


def said(one):
    return (one.folder / "said").read_text()


def test_an_address_that_is_none_is_refused(tmp_path):
    from django.core.management import CommandError, call_command

    with pytest.raises(CommandError, match=r"--lan 300\.1\.1\.1: expected an address like"):
        call_command("up", network="300.1.1.1")


def test_the_code_holds_the_address_in_half_blocks():
    code = lan.qr_for_terminal("http://192.168.1.20:8000/")
    lines = code.rstrip("\n").split("\n")
    assert len({len(line) for line in lines}) == 1
    assert set("".join(lines)) <= set(" █▀▄")
