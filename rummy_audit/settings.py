"""The one settings file. Everything a deployment may change comes from the environment.

docs/operations.md lists the variables. Values that cannot be read stop the start and name the
variable: a record keeper must not run on a guess.
"""

import os
import sys
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from rummy_audit.environment import (
    env_flag,
    env_int,
    env_list,
    env_text,
    env_zone,
    local_secret,
    mail_settings,
)

BASE_DIR = Path(__file__).resolve().parent.parent

# --- where it runs ---------------------------------------------------------------------------

PRODUCTION = env_flag("RUMMY_AUDIT_PRODUCTION")
DEBUG = env_flag("RUMMY_AUDIT_DEBUG")
VAR = Path(env_text("RUMMY_AUDIT_VAR") or BASE_DIR / "var").absolute()

SECRET_KEY = env_text("RUMMY_AUDIT_SECRET_KEY")
if not SECRET_KEY:
    if PRODUCTION:
        raise ImproperlyConfigured(
            "RUMMY_AUDIT_SECRET_KEY is not set: in production the secret comes from the "
            "environment, the same on every host."
        )
    SECRET_KEY = local_secret(VAR)
if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("RUMMY_AUDIT_DEBUG=1 shows the insides: not in production.")

ALLOWED_HOSTS = env_list("RUMMY_AUDIT_HOSTS", "" if PRODUCTION else "localhost,127.0.0.1,[::1]")
if PRODUCTION and not ALLOWED_HOSTS:
    raise ImproperlyConfigured(
        "RUMMY_AUDIT_HOSTS is not set: name the hosts that people type, with commas between."
    )
CSRF_TRUSTED_ORIGINS = env_list("RUMMY_AUDIT_ORIGINS")

# --- what it is made of ----------------------------------------------------------------------

ADMIN = env_flag("RUMMY_AUDIT_ADMIN")

INSTALLED_APPS = [
    *(["django.contrib.admin"] if ADMIN else []),
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "rest_framework",
    "drf_spectacular",
    "replays",
    "api",
]

MIDDLEWARE = [
    "replays.telling.TellOfRequests",
    "django.middleware.security.SecurityMiddleware",
    # Of what follows, requests with a key meet what stands in api.straight too.
    "api.straight.StraightToOperations",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "rummy_audit.policy.ContentPolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "replays.packing.PackPages",
    "replays.direction.KeepDirection",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "replays.access.KnowViewer",
    "replays.access.KeepPrivate",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "replays.refusing.LeadOn",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "rummy_audit.urls"
WSGI_APPLICATION = "rummy_audit.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "replays.demo.offered",
            ],
        },
    },
]

# --- the database ----------------------------------------------------------------------------

