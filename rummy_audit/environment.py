"""What a machine says to the settings: typed readers of its environment, and its own secret.

What cannot be read stops the start and names the variable.
"""

import os
import secrets
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured


def env_text(name: str, default: str = "") -> str:
    """Return an environment variable without the spaces around it."""
    return os.environ.get(name, default).strip()


def env_flag(name: str, *, default: bool = False) -> bool:
    """Return a yes or no; any other word is refused."""
    value = env_text(name).lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    if value:
        raise ImproperlyConfigured(f"{name}={value}: expected 1 or 0.")
    return default


def env_int(name: str, default: int, *, low: int = 1, high: int = 1_000_000) -> int:
    """Return a whole number within its range; anything else is refused."""
    value = env_text(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise ImproperlyConfigured(f"{name}={value}: expected a whole number, {low} to {high}.")
    return number


def env_zone(name: str, default: str) -> str:
    """Read the name of a time zone, as `Asia/Kolkata`."""
    value = env_text(name) or default
    try:
        ZoneInfo(value)
    except (LookupError, ValueError, OSError):
        expected = "expected a zone such as Asia/Kolkata"
        raise ImproperlyConfigured(f"{name}={value}: {expected}.") from None
    return value


def env_list(name: str, default: str = "") -> list[str]:
    """Return what stands between the commas."""
    return [part.strip() for part in env_text(name, default).split(",") if part.strip()]


def local_secret(folder: Path) -> str:
    """Return this machine's own secret, made at the first start; two starts at once share one."""
    path = folder / "secret-key"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        for _attempt in range(50):  # the other start may not have written it yet
            if secret := path.read_text().strip():
                return secret
            time.sleep(0.02)
        raise ImproperlyConfigured(f"{path} is empty: delete it, then start again.") from None
    with os.fdopen(handle, "w") as file:
        file.write(secret := secrets.token_urlsafe(48))
    return secret


def mail_settings(address: str) -> dict[str, object]:
    """Return where mail goes: ``smtp://user:password@host:587``, ``smtps://…``, or the console."""
    if not address:
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    parts = urlsplit(address)
    try:
        port = parts.port or (465 if parts.scheme == "smtps" else 587)
    except ValueError:
        port = 0
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or not port:
        # The address holds a password: it is never repeated.
        raise ImproperlyConfigured("RUMMY_AUDIT_MAIL: expected smtp:// or smtps://, with a host.")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp" and bool(parts.username),
        "EMAIL_TIMEOUT": 20,
    }
