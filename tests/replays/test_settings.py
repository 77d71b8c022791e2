"""Settings come from the environment and fail loudly; production is strict."""

import os
import runpy
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.replays.service import ROOT

GOOD = {
    "RUMMY_AUDIT_PRODUCTION": "1",
    "RUMMY_AUDIT_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
    "RUMMY_AUDIT_HOSTS": "rummy.example",
    "DATABASE_URL": "postgres://u:pw@127.0.0.1:1/none",
    "BROKER_URL": "redis://127.0.0.1:1/0",
}


@pytest.fixture
def read(monkeypatch, tmp_path):
    """Read the settings under an environment; gives them as a dict."""

    def read(**settings):
        for name in [*os.environ]:
            if name.startswith("RUMMY_AUDIT_") or name in ("DATABASE_URL", "BROKER_URL"):
                monkeypatch.delenv(name)
        for name, value in {"RUMMY_AUDIT_VAR": str(tmp_path), **settings}.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "rummy_audit" / "settings.py"))

    return read


@pytest.mark.ci
def test_production_with_admin_passes_the_check_for_deployment(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "RUMMY_AUDIT_VAR": str(tmp_path),
            **GOOD,
            "RUMMY_AUDIT_ADMIN": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "secret-key").exists()


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({**GOOD, "RUMMY_AUDIT_SECRET_KEY": ""}, "RUMMY_AUDIT_SECRET_KEY is not set"),
        ({**GOOD, "RUMMY_AUDIT_DEBUG": "1"}, "RUMMY_AUDIT_DEBUG=1"),
        ({**GOOD, "RUMMY_AUDIT_HOSTS": ""}, "RUMMY_AUDIT_HOSTS is not set"),
        ({**GOOD, "BROKER_URL": "filesystem://"}, "BROKER_URL: expected redis://"),
        ({**GOOD, "BROKER_URL": "memory://"}, "BROKER_URL: expected redis://"),
        ({"BROKER_URL": "sqla+sqlite:///x"}, "BROKER_URL: expected redis://"),
        ({"RUMMY_AUDIT_DEBUG": "maybe"}, "RUMMY_AUDIT_DEBUG=maybe: expected 1 or 0"),
        ({"RUMMY_AUDIT_BATCH": "many"}, "RUMMY_AUDIT_BATCH=many: expected a whole number"),
        ({"RUMMY_AUDIT_BATCH": "0"}, "RUMMY_AUDIT_BATCH=0: expected a whole number, 1 to 500"),
        ({"RUMMY_AUDIT_HAND_SECONDS": "20"}, "at most a quarter of RUMMY_AUDIT_LEASE"),
        ({"DATABASE_URL": "mysql://u:pw@h/d"}, "DATABASE_URL: expected sqlite:// or postgres://"),
        ({"RUMMY_AUDIT_MAIL": "http://u:pw@h"}, "RUMMY_AUDIT_MAIL: expected smtp://"),
        ({"RUMMY_AUDIT_MAIL": "smtp://u:pw@h:mail"}, "RUMMY_AUDIT_MAIL: expected smtp://"),
        ({"RUMMY_AUDIT_LOG": "loud"}, "RUMMY_AUDIT_LOG=LOUD: expected DEBUG"),
        (
            {**GOOD, "DATABASE_URL": "sqlite:///club.sqlite3"},
            "SQLite cannot be shared by several hosts",
        ),
        ({"RUMMY_AUDIT_TIME_ZONE": "India"}, "RUMMY_AUDIT_TIME_ZONE=India: expected a zone"),
        ({"DATABASE_URL": "nonsense"}, "DATABASE_URL cannot be read"),
    ],
)
def test_what_cannot_be_stops_the_start_and_names_the_variable(read, settings, why):
    with pytest.raises(ImproperlyConfigured) as refusal:
        read(**settings)

    assert why in str(refusal.value)
    assert "pw" not in str(refusal.value)


def test_a_machine_makes_its_secret_once(read, tmp_path):
    first, again = read()["SECRET_KEY"], read()["SECRET_KEY"]

    assert first == again == (tmp_path / "secret-key").read_text()
    assert len(first) > 50
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0


def test_sqlite_in_the_folder_and_a_private_broker_are_the_default(read, tmp_path):
    settings = read()

    assert settings["DATABASES"]["default"]["NAME"] == f"{tmp_path}/rummy-audit.sqlite3"
    assert settings["CELERY_BROKER_URL"] == f"redis+socket://{tmp_path}/valkey.sock"
    assert settings["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert settings["DEBUG"] is False


def test_valkey_is_spoken_to_as_redis(read):
    assert read(BROKER_URL="valkey://h:1/0")["CELERY_BROKER_URL"] == "redis://h:1/0"


def test_mail_goes_to_the_console_until_a_server_is_named(read):
    assert read()["EMAIL_BACKEND"].endswith("console.EmailBackend")
    named = read(RUMMY_AUDIT_MAIL="smtp://club%40x:p%2Fw@mail.example:2525")
    assert [named[f"EMAIL_{name}"] for name in ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD")] == [
        "mail.example",
        2525,
        "club@x",
        "p/w",
    ]
