"""Settings, all from the environment and one file: docs/running/settings.md lists them.

With nothing set, a clone answers only to its own machine.
"""

from pathlib import Path

from csp.constants import NONE, SELF

from taskboard import environment as env
from taskboard.house import HAS_SCRIPTS as HAS_SCRIPTS
from taskboard.house import HERE
from taskboard.house import RESOURCES as RESOURCES
from taskboard.version import VERSION as VERSION

BASE_DIR = HERE
CONFIG_FILE = env.use_file()
DATA = env.data_folder()
DEBUG = env.flag("TASKBOARD_DEBUG")
given_keys = env.secret_keys("TASKBOARD_SECRET_KEY")
REDIS_URL = env.redis("REDIS_URL")

# Where the service listens (taskboard/serving/address.py), and where it is reached
HOST = env.text("TASKBOARD_HOST", "127.0.0.1")
BASE_URL = env.address("TASKBOARD_BASE_URL", "http://127.0.0.1:8000")
ALLOWED_HOSTS = env.hosts("TASKBOARD_ALLOWED_HOSTS") or [
    "localhost",
    "127.0.0.1",
    "[::1]",
    env.host_of(BASE_URL),
]
CSRF_TRUSTED_ORIGINS = [BASE_URL]
CORS_ALLOWED_ORIGINS = env.addresses("TASKBOARD_CORS_ORIGINS")
CORS_PATHS = r"^/(?:api/v1/|mcp$)"
# Off means nowhere: preflights are then answered like any other method.
CORS_URLS_REGEX = CORS_PATHS if CORS_ALLOWED_ORIGINS else r"(?!)"
CORS_ALLOW_METHODS = ["GET", "POST", "PATCH", "DELETE"]
CORS_ALLOW_HEADERS = [
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
]
CORS_EXPOSE_HEADERS = [
    "ETag",
    "Link",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "Ignored-Fields",
    "Idempotency-Replayed",
]
TRUSTED_PROXIES = env.number("TASKBOARD_TRUSTED_PROXIES", 0, most=10)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    USE_X_FORWARDED_HOST = False
HTTPS = BASE_URL.startswith("https:")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
# With this prefix browsers take the cookies only over https, from this very host, for all of its paths.
SESSION_COOKIE_NAME = "__Host-sessionid" if HTTPS else "sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken" if HTTPS else "csrftoken"
CSRF_COOKIE_AGE = None  # until the browser is closed
SESSION_ENGINE = "accounts.sign_in.sessions.store"
SESSION_COOKIE_AGE = 60 * 60 * 24 * env.number("TASKBOARD_SESSION_IDLE", 14, least=1, most=400)
SESSION_LIFE = 60 * 60 * 24 * env.number("TASKBOARD_SESSION_DAYS", 90, least=1, most=400)  # since the sign-in
METRICS = env.choice("TASKBOARD_METRICS", "off", "loopback", "token")  # who may read /metrics
METRICS_TOKEN = env.bearer("TASKBOARD_METRICS_TOKEN", needed_by="TASKBOARD_METRICS=token", is_needed=METRICS == "token")
HSTS = env.choice("TASKBOARD_HSTS", "subdomains", "host", "preload", "off")
HSTS = HSTS if HTTPS else "off"
SECURE_HSTS_SECONDS = 0 if HSTS == "off" else 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = HSTS in ("subdomains", "preload")
SECURE_HSTS_PRELOAD = HSTS == "preload"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    *(["daphne"] if DEBUG else []),  # for runserver; elsewhere only a process that serves sockets loads it
    "taskboard",
    "operating",
    "core",
    "security",
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
    "importer",
    "account_deletion",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "channels",
    "corsheaders",
    "rest_framework",
    "operating.admin.OperatorsAdmin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    *(["operating.metrics.middleware.CountRequests"] if METRICS != "off" else []),
    "taskboard.middleware.ClientAddress",
    *(["taskboard.access_log.AccessLog"] if env.flag("TASKBOARD_ACCESS_LOG") else []),
    "django.middleware.security.SecurityMiddleware",
    "taskboard.page_middleware.Files",
    "taskboard.page_middleware.Compression",
    "corsheaders.middleware.CorsMiddleware",
    "taskboard.page_middleware.ContentPolicy",
    "taskboard.page_middleware.BrowserPermissions",
    "taskboard.page_middleware.Sessions",
    "taskboard.middleware.NoContent",
    "django.middleware.common.CommonMiddleware",
    "taskboard.middleware.LargeBodies",
    "django.middleware.csrf.CsrfViewMiddleware",
    "taskboard.page_middleware.Users",
    "taskboard.page_middleware.Use",
    "taskboard.middleware.NoStore",
    "taskboard.page_middleware.Locale",
    "taskboard.page_middleware.Browsers",
    "taskboard.page_middleware.Messages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.sign_in.factors.demand.DemandedFactor",
    "taskboard.form_limits.FormLimits",
    "taskboard.middleware.TooBusy",
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
# Bodies of forms with files may be larger: taskboard/bodies.py reads how large, by the pattern of the whole path
LARGEST_UPLOAD = env.number("TASKBOARD_LARGEST_UPLOAD", 100, least=1, most=10_000) * 1024 * 1024
LARGEST_UPLOAD_FORM = LARGEST_UPLOAD + 64 * 1024  # the files and the form around them
IMPORT_MEGABYTES = env.number("TASKBOARD_LARGEST_IMPORT", 200, least=1, most=10_000)
LARGE_BODIES = {
    r"/settings/profile/picture": 10 * 1024 * 1024 + 64 * 1024,  # a picture of 10 MiB and the form around it
    r"/card/[-0-9A-Fa-f]{36}/attachments": LARGEST_UPLOAD_FORM,
    r"/api/v1/cards/[^/]+/attachments": LARGEST_UPLOAD_FORM,
    r"/settings/data/import": IMPORT_MEGABYTES * 1024 * 1024 + 64 * 1024,
}

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [RESOURCES / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.site",
                "operating.banner.pages.context",
            ],
            "builtins": [
                "core.templatetags.style_tags",
                "core.templatetags.kept_tags",
                "core.templatetags.list_tags",
                "web.templatetags.board_tags",
                "web.templatetags.key_tags",
            ],
        },
    }
]

