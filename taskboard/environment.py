"""Read settings. A missing variable has a default; a wrong one raises ImproperlyConfigured."""

import base64
import binascii
import contextlib
import importlib.util
import os
import re
import secrets
import smtplib
import stat
import tempfile
from collections.abc import Callable
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured
from redis import ConnectionPool, RedisError

from taskboard.house import HAS_SCRIPTS, IS_INSTALLED
from taskboard.variables import FILE
from taskboard.variables import data_folder as data_folder
from taskboard.variables import refuse_unknown as refuse_unknown
from taskboard.variables import text as text
from taskboard.variables import use_file as use_file

HOST = re.compile(r"\.?[\w.-]+|\[[0-9a-fA-F:.]+\]")
ADDRESS = re.compile(rf"https?://({HOST.pattern})(:[0-9]{{1,5}})?")
# http only on this machine, to try things out
ISSUER = re.compile(r"(https://[\w.-]+|http://(localhost|127\.0\.0\.1))(:[0-9]{1,5})?(/[\w.~/%:@-]*)?")
CONTACT = re.compile(r"mailto:[^\s@]+@[^\s@]+|https://[^\s]+")
P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # how many private keys the curve has
RATE = re.compile(r"[1-9][0-9]*/([1-9][0-9]*)?[smhd]")
S3_CONNECT, S3_READ = 2, 5  # seconds that a bucket may take to accept a connection, and to go on answering
DATABASES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")


def flag(name: str, default: bool = False) -> bool:
    value = text(name, "1" if default else "0")
    if value not in ("0", "1"):
        raise ImproperlyConfigured(f"{name} is {value!r}: write 0 or 1.")
    return value == "1"


def number(name: str, default: int, least: int = 0, most: int = 1_000_000) -> int:
    value = text(name, str(default))
    if not value.isdecimal() or not least <= int(value) <= most:
        raise ImproperlyConfigured(f"{name} is {value!r}: write a whole number from {least} to {most}.")
    return int(value)


def choice(name: str, *allowed: str) -> str:
    """Return one of `allowed`; the first is the default."""
    value = text(name, allowed[0])
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}: write one of {', '.join(allowed)}.")
    return value


def folder(name: str) -> Path | None:
    """Return an absolute path; None for `off`, the default."""
    value = text(name, "off")
    if value == "off":
        return None
    if not Path(value).is_absolute():
        raise ImproperlyConfigured(f"{name} is {value!r}: write off, or a folder like /var/backups/taskboard.")
    return Path(value)


def file(name: str) -> str:
    """Return the path of a file that this user can read; "" where none is named."""
    value = text(name)
    if value and (Path(value).is_dir() or not os.access(value, os.R_OK)):
        raise ImproperlyConfigured(
            f"{name} is {value!r}, which is not a file that this user can read: create it, or name another one."
        )
    return value


def names(name: str) -> list[str]:
    return [part.strip() for part in text(name).split(",") if part.strip()]


def hosts(name: str) -> list[str]:
    """Return names or addresses of machines, without scheme and port."""
    for value in names(name):
        if value != "*" and not HOST.fullmatch(value):
            raise ImproperlyConfigured(
                f"{name}: {value!r} is not a host: write it like boards.example.com or 192.168.1.5."
            )
    return names(name)


def address(name: str, default: str) -> str:
    return _address(name, text(name, default))


def host_of(url: str) -> str:
    """Return the host as requests name it: an IPv6 address in brackets."""
    host = str(urlsplit(url).hostname)
    return f"[{host}]" if ":" in host else host


def endpoint(name: str) -> str:
    """Return the address of an S3 server; "" for that of AWS."""
    value = text(name)
    if value and not ADDRESS.fullmatch(value):
        raise ImproperlyConfigured(f"{name} is {value!r}: write it like https://s3.example.com.")
    return value


def addresses(name: str) -> list[str]:
    return [_address(name, value) for value in names(name)]


def _address(name: str, value: str) -> str:
    """Return an http(s) address without a path as browsers send it in Origin: in small letters, without the usual port."""
    value = value.rstrip("/").lower()
    if not ADDRESS.fullmatch(value) or not _has_usable_port(value):
        raise ImproperlyConfigured(f"{name} is {value!r}: write an address such as https://boards.example.com.")
    scheme = value.partition(":")[0]
    return value.removesuffix({"http": ":80", "https": ":443"}[scheme])