_SQLITE_OPTIONS = {
    # Every transaction takes the write lock at its start. With the default, two that read first
    # and write later answer "database is locked" at once, whatever the timeout.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # FULL: what was accepted survives a power cut. WAL pays for it with one sync a commit.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}

_database_url = env_text("DATABASE_URL") or f"sqlite:///{quote(str(VAR))}/rummy-audit.sqlite3"
try:
    _database = dj_database_url.parse(_database_url, conn_max_age=60, conn_health_checks=True)
except (ValueError, dj_database_url.UnknownSchemeError) as error:
    # The address holds a password: it is never repeated.
    raise ImproperlyConfigured("DATABASE_URL cannot be read as the address of a database.") from (
        None if PRODUCTION else error
    )
SQLITE = "sqlite" in _database["ENGINE"]
if SQLITE:
    _database["OPTIONS"] = _SQLITE_OPTIONS
    if PRODUCTION and not env_flag("RUMMY_AUDIT_ONE_HOST"):
        raise ImproperlyConfigured(
            "DATABASE_URL: SQLite cannot be shared by several hosts. Use postgres://, or say "
            "RUMMY_AUDIT_ONE_HOST=1 if everything runs on this machine."
        )
elif "postgresql" not in _database["ENGINE"]:
    raise ImproperlyConfigured("DATABASE_URL: expected sqlite:// or postgres://.")
else:
    # A host that does not answer costs a request two seconds, not minutes.
    _database["OPTIONS"] = {"connect_timeout": 2, **_database.get("OPTIONS", {})}
DATABASES = {"default": _database}

# --- work: wake-ups by Celery, the jobs themselves in the database -----------------------------

# A path longer than this cannot be the address of a unix socket.
_MOST_SOCKET_BYTES = 100


def _private_socket() -> Path:
    """Return where the private Valkey of ``manage.py up`` listens."""
    path = VAR / "valkey.sock"
    if len(os.fsencode(path)) <= _MOST_SOCKET_BYTES:
        return path
    raise ImproperlyConfigured(
        f"RUMMY_AUDIT_VAR={VAR}: the path is too long for a socket; use a shorter one."
    )


BROKER_SOCKET = _private_socket()
BROKER_URL = env_text("BROKER_URL")
BROKER_IS_PRIVATE = not BROKER_URL
if BROKER_IS_PRIVATE:
    BROKER_URL = f"redis+socket://{quote(str(BROKER_SOCKET))}"
_broker = urlsplit(BROKER_URL).scheme.partition("+")[0]
if _broker not in ("redis", "rediss", "valkey", "amqp", "amqps", "pyamqp") and (
    PRODUCTION or _broker not in ("memory", "filesystem")
):
    raise ImproperlyConfigured(
        "BROKER_URL: expected redis://, rediss:// or amqp://; other brokers lose messages "
        "when a worker is killed."
    )
if _broker == "valkey":
    BROKER_URL = BROKER_URL.replace("valkey", "redis", 1)

CELERY_BROKER_URL = BROKER_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "wake-ups"
# One message is one look for work: a worker that holds several only delays the others.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_MEMORY_PER_CHILD = env_int("RUMMY_AUDIT_WORKER_MEMORY_MB", 400) * 1024
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
# Says nothing to tasks that, like ours, are acknowledged before they run; unset, it warns.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        # Without the last two, messages of a killed worker are looked for only every 100 seconds.
        "visibility_timeout": 600,
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 2,
        "socket_timeout": 20,
    }
    if _broker in ("redis", "rediss", "valkey")
    else {}
)
if _broker == "filesystem":
    _messages = Path(unquote(urlsplit(BROKER_URL).path) or VAR / "messages")
    _messages.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_messages),
        "data_folder_out": str(_messages),
        "control_folder": str(_messages / "control"),
    }

# Hands a worker claims at once, and how long a claim holds (seconds). A claim that is not
# finished by then belongs to a worker that is gone: it is tried again, alone.
AUDIT_BATCH = env_int("RUMMY_AUDIT_BATCH", 250, high=500)
AUDIT_LEASE = env_int("RUMMY_AUDIT_LEASE", 30, high=3600)
AUDIT_ATTEMPTS = 3
# A hand that takes longer than this (seconds) fails; usual is a millisecond.
AUDIT_HAND_SECONDS = env_int("RUMMY_AUDIT_HAND_SECONDS", 5, high=600)
if AUDIT_HAND_SECONDS * 4 > AUDIT_LEASE:
    raise ImproperlyConfigured(
        "RUMMY_AUDIT_HAND_SECONDS must be at most a quarter of RUMMY_AUDIT_LEASE: a hand must "
        "fail before its claim ends."
    )
# The last resort against a worker that hangs where no alarm reaches it.
CELERY_TASK_TIME_LIMIT = AUDIT_LEASE
WORKER_PROCESSES = env_int("RUMMY_AUDIT_WORKERS", 2, high=64)

# --- uploads ---------------------------------------------------------------------------------

UPLOAD_MOST_BYTES = 64 * 1024 * 1024
# Up to so many hands are taken within the request; more are read by the worker.
UPLOAD_AT_ONCE = 200
UPLOAD_AT_ONCE_BYTES = 2 * 1024 * 1024
UPLOAD_BATCH = 500

FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_PERMISSIONS = 0o600
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 50

# --- the API ---------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "api.problems.handle",
    "DEFAULT_SCHEMA_CLASS": "api.openapi.OperationSchema",
    # Forms are asked for in the Accept header only.
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.1",
    "TITLE": "rummy-audit",
    "VERSION": "1",
    "DESCRIPTION": "Keeps the record of rummy hands, replays them by the rules and says what "
    "was wrong.",
}

# --- mail ------------------------------------------------------------------------------------

globals().update(mail_settings(env_text("RUMMY_AUDIT_MAIL")))
DEFAULT_FROM_EMAIL = env_text("RUMMY_AUDIT_MAIL_FROM", "rummy-audit@localhost")