# Database: docs/decisions/database.md says why these options
DATABASES: dict[str, dict] = {"default": {**env.database(default=DATA / "taskboard.sqlite3")}}
DB_POOL = env.number("TASKBOARD_DB_POOL", 8, least=1, most=200)
POSTGRESQL = DATABASES["default"]["ENGINE"].endswith("postgresql")
if POSTGRESQL:
    DATABASES["default"]["ENGINE"] = "taskboard.databases.postgresql"
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 2,  # seconds
        "tcp_user_timeout": 5000,  # milliseconds, for connections that a firewall forgot
        "keepalives_idle": 60,
        "prepare_threshold": 5,  # for the fixed statements of core/sql.py; Django's cursors prepare nothing
        **DATABASES["default"].get("OPTIONS", {}),
        "pool": {
            "min_size": 1,
            "max_size": DB_POOL,
            "timeout": 1.5,
            "reconnect_timeout": 2,
        },
        # The server gives up a host that vanished with a lock of a board in its hand, and its connections.
        "options": "-c lock_timeout=10s -c idle_in_transaction_session_timeout=10s -c tcp_keepalives_idle=10"
        " -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2 -c tcp_user_timeout=20s"
        f" {DATABASES['default'].get('OPTIONS', {}).get('options', '')}".rstrip(),
    }
else:
    DATABASES["default"]["ENGINE"] = "taskboard.databases.sqlite"
    DATABASES["default"]["CONN_MAX_AGE"] = None
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,  # seconds that a writer waits for another
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Copies that a worker keeps by age, and what encrypts backups: docs/decisions/backup.md
BACKUPS = env.folder("TASKBOARD_BACKUPS")
BACKUP_PASSPHRASE_FILE = env.file("TASKBOARD_BACKUP_PASSPHRASE_FILE")

