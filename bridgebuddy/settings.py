"""BridgeBuddy's settings, from the environment if a host needs other values.

A fresh checkout runs without any: SQLite, a secret key made for this machine, and this machine's
addresses. Other hosts without an own `SECRET_KEY` are refused.
"""

import os
import secrets
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from . import __version__
from .operations.local_network import own_addresses
from .operations.logs import remove_personal_data

BASE_DIR = Path(__file__).resolve().parent.parent
#: the folder of templates and static files: beside the packages, or in this one if it was installed
HOUSE = BASE_DIR if (BASE_DIR / "manage.py").exists() else BASE_DIR / "bridgebuddy"
env = environ.FileAwareEnv()

VAR_DIR = Path(env("VAR_DIR", default=str(BASE_DIR / "var")))
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=own_addresses())
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
PUBLIC_URL = env("PUBLIC_URL", default="")  # the address in QR codes if the director uses localhost


def _secret_key() -> tuple[str, Path | None]:
    """Return `SECRET_KEY` from the environment, or from this machine's key file (created if missing), and the file."""
    if key := str(env("SECRET_KEY", default="")):
        return key, None
    if "ALLOWED_HOSTS" in env.ENVIRON:
        raise ImproperlyConfigured("Set SECRET_KEY: ALLOWED_HOSTS names hosts of your own.")
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    file = VAR_DIR / "secret-key"
    try:
        with file.open("x") as new:
            file.chmod(0o600)
            new.write(secrets.token_urlsafe(50))
    except FileExistsError:
        pass
    return file.read_text(), file


SECRET_KEY, KEY_FILE = _secret_key()


def _keep_private(database: Path) -> None:
    """Make the SQLite database file readable only by the server's own user.

    SQLite's additional files are as private as the database itself.
    """
    if not database.is_absolute():  # an in-memory database
        return
    with suppress(OSError):  # another user's file, or a disk without owners
        database.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(database, os.O_CREAT | os.O_RDONLY, 0o600))
        for file in database.parent.glob(f"{database.name}*"):
            if file.name.removeprefix(database.name) in ("", "-wal", "-shm"):
                file.chmod(0o600)


INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "rules.apps.AutodiscoverRulesConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "movements",
    "bridgebuddy.jobs",
    "bridgebuddy.clubs",
    "bridgebuddy.audit",
    "bridgebuddy.events",
    "bridgebuddy.deals",
    "bridgebuddy.scoring",
    "bridgebuddy.seasons",
    "bridgebuddy.registration",
    "bridgebuddy.planning",
    "bridgebuddy.money",
    "bridgebuddy.publication",
    "bridgebuddy.table_phones",
    "bridgebuddy.director",
    "bridgebuddy.players",
    "bridgebuddy.printing",
    "bridgebuddy.demo",
]

MIDDLEWARE = [
    "bridgebuddy.monitoring.health.answer_probe",
    "bridgebuddy.monitoring.metrics.count_requests",
    "bridgebuddy.players.api.cross_origin.allow_other_sites",
    "bridgebuddy.web.allowed_methods.refuse_unknown_methods",
    "bridgebuddy.web.static_files.StaticFiles",  # it sets all headers of a static file
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "bridgebuddy.web.uploads.refuse_other_encodings",
    "bridgebuddy.players.middleware.answer_unchanged_polls",
    "bridgebuddy.clubs.club_locale.reset_club_formats",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "bridgebuddy.web.language.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "bridgebuddy.web.uploads.limit_upload_size",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "bridgebuddy.web.sign_in.forbid_caching",
    "bridgebuddy.web.sign_in.SignInMiddleware",
    "bridgebuddy.director.sessions.deleted_sessions.RedirectFromDeletedSession",
    "allauth.account.middleware.AccountMiddleware",
    "bridgebuddy.clubs.sign_in.mail.MailErrorMiddleware",
    "bridgebuddy.clubs.sign_in.accounts.RateLimitMiddleware",
]

ROOT_URLCONF = "bridgebuddy.urls"
WSGI_APPLICATION = "bridgebuddy.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [HOUSE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "bridgebuddy.web.template_tags",
                "template_partials.templatetags.partials",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "bridgebuddy.director.context.current_club",
            ],
        },
    }
]


def _require_installed(package: str, variable: str, requirement: str = "") -> None:
    """Refuse to start if a variable needs a package that a laptop's installation leaves out.

    The message names the public package. An extra of BridgeBuddy would be looked up in a public
    index, where a stranger may take the name.
    """
    if find_spec(package) is None:
        raise ImproperlyConfigured(
            f"{variable} needs {package}: pip install '{requirement or package}'"
        )