# --- webhooks --------------------------------------------------------------------------------

# Whether messages may go to this machine and its network too, and by plain http: for trying
# things out. Otherwise a club could have this server knock on the doors behind it.
WEBHOOKS_PRIVATE = env_flag("RUMMY_AUDIT_WEBHOOKS_PRIVATE")

# --- pages -----------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "rummy_audit.static.HashedNames"},
}
# Until files are collected they are served from where they lie, under their plain names.
WHITENOISE_USE_FINDERS = not (STATIC_ROOT / "staticfiles.json").exists()
WHITENOISE_AUTOREFRESH = DEBUG
if not STATIC_ROOT.is_dir():
    # whitenoise warns about a folder that is not there.
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
# In which pages and mail say times; what is stored, sent and taken away stays in UTC.
TIME_ZONE = env_zone("RUMMY_AUDIT_TIME_ZONE", "UTC")

# --- safety ----------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        # The code that an authenticator app reads is drawn into its page.
        "img-src": [SELF, "data:"],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_ENGINE = "replays.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
if PRODUCTION:
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    if env_flag("RUMMY_AUDIT_BEHIND_PROXY"):
        # Only a proxy that sets this header itself makes it worth believing.
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# --- who is asking ---------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "replays.accounts.WithMemberships",
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"

# How many proxies of ours stand in front. X-Forwarded-For is believed for so many and no more.
PROXIES = env_int("RUMMY_AUDIT_PROXIES", 0, low=0, high=9)
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES

# Accounts are made by invitation only (replays.members); the address is what one signs in with.
ACCOUNT_ADAPTER = "replays.accounts.ByInvitation"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_SESSION_REMEMBER = None
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PRODUCTION else "http"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "rummy-audit"
# Who was invited by a link need not have a mailbox that works.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Of passwords axes has the last word, after ten; this is for the codes of the second step.
ACCOUNT_RATE_LIMITS = {"login_failed": "60/m/ip,30/5m/key"}

# Against guessing: so many wrong passwords for one account from one address, or from one address
# in all, then a pause. Counted in the database, so by all processes together.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_USERNAME_FORM_FIELD = "login"
AXES_USERNAME_CALLABLE = "replays.accounts.tried"
AXES_CLIENT_IP_CALLABLE = "replays.access.address_of"
AXES_LOCKOUT_TEMPLATE = "account/locked.html"
AXES_HTTP_RESPONSE_CODE = 429
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False
AXES_DISABLE_ACCESS_LOG = True

# One-click sign-in to the demo club. Only `manage.py up` on this machine alone switches it on,
# and replays.demo asks each request again where it comes from.
DEMO_SIGN_IN = env_flag("RUMMY_AUDIT_DEMO_SIGN_IN")
if PRODUCTION and DEMO_SIGN_IN:
    raise ImproperlyConfigured("RUMMY_AUDIT_DEMO_SIGN_IN=1 lets anybody in: not in production.")

# --- what it says about itself -----------------------------------------------------------------

# Whoever sends this as a bearer token may read /metrics; without one, this machine alone may.
METRICS_TOKEN = env_text("RUMMY_AUDIT_METRICS_TOKEN")

LOG_LEVEL = env_text("RUMMY_AUDIT_LOG", "INFO" if PRODUCTION else "WARNING").upper()
if LOG_LEVEL not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
    raise ImproperlyConfigured(
        f"RUMMY_AUDIT_LOG={LOG_LEVEL}: expected DEBUG, INFO, WARNING, ERROR or CRITICAL."
    )
LOG_FORM = env_text("RUMMY_AUDIT_LOG_FORM", "json" if PRODUCTION else "plain")
if LOG_FORM not in ("json", "plain"):
    raise ImproperlyConfigured(f"RUMMY_AUDIT_LOG_FORM={LOG_FORM}: expected json or plain.")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    # Only the one that is used: the other takes its time to load.
    "formatters": {
        LOG_FORM: {"()": "rummy_audit.log_form.as_json"}
        if LOG_FORM == "json"
        else {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
    },
    "filters": {"by route": {"()": "rummy_audit.log_routes.ByRoute"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORM,
            "filters": ["by route"],
            "stream": sys.stderr,
        }
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
}