# Cache: Redis where there is one, else inside the one process; the bus (core/bus/) goes by the same
CACHES: dict[str, dict] = {
    name: {
        "BACKEND": "taskboard.cache.Cache" if REDIS_URL else "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": REDIS_URL or name,
        "KEY_PREFIX": name,
        "OPTIONS": {"MAX_ENTRIES": 100_000},  # in memory, 31 MB; those that were not used for longest go first
    }
    for name in ("default", "limits", "attempts")
}

# Tasks: rows of the database, run by `bin/manage worker` or inside `bin/serve` (docs/decisions/jobs.md)
TASKS = {
    "default": {
        "BACKEND": "jobs.backend.Backend",
        "QUEUES": [],  # any: core/limits/queues.py has one for each account
        "OPTIONS": {"id_function": "uuid_utils.compat.uuid7"},
    }
}

# Rate limits, counted in the cache "limits" (security/limits.py; docs/decisions/limits.md has the reasons)
LIMITS = env.limits(
    "TASKBOARD_LIMITS",
    {
        # calls, for each token; all tokens of an account together may do four times as much
        "me": "120/m",
        "boards": "30/m",
        "boards-read": "120/m",
        "cards": "30/m",
        "token": "30/m",
        "read": "300/m",
        "write": "120/m",
        "batch": "10/m",
        "upload": "60/m",
        "mcp": "1200/m",
        "mcp-call": "200/m",
        "mcp-many": "20/m",
        # the device flow
        "cli-start": "30/m",
        "cli-poll": "300/m",
        "cli-code": "60/m",
        "cli-wrong": "5/10m",
        "cli-wrong-address": "20/10m",
        "export": "5/h",
        # forms of pages, for each account
        "forms": "300/m",
        "presence": "120/m",
        "search": "240/m",
        "new-boards": "30/h",
        "new-cards": "120/m",
        "copies": "60/h",
        "comments": "60/m",
        "invitations": "30/h",
        "push-browsers": "30/h",
        "links": "30/h",
        "new-email": "10/h",
        "pictures": "30/h",
        "files": "600/h",
        "imports": "30/h",
        "new-tokens": "20/h",
        "new-tokens-day": "60/d",
        "test-mail": "5/10m",
        # forms of people who are not signed in, for each address
        "join": "120/10m",  # invitation links that are opened, right or wrong
        "entrance": "60/m",
        "sign-up": "60/h",
        "reset": "20/h",
        "passkey": "300/m",
        # passwords: docs/decisions/limits.md
        "sign-in": "5/5m",
        "sign-in-account": "30/h",
        "sign-in-account-day": "100/d",
        "sign-in-address": "20/10m",
        "own-tries": "3/d",
        "sign-in-known": "10/10m",
        "sign-in-known-day": "100/d",
        "password": "10/10m",
        "password-day": "100/d",
        # codes of the second step
        "second-step": "5/10m",
        "second-step-account": "20/h",
        "second-step-account-day": "60/d",
        "second-step-address": "20/10m",
        "second-step-known": "10/10m",
        "second-step-known-day": "60/d",
        # mails to one mailbox
        "mail-reset": "3/h",
        "mail-unknown-day": "10/d",
        "mail-confirm": "3/h",
        "mail-confirm-day": "10/d",
        "mail-sign-in-day": "10/d",
        # boards by their public links: pages and parts of them for each address; passwords for each address and link, and
        # for each link
        "public-pages": "120/m",
        "public-parts": "600/m",
        "public-files": "3000/m",
        "public-password": "10/10m",
        "public-password-known-day": "100/d",
        "public-password-link": "1000/d",
        "live-address": "1500/m",
        "live-session": "240/m",
    },
)
# Sockets of live pages that may be open at a time
SOCKETS_PER_PERSON = env.number("TASKBOARD_SOCKETS_PER_PERSON", 50, least=1)
SOCKETS_PER_LINK = env.number("TASKBOARD_SOCKETS_PER_LINK", 300, least=1)
SOCKETS_PER_ADDRESS = env.number("TASKBOARD_SOCKETS_PER_ADDRESS", 1000, least=1)
RATELIMIT_USE_CACHE = "limits"
RATELIMIT_FAIL_OPEN = True  # a count that the cache forgot between two steps refuses nobody
# django-ratelimit wants a shared cache and knows those of Django. In the embedded default there is one process, so local
# memory is shared by all there is; with several processes REDIS_URL is set, and the cache is ours.
SILENCED_SYSTEM_CHECKS = ["django_ratelimit.E003", "django_ratelimit.W001"]
# Operators decide (docs/running/settings.md): the proxy leads to https (W008), and TASKBOARD_HSTS says how much of the
# domain is bound to it (W004, W005, W021).
SILENCED_SYSTEM_CHECKS += ["security.W008"]
SILENCED_SYSTEM_CHECKS += [] if HSTS == "preload" else ["security.W021"]
SILENCED_SYSTEM_CHECKS += ["security.W004", "security.W005"] if HTTPS and HSTS in ("host", "off") else []