def _has_usable_port(url: str) -> bool:
    """Tell whether the port is from 1 to 65535, or left out."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def issuer(name: str) -> str:
    """Return the address of an OpenID provider as it writes it itself, perhaps with a path and a slash at the end."""
    value = text(name)
    if value and not ISSUER.fullmatch(value):
        raise ImproperlyConfigured(
            f"{name} is {value!r}: write the issuer exactly as the provider does, with https, such as "
            "https://login.example.com/realms/main."
        )
    return value


def scopes(name: str, default: str) -> list[str]:
    found = text(name, default).split()
    if "openid" not in found:
        raise ImproperlyConfigured(f"{name} lacks openid: write scopes with spaces between them, such as {default}.")
    return found


def pairs(name: str, example: str) -> dict[str, str]:
    """Return names by names, as in `staff=pro,guests=free`."""
    found = {}
    for part in names(name):
        key, _, value = (side.strip() for side in part.rpartition("="))
        if not key or not value:
            raise ImproperlyConfigured(
                f"{name}: {part!r} is not understood: write it like {example}, with commas between."
            )
        found[key] = value
    return found


def need_together(**values: str) -> None:
    """Stop unless all of these are set, or none."""
    missing = [name for name, value in values.items() if not value]
    if missing and len(missing) < len(values):
        raise ImproperlyConfigured(f"Set {' and '.join(missing)} too: {', '.join(values)} belong together.")


def need(name: str, value: object, other: str, given: object) -> None:
    if value and not given:
        raise ImproperlyConfigured(f"{name} is set without {other}: set that too, or neither.")


def bearer(name: str, *, needed_by: str, is_needed: bool) -> str:
    """Return a token that clients send; "" where none is needed."""
    value = text(name)
    if value and not is_needed:
        raise ImproperlyConfigured(f"{name} is set without {needed_by}: set that too, or neither.")
    if is_needed and not value:
        raise ImproperlyConfigured(f"{needed_by} needs {name}: write at least 32 random characters into it.")
    if value and not (is_strong(value) and value.isascii() and " " not in value):
        raise ImproperlyConfigured(
            f"{name} is too short or too simple: write at least 32 random letters and digits, without spaces."
        )
    return value


def redis(name: str) -> str:
    value = text(name)
    if value and not (_has_usable_port(value) and urlsplit(value).scheme in ("redis", "rediss", "unix")):
        raise _unreadable(name, "redis://:password@host:6379/0")
    if value:
        _require_known_options(name, value)
    return value


def _require_known_options(name: str, url: str) -> None:
    """Raise ImproperlyConfigured for what follows ? and is no option of a connection, which otherwise fails when it is made."""
    try:
        ConnectionPool.from_url(url).make_connection()  # does not connect yet
    except (TypeError, ValueError, RedisError):
        raise ImproperlyConfigured(
            f"{name} has an option after ? that redis-py does not know, or a wrong value of one: leave it out. In a password "
            "write ? as %3F."
        ) from None


def _unreadable(name: str, example: str) -> ImproperlyConfigured:
    """Return the error for an address that may hold a password, which it does not show."""
    marks = "In a password write / as %2F, ? as %3F and # as %23."
    return ImproperlyConfigured(f"{name} cannot be read: write it like {example}. {marks}")


def parsed(name: str, reader: Callable[[str], dict], example: str) -> dict:
    """Return what django-environ reads from a URL (database, mail server); {} if the variable is not set."""
    value = text(name)
    if not value:
        return {}
    try:
        return reader(value)
    except Exception:  # each reader raises errors of its own, which may quote a part of the password
        raise _unreadable(name, example) from None


def database(default: Path) -> dict:
    """Return Django's settings of the database: PostgreSQL if DATABASE_URL names one, otherwise a SQLite file."""
    if not text("DATABASE_URL"):
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": default}
    example = "postgres://user:password@host:5432/name"
    found = parsed("DATABASE_URL", environ.Env.db_url_config, example)
    if found.get("ENGINE") not in DATABASES or not found.get("NAME"):
        raise ImproperlyConfigured(f"DATABASE_URL names no PostgreSQL database: write it like {example}.")
    return found


def mail(name: str) -> dict:
    """Return Django's settings of the mail server; {} if there is none."""
    found = parsed(name, environ.Env.email_url_config, "smtp+tls://user:password@host:587")
    if found and not found["EMAIL_PORT"]:
        found["EMAIL_PORT"] = smtplib.SMTP_SSL_PORT if found.get("EMAIL_USE_SSL") else smtplib.SMTP_PORT
    return found


def limits(name: str, defaults: dict[str, str]) -> dict[str, str] | None:
    """Return rates by endpoint: `defaults`, overridden by a value such as `me=120/m,cards=30/m`. None for `off`."""
    if text(name) == "off":
        return None
    rates = dict(defaults)
    for part in names(name):
        key, _, rate = part.partition("=")
        if key not in defaults or not RATE.fullmatch(rate):
            raise ImproperlyConfigured(
                f"{name}: {part!r} is not understood: write off, or NAME=NUMBER/m with a NAME of {', '.join(defaults)}."
            )
        rates[key] = rate
    return rates


def secret_keys(name: str) -> list[str]:
    """Return the keys in the environment, the newest first.

    Whatever an older key has signed is still read, so that a new one signs nobody out.
    """
    given = names(name)
    if not all(map(is_strong, given)):
        raise ImproperlyConfigured(
            f"{name} is too short or too simple: write at least 32 random characters, or several such keys with "
            "commas between them, the newest first."
        )
    return given


