"""A RabbitMQ node of the tests' own: its ports, its data and its port mapper."""

import base64
import hashlib
import json
import os
import shutil
import uuid
from contextlib import contextmanager
from pathlib import Path

import amqp
import pytest

from tests.services.missing import missing
from tests.services.process import Server, free_port, short_folder

# Not Debian's /usr/sbin/rabbitmq-server, which drops the environment when root calls it.
PROGRAMS = Path("/usr/lib/rabbitmq/bin")
LOCAL = "-kernel inet_dist_use_interface {127,0,0,1}"
# Erlang's threads would spin while they wait for work, on cores that others have work for.
PATIENT = "+sbwt none +sbwtdcpu none +sbwtdio none"
# Virtual hosts for so many tests, made when the node starts: rabbitmqctl takes seconds for one.
HOSTS = [f"tests-{number}" for number in range(6)]


def definitions():
    """Return what a node begins with: its hosts, and the guest who may do everything there."""
    salt = b"salt"
    digest = base64.b64encode(salt + hashlib.sha256(salt + b"guest").digest()).decode()
    guest = {"name": "guest", "password_hash": digest, "tags": "administrator"}
    guest["hashing_algorithm"] = "rabbit_password_hashing_sha256"
    may = {"user": "guest", "configure": ".*", "write": ".*", "read": ".*"}
    hosts = ["/", *HOSTS]
    return {
        "users": [guest],
        "vhosts": [{"name": host} for host in hosts],
        "permissions": [{**may, "vhost": host} for host in hosts],
    }


class RabbitMQ(Server):
    """A node whose messages last over stop() and start(), as a broker's restart."""

    def __init__(self, folder, epmd_port):
        self.address = f"127.0.0.1:{free_port()}"
        self.free_hosts = list(HOSTS)
        (folder / "definitions.json").write_text(json.dumps(definitions()))
        config = [f"listeners.tcp.1 = {self.address}", "disk_free_limit.absolute = 1MB"]
        config += [f"load_definitions = {folder / 'definitions.json'}"]
        (folder / "rabbitmq.conf").write_text("\n".join([*config, ""]))
        (folder / "plugins").write_text("[].\n")
        env = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "LANG": "C.UTF-8",
            "ERL_EPMD_PORT": epmd_port,
            "RABBITMQ_NODENAME": f"rummy-{uuid.uuid4().hex}@localhost",
            "RABBITMQ_DIST_PORT": free_port(),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": f"{LOCAL} {PATIENT}",
            "RABBITMQ_MNESIA_BASE": folder / "mnesia",
            "RABBITMQ_LOG_BASE": folder / "logs",
            "RABBITMQ_CONFIG_FILE": folder / "rabbitmq.conf",
            "RABBITMQ_CONF_ENV_FILE": folder / "none",
            "RABBITMQ_ENABLED_PLUGINS_FILE": folder / "plugins",
        }
        super().__init__(
            [PROGRAMS / "rabbitmq-server"],
            log=folder / "out",
            ready=self._answers,
            env={key: str(value) for key, value in env.items()},
            cwd=folder,
            patience=60,
        )

    def _answers(self) -> bool:
        connection = amqp.Connection(self.address, connect_timeout=2, read_timeout=5)
        try:
            connection.connect()
        except (OSError, amqp.AMQPError):
            return False
        finally:
            connection.collect()
        return True


@contextmanager
def private_node():
    """Give a node, gone afterwards."""
    with short_folder() as folder:
        # The port mapper would stay behind as a daemon if the node had to start it.
        epmd_port = free_port()
        command = ["epmd", "-port", epmd_port, "-address", "127.0.0.1"]
        epmd = Server(command, log=folder / "epmd", ready=lambda: True)
        epmd.start()
        node = RabbitMQ(folder, epmd_port)
        try:
            node.start()
            yield node
        finally:
            node.kill()
            epmd.kill()


@pytest.fixture(scope="session")
def rabbitmq_node():
    """The one node of a test run: it takes seconds to start."""
    if not (PROGRAMS / "rabbitmq-server").exists() or not shutil.which("epmd"):
        missing("no RabbitMQ on this machine (Debian and Ubuntu: apt install rabbitmq-server)")
    with private_node() as node:
        yield node


@pytest.fixture
def rabbitmq(rabbitmq_node):
    """The node with empty queues; `url` for BROKER_URL names a virtual host of the test's own."""
    host = rabbitmq_node.free_hosts.pop()
    rabbitmq_node.url = f"amqp://guest:guest@{rabbitmq_node.address}/{host}"
    return rabbitmq_node