# Accounts
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.sign_in.sessions.backend.Backend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
PUBLIC_LINKS = env.choice("TASKBOARD_PUBLIC_LINKS", "on", "off") == "on"
SIGNUP = env.choice("TASKBOARD_SIGNUP", "open", "closed", "invited")
SIGNUP_OPEN = SIGNUP == "open"
SIGNUP_BY_LINK = SIGNUP == "invited"  # only for who follows an invitation link
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_RATE_LIMITS = False  # ours count: LIMITS above
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_FORMS = {"login": "accounts.forms.SignIn", "signup": "accounts.forms.SignUp"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # only in the browser that signed up
PASSWORD_RESET_TIMEOUT = 60 * 60
ACCOUNT_REAUTHENTICATION_TIMEOUT = (
    15 * 60
)  # seconds for which a typed password is enough: accounts/sign_in/confirmation.py
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Taskboard] "
# The second step: docs/decisions/accounts.md
SECOND_FACTOR = env.choice("TASKBOARD_SECOND_FACTOR", "off", "operators", "all")
MFA_ADAPTER = "accounts.sign_in.factors.adapter.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_RECOVERY_CODE_DIGITS = 10
MFA_ALLOW_UNVERIFIED_EMAIL = True  # where there is mail, an account without a confirmed address cannot sign in
# Single sign-on by OpenID Connect: docs/decisions/accounts.md
OIDC_URL = env.issuer("TASKBOARD_OIDC_URL")
OIDC_CLIENT_ID = env.text("TASKBOARD_OIDC_CLIENT_ID")
OIDC_CLIENT_SECRET = env.text("TASKBOARD_OIDC_CLIENT_SECRET")
OIDC_NAME = env.text("TASKBOARD_OIDC_NAME", env.host_of(OIDC_URL) if OIDC_URL else "")
OIDC_SCOPES = env.scopes("TASKBOARD_OIDC_SCOPES", "openid profile email")
OIDC_ORIGINS = env.addresses("TASKBOARD_OIDC_ORIGINS")
OIDC_GROUPS_CLAIM = env.text("TASKBOARD_OIDC_GROUPS_CLAIM", "groups")
OIDC_OPERATOR_GROUP = env.text("TASKBOARD_OIDC_OPERATOR_GROUP")
OIDC_PLAN_GROUPS = env.pairs("TASKBOARD_OIDC_PLAN_GROUPS", "staff=pro")
OIDC_SECOND_FACTOR = env.names("TASKBOARD_OIDC_SECOND_FACTOR")
OIDC_ONLY = env.flag("TASKBOARD_OIDC_ONLY")
env.need_together(
    TASKBOARD_OIDC_URL=OIDC_URL,
    TASKBOARD_OIDC_CLIENT_ID=OIDC_CLIENT_ID,
    TASKBOARD_OIDC_CLIENT_SECRET=OIDC_CLIENT_SECRET,
)
env.need("TASKBOARD_OIDC_ONLY", OIDC_ONLY, "TASKBOARD_OIDC_URL", OIDC_URL)
PASSWORD_HASHERS = ["accounts.sign_in.password.hashers.InTurns"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["email", "name"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "accounts.sign_in.password.rules.GuessValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
MAIL = env.mail("TASKBOARD_EMAIL_URL")
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if MAIL else "none"  # docs/decisions/accounts.md
ACCOUNT_EMAIL_NOTIFICATIONS = bool(MAIL)
EMAIL_TIMEOUT = 30  # seconds
if MAIL:
    vars().update(MAIL)
# Who gets mails about invitations: also addresses without an account (docs/decisions/people.md)
INVITATION_MAIL = env.choice("TASKBOARD_INVITATION_MAIL", "everyone", "accounts")
DEFAULT_FROM_EMAIL = env.sender("TASKBOARD_EMAIL_FROM", f"Taskboard <taskboard@{env.host_of(BASE_URL)}>")

# Web Push: docs/decisions/notifications.md. The key comes from SECRET_KEY, unless there is one here.
PUSH_PRIVATE_KEYS = env.push_keys("TASKBOARD_PUSH_PRIVATE_KEY")
PUSH_CONTACT = env.contact("TASKBOARD_PUSH_CONTACT", env.contact_of(BASE_URL, DEFAULT_FROM_EMAIL))
# Servers from which boards may be imported though they are on private addresses or without https: docs/decisions/outgoing.md
IMPORT_SERVERS = env.addresses("TASKBOARD_IMPORT_SERVERS")
PUSH_SERVERS = env.addresses("TASKBOARD_PUSH_SERVERS")  # push services that may be on private addresses

# Languages and time
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
    ("pt-br", "Português (Brasil)"),
    ("ja", "日本語"),
    ("zh-hans", "简体中文"),
]
LOCALE_PATHS = [RESOURCES / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# Static files: collected by bin/serve into the data folder, served by WhiteNoise with far-future names
STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [RESOURCES / "static"]
# Files that people upload: never served from their folder, but by views that check who asks
FILES = Path(env.text("TASKBOARD_FILES", str(DATA / "files"))).resolve()
# The internal location at which nginx finds FILES: docs/running/growing.md
ACCEL_REDIRECT = env.text("TASKBOARD_ACCEL_REDIRECT", "")
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700
S3_BUCKET = env.text("TASKBOARD_S3_BUCKET")  # if set, they are kept there and not in FILES
S3_ENDPOINT = env.endpoint("TASKBOARD_S3_ENDPOINT")
S3_REGION = env.text("TASKBOARD_S3_REGION")
S3_KEYS = (env.text("AWS_ACCESS_KEY_ID"), env.text("AWS_SECRET_ACCESS_KEY"), env.text("AWS_SESSION_TOKEN"))
S3_REDIRECT = env.flag("TASKBOARD_S3_REDIRECT")
STORAGES = {
    "default": env.bucket(S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_KEYS)
    if S3_BUCKET
    else {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(FILES)}},
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
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "Color": "apiv1.shapes.COLORS",
        "Role": "boards.models.Role.values",
        "GivenRole": "apiv1.members.shapes.ROLES",
    },
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "DESCRIPTION": "Boards and cards for scripts. Send your API token as `Authorization: Bearer TOKEN`. "
    "A PATCH may call its body `application/merge-patch+json` too.",
}

LOG = env.choice("TASKBOARD_LOG", "lines", "json")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "taskboard.logs.Lines"}, "json": {"()": "taskboard.logs.JsonLines"}},
    "filters": {
        "without keys": {"()": "taskboard.logs.WithoutKeys"},
        "told already": {"()": "taskboard.logs.ToldAlready"},
        "unknown host": {"()": "taskboard.logs.UnknownHost"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG, "filters": ["without keys"]}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "security": {"level": "INFO"},
        "django.request": {"level": "ERROR", "filters": ["told already"]},
        "django.security.DisallowedHost": {"filters": ["unknown host"]},
        "django.server": {"level": "WARNING"},
        "taskboard.access": {"level": "INFO"},
        "taskboard.start": {"level": "INFO"},
        "urllib3": {"level": "ERROR"},  # its warnings have addresses in them, which may be secret
        "psycopg.pool": {"level": "ERROR"},  # taskboard/databases/postgresql/ says once that PostgreSQL is away
    },
}

# Last, so that a start that is refused has made nothing
env.refuse_unknown(CONFIG_FILE)
env.keep_private(DATA)
SECRET_KEY, *SECRET_KEY_FALLBACKS = given_keys or [env.kept_secret(DATA / "secret_key")]