def kept_secret(path: Path) -> str:
    """Return the key that the first start makes in the data folder."""
    try:
        if not path.exists():
            make_secret(path)
        key = path.read_bytes().decode("utf-8", "replace").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {path.parent} cannot be used ({error.strerror}): "
            "set TASKBOARD_DATA to a folder that this user may write to."
        ) from error
    if not is_strong(key):
        raise ImproperlyConfigured(
            f"The file {path} holds no secret key: restore it from a backup, or remove it. The next start then makes "
            "a new one, and everybody has to sign in again."
        )
    return key


def push_keys(name: str) -> list[str]:
    """Return private keys of P-256 as base64url, the newest first."""
    for key in names(name):
        try:
            raw = base64.b64decode(key + "=" * (-len(key) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raw = b""
        if len(raw) != 32 or not 0 < int.from_bytes(raw) < P256:
            raise ImproperlyConfigured(
                f"{name} holds no private key: write one of P-256 as base64url, 43 characters, as tools for VAPID do; or "
                "several with commas between them, the newest first."
            )
    return names(name)


def sender(name: str, default: str) -> str:
    value = text(name, default)
    if not re.fullmatch(r"[^\s@]+@[^\s@]+", parseaddr(value)[1]):
        raise ImproperlyConfigured(
            f"{name} is {value!r}: write it like Boards <boards@example.com>, a name that has commas in double quotes."
        )
    return value


def contact(name: str, default: str) -> str:
    value = text(name, default)
    if not CONTACT.fullmatch(value):
        raise ImproperlyConfigured(f"{name} is {value!r}: write it like mailto:operator@example.com.")
    return value


def contact_of(base_url: str, sender: str) -> str:
    """Return whom push services write to if there is trouble, where nobody is named: the service, or the sender of its mails."""
    return base_url if base_url.startswith("https:") else f"mailto:{parseaddr(sender)[1]}"


def is_strong(key: str) -> bool:
    return len(key) >= 32 and len(set(key)) >= 8 and key.isprintable() and "\ufffd" not in key


made_here: list[Path] = []  # the secret keys that this process made


def make_secret(path: Path) -> None:
    # Written in full and then linked, so that another process never reads a part of it or another key. The name of the
    # draft is one that no other process has: containers that share a data folder often have the same number.
    path.parent.mkdir(parents=True, exist_ok=True)
    key = secrets.token_urlsafe(48)
    with tempfile.NamedTemporaryFile("w", prefix=f"{path.name}.", dir=path.parent) as draft:
        draft.write(key)
        draft.flush()
        os.fsync(draft.fileno())
        with contextlib.suppress(FileExistsError):  # another process of the same first start was quicker
            try:
                os.link(draft.name, path)
            except FileExistsError:
                raise
            except OSError:  # some network drives have no hard links
                with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                    file.write(key)
            made_here.append(path)


def take_back_secrets() -> None:
    """Remove the secret keys that this process made, where it did nothing that needs them."""
    while made_here:
        made_here.pop().unlink(missing_ok=True)


def keep_private(data: Path) -> None:
    """Let only this user read the data folder: password hashes, sessions, every board.

    New files are private by the umask. Those of earlier versions are mended here, where they are ours to mend: never a
    folder that is shared, such as /tmp.
    """
    os.umask(0o077)
    found = [data, *data.glob("*.sqlite3*"), data / "secret_key", data / "serve.lock", data / FILE]
    for path in found:
        with contextlib.suppress(OSError):
            facts = path.stat()
            if facts.st_uid == os.geteuid() and not facts.st_mode & stat.S_ISVTX and facts.st_mode & 0o077:
                path.chmod(stat.S_IMODE(facts.st_mode) & ~0o077)


def how_to_add_s3() -> str:
    if IS_INSTALLED:
        return "install taskboard-server with its extra s3"
    if not HAS_SCRIPTS:
        return "build the image with --build-arg S3=1"
    return "run pip install --no-deps -r requirements-s3.txt in the service's environment"


def bucket(name: str, endpoint: str, region: str, keys: tuple[str, str, str] = ("", "", "")) -> dict[str, object]:
    """Return the storage of an S3 bucket. Without keys the SDK of AWS looks for them where it usually does."""
    access_key, secret_key, session_token = keys
    if importlib.util.find_spec("storages") is None or importlib.util.find_spec("boto3") is None:
        todo = how_to_add_s3()
        raise ImproperlyConfigured(f"TASKBOARD_S3_BUCKET needs two packages more: {todo}.")
    from botocore.config import Config  # type: ignore[import-not-found]  # an optional package: requirements-s3.txt

    style = {"addressing_style": "path" if endpoint else "auto"}
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": name,
            "endpoint_url": endpoint or None,
            "region_name": region or None,
            "access_key": access_key or None,
            "secret_key": secret_key or None,
            "security_token": session_token or None,
            "client_config": Config(
                s3=style,
                signature_version="s3v4",
                connect_timeout=S3_CONNECT,
                read_timeout=S3_READ,
                retries={"mode": "standard", "total_max_attempts": 2},
            ),
            "default_acl": None,  # what the bucket says: it must be private
            "file_overwrite": False,
            "querystring_expire": 60,  # seconds that a signed address works
            "max_memory_size": 1024 * 1024,  # of a file that is read; more goes to the disk
        },
    }
