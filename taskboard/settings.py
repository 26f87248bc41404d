"""Settings, all from the environment (docs/running.md lists them). Nothing set: a clone that answers only to its own machine."""

from pathlib import Path

import django_stubs_ext
from csp.constants import NONE, SELF

from taskboard import environment as env

django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA = Path(env.text("TASKBOARD_DATA", str(BASE_DIR / "data"))).resolve()
DEBUG = env.flag("TASKBOARD_DEBUG")
SECRET_KEY = env.secret("TASKBOARD_SECRET_KEY", kept_in=DATA / "secret_key")
REDIS_URL = env.redis("REDIS_URL")

# Where the service is reached
BASE_URL = env.address("TASKBOARD_BASE_URL", "http://127.0.0.1:8000")
ALLOWED_HOSTS = env.hosts("TASKBOARD_ALLOWED_HOSTS") or [
    "localhost",
    "127.0.0.1",
    "[::1]",
    env.host_of(BASE_URL),
]
CSRF_TRUSTED_ORIGINS = [BASE_URL]
CORS_ALLOWED_ORIGINS = env.addresses("TASKBOARD_CORS_ORIGINS")
# Off means nowhere: preflights are then answered like any other method.
CORS_URLS_REGEX = r"^/api/v1/" if CORS_ALLOWED_ORIGINS else r"(?!)"
CORS_ALLOW_METHODS = ["GET", "POST", "DELETE"]
CORS_ALLOW_HEADERS = ["authorization", "content-type", "idempotency-key", "mcp-protocol-version"]
CORS_EXPOSE_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"]
TRUSTED_PROXIES = env.number("TASKBOARD_TRUSTED_PROXIES", 0, most=10)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    USE_X_FORWARDED_HOST = False
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = BASE_URL.startswith("https:")
SECURE_HSTS_SECONDS = 31_536_000 if SESSION_COOKIE_SECURE else 0
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "daphne",
    "taskboard",
    "core",
    "accounts",
    "boards",
    "django_tasks",
    "django_tasks_db",
    "jobs",
    "notifications",
    "web",
    "apiv1",
    "cliauth",
    "mcpserver",
    "exporter",
    "allauth",
    "allauth.account",
    "channels",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "accounts.admin_site.OperatorsAdmin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "taskboard.middleware.ClientAddress",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "taskboard.middleware.NoContent",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.Preferences",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

ROOT_URLCONF = "taskboard.urls"
WSGI_APPLICATION = "taskboard.wsgi.application"
ASGI_APPLICATION = "taskboard.asgi.application"
APPEND_SLASH = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024  # bytes: 1 MiB for every body

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.site",
            ],
            "builtins": ["web.templatetags.board_tags"],
        },
    }
]

# Database: docs/decisions/database.md says why these options
DATABASES: dict[str, dict] = {"default": {**env.database(default=DATA / "taskboard.sqlite3")}}
POSTGRESQL = DATABASES["default"]["ENGINE"].endswith("postgresql")
if POSTGRESQL:
    DATABASES["default"]["OPTIONS"] = {
        **DATABASES["default"].get("OPTIONS", {}),
        "pool": {
            "min_size": 1,
            "max_size": env.number("TASKBOARD_DB_POOL", 8, least=1, most=200),
            "timeout": 10,
        },
        "options": "-c lock_timeout=10s -c idle_in_transaction_session_timeout=60s",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = None
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Cache: Redis where there is one, else inside the one process; the bus (core/bus/) goes by the same
if REDIS_URL:
    CACHES: dict[str, dict] = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL, "KEY_PREFIX": "c"},
        "limits": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL, "KEY_PREFIX": "l"},
    }
else:
    CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "default"},
        "limits": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": "limits",
            "OPTIONS": {"MAX_ENTRIES": 100_000},  # 31 MB; the least used go first, and all but this minute's are past
        },
    }

# Tasks: rows of the database, run by `bin/manage work` or inside `bin/serve` (docs/decisions/jobs.md)
TASKS = {"default": {"BACKEND": "jobs.backend.Backend", "OPTIONS": {"id_function": "uuid_utils.compat.uuid7"}}}

# Rate limits by endpoint, counted by django-ratelimit
RATELIMIT_USE_CACHE = "limits"
LIMITS = env.limits(
    "TASKBOARD_LIMITS",
    {
        "me": "120/m",
        "boards": "30/m",
        "boards-read": "120/m",
        "cards": "30/m",
        "token": "30/m",
        "mcp": "1200/m",
        "mcp-call": "200/m",
        "cli-start": "30/m",
        "cli-poll": "300/m",
        "cli-code": "60/m",
        "cli-wrong": "5/10m",
        "cli-wrong-address": "20/10m",
        "export": "5/h",
    },
)
# django-ratelimit wants a shared cache. In the embedded default there is one process, so local memory is shared by all
# there is; with several processes REDIS_URL is set and the checks pass by themselves.
SILENCED_SYSTEM_CHECKS = [] if REDIS_URL else ["django_ratelimit.E003", "django_ratelimit.W001"]

# Accounts
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
SIGNUP_OPEN = env.choice("TASKBOARD_SIGNUP", "open", "closed") == "open"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_FORMS = {"signup": "accounts.forms.SignUp"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Taskboard] "
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
MAIL = env.mail("TASKBOARD_EMAIL_URL")
ACCOUNT_EMAIL_VERIFICATION = "optional" if MAIL else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = bool(MAIL)
EMAIL_TIMEOUT = 30  # seconds
if MAIL:
    vars().update(MAIL)
DEFAULT_FROM_EMAIL = env.text("TASKBOARD_EMAIL_FROM", f"Taskboard <taskboard@{env.host_of(BASE_URL)}>")

# Languages and time
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
    ("pt-br", "Português (Brasil)"),
    ("ja", "日本語"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# Static files: collected by bin/serve into the data folder, served by WhiteNoise with far-future names
STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "taskboard.static.Storage"},
}

REST_FRAMEWORK = {  # what apiv1/base.py does not say itself
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "apiv1.errors.handle",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Taskboard API",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "DESCRIPTION": "Boards and cards for scripts. Send your API token as `Authorization: Bearer TOKEN`.",
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {"django.request": {"level": "ERROR"}, "django.server": {"level": "WARNING"}},
}