DATABASES = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'bridgebuddy.sqlite3'}")
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    _keep_private(Path(DATABASES["default"]["NAME"]))
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # deleted data are overwritten, except for fragments (`backups.rewrite`)
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;",
    }
    # tests use a file too: several threads on one in-memory database lock each other out
    DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
    test_file = Path(tempfile.gettempdir()) / f"bridgebuddy-test-{os.getpid()}.sqlite3"
    DATABASES["default"]["TEST"] = {"NAME": str(test_file)}
else:
    _require_installed("psycopg", "DATABASE_URL", "psycopg[binary]")
    DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
    DATABASES["default"].setdefault("CONN_HEALTH_CHECKS", True)

# Search results are in the default cache, printed sheets in another: many sheets must not displace
# the results. In the database both work for any number of processes without another server.
# CACHE_URL may name a Redis, whose failures block no request; two versions of the program may use
# it during an upgrade.
HAS_REDIS = env.str("CACHE_URL", default="").startswith("redis")
if HAS_REDIS:
    _require_installed("redis", "CACHE_URL")
OF_REDIS = {"OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}}


def _cache_settings(
    table: str, name: str, backend: str = "bridgebuddy.operations.process_cache.TolerantCache"
) -> dict[str, Any]:
    """Return Django's settings of a cache: Redis if `CACHE_URL` names it, else a table of the database."""
    found: dict[str, Any] = env.cache_url("CACHE_URL", default=f"dbcache://{table}")
    found |= {"KEY_PREFIX": f"{name}{__version__}"}
    return found | {**OF_REDIS, "BACKEND": backend} if HAS_REDIS else found


CACHES = {
    "default": _cache_settings("bridgebuddy_cache", ""),
    "sheets": _cache_settings("bridgebuddy_sheets", "sheets"),
    # computed values shared by a server's processes; read inside a snapshot, so never in the
    # database
    "shared": (
        _cache_settings("", "shared", "django.core.cache.backends.redis.RedisCache")
        if HAS_REDIS
        else {
            "BACKEND": "bridgebuddy.operations.process_cache.FileCache",
            "LOCATION": str(VAR_DIR / "shared"),
            "OPTIONS": {"MAX_ENTRIES": 300},
        }
    ),
}

# A Redis answers for this number of seconds that nothing is new, which delays the last phone by as
# much. A query costs less than the database's own cache.
POLLS_KEPT = 1 if HAS_REDIS else 0

AUTH_USER_MODEL = "clubs.User"
AUTHENTICATION_BACKENDS = [
    "rules.permissions.ObjectPermissionBackend",
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
#: with a mail server addresses are confirmed; without one, accounts after the first need an
#: invitation
HAS_MAIL = "EMAIL_URL" in env.ENVIRON
SIGN_UP = env.bool("SIGN_UP", default=HAS_MAIL)
#: whether visitors may try an invented session, which is deleted after a day
TRIALS = env.bool("TRIALS", default=True)
ACCOUNT_EMAIL_VERIFICATION = env("EMAIL_VERIFICATION", default="mandatory" if HAS_MAIL else "none")
ACCOUNT_ADAPTER = "bridgebuddy.clubs.sign_in.accounts.AccountAdapter"
ACCOUNT_RATE_LIMITS = False  # replaced by clubs/sign_in/limits.py
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = "BridgeBuddy: "

MFA_ADAPTER = "bridgebuddy.clubs.sign_in.second_factor.SecondFactor"
MFA_FORMS = {
    "authenticate": "bridgebuddy.clubs.sign_in.second_factor.SignInCodeForm",
    "reauthenticate": "bridgebuddy.clubs.sign_in.second_factor.ConfirmCodeForm",
    "activate_totp": "bridgebuddy.clubs.sign_in.second_factor.FirstCodeForm",
}
MFA_TOTP_TOLERANCE = 1  # half a minute: a small server's clock may be wrong
MFA_ALLOW_UNVERIFIED_EMAIL = not HAS_MAIL  # if no address can be confirmed

#: if set, backups are encrypted with it
BACKUP_PASSPHRASE = env("BACKUP_PASSPHRASE", default="")

#: the address at which BridgeWebs takes uploads. The form is documented in its guide
#: (bridgewebs.com/guide, "API Interface"); the address is that of public programs in three
#: languages (colfortis/BridgeWebsUpload is one). Empty: no uploads
BRIDGEWEBS_URL = env("BRIDGEWEBS_URL", default="https://www.bridgewebs.com/cgi-bin/bwx/api.cgi")

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
MAILS_GO_BY = EMAIL_CONFIG["EMAIL_BACKEND"]
EMAIL_BACKEND = "bridgebuddy.monitoring.metrics.CountingBackend"
EMAIL_TIMEOUT = 10  # seconds: a request waits for the mail server too
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", default="BridgeBuddy <noreply@localhost>")
#: the address for bounced mails, extended by "+" and the mail's key; its mailbox is piped to
#: `bounced`
BOUNCES_TO = env("BOUNCES_TO", default="")

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "bridgebuddy" / "locale"]
#: English, and every other language with a catalogue
LANGUAGES = [
    ("en", _("English")),
    *(
        (code, name)
        for code, name in [("de", _("German")), ("ko", _("Korean"))]
        if (LOCALE_PATHS[0] / code).is_dir()
    ),
]
#: A partial language covers the players' pages only: directors' pages do not offer it, and
#: check_translations does not demand other sentences. It covers whole apps and template folders, so
#: that new files are included.
PLAYERS_PLACES = (
    "bridgebuddy/players/",
    "bridgebuddy/printing/",
    "bridgebuddy/publication/",
    "bridgebuddy/scoring/",
    "bridgebuddy/seasons/",
    "bridgebuddy/table_phones/",
    "movements/library/ring/",
    "movements/switches/",
    "movements/templatetags/",
    "templates/4",  # error pages
    "templates/5",
    "templates/base.html",
    "templates/players/",
    "templates/printing/",
    "templates/publication/",
    "templates/results/",
    "templates/seasons/",
    "templates/tables/",
    # in directors' apps: modules with sentences for players
    "bridgebuddy/clubs/people/public_names.py",
    "bridgebuddy/events/queries/plan/calls.py",
    "bridgebuddy/money/words.py",
    "movements/words/board_calls.py",
    "movements/words/calls.py",
    "movements/words/copies.py",
    "movements/words/descriptions.py",
    "movements/words/people_calls.py",
    "movements/words/rules.py",
    "movements/words/sentences.py",
)
#: directors' parts of players' apps: settings, and paper that only directors handle
DIRECTORS_PLACES = (
    *(
        f"bridgebuddy/printing/{name}.py"
        for name in (
            *("copies", "forms", "offers", "print_times", "sheets", "views", "words"),
            *("cards/edges", "cards/labels", "cards/rover_cards", "cards/score_cards"),
            *("cards/stand_cards", "cards/tent_cards", "lists/master_look"),
            *("lists/master_words", "lists/poster", "lists/seating"),
            *("slips/draw_slips", "slips/score_slips"),
        )
    ),
    *(
        f"templates/printing/{name}.html"
        for name in (
            *("booklet", "championship", "choose", "deal-slips", "draw-slips", "draw", "master"),
            *("movement", "pick-up-slips", "poster", "ranking", "rover-cards", "score-sheets"),
            *("score-slips", "sheet", "teams"),
            *("cash-body", "cash-sheet", "money-accounts", "money-bank", "money-month"),
        )
    ),
    "bridgebuddy/publication/models.py",
)
PARTIAL_LANGUAGES = {"ko": (PLAYERS_PLACES, DIRECTORS_PLACES)}
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
TIME_ZONE = env("TIME_ZONE", default="Europe/Berlin")
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = env("STATIC_ROOT", default=None)  # only for a separate server of static files
STATICFILES_DIRS = [HOUSE / "static"]
WHITENOISE_USE_FINDERS = True  # no collectstatic is needed before the first session
WHITENOISE_MAX_AGE = 3600
WHITENOISE_ALLOW_ALL_ORIGINS = False

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("ALLAUTH_TRUSTED_PROXY_COUNT", default=0)
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
if env.bool("HTTPS", default=False):
    if "ALLAUTH_TRUSTED_PROXY_COUNT" not in env.ENVIRON:
        raise ImproperlyConfigured(
            "Set ALLAUTH_TRUSTED_PROXY_COUNT, too: HTTPS says that a proxy stands in front, and whoever tries "
            "passwords or codes could not be told from others without it. One proxy is 1."
        )
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 31536000
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
# more than any page accepts, so that the page can name its limit
DATA_UPLOAD_MAX_NUMBER_FILES = 1000

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "bridgebuddy.operations.logs.PlainLines", "format": "%(message)s"},
        "json": {"()": "bridgebuddy.operations.logs.JsonLines"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": env("LOG_FORMAT", default="text"),
        }
    },
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", default="WARNING")},
}
# the token of a Prometheus server; empty: no metrics
METRICS_TOKEN = env("METRICS_TOKEN", default="")


def _report_errors(dsn: str) -> None:
    """Report errors to a Sentry server, without personal data."""
    try:
        import sentry_sdk
    except ImportError as missing:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set: pip install -r requirements-sentry.txt"
        ) from missing
    sentry_sdk.init(
        dsn=dsn,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=lambda event, hint: remove_personal_data(event),
    )


if dsn := env("SENTRY_DSN", default=""):
    _report_errors(dsn)

WEB_PROCESSES = env.int("WEB_PROCESSES", default=0)  # of the server; 0: one for each core
SEARCH_MEMORY = env.int("SEARCH_MEMORY", default=2048)  # MB, of each search for a live change

MESSAGE_TAGS = {10: "info", 20: "info", 25: "good", 30: "warn", 40: "bad"}
