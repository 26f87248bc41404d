"""Settings come from the environment: none are needed, and a wrong one stops the start with a sentence."""

import errno
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from taskboard import environment, variables
from taskboard.tests.servers import ROOT, bare_environment


def load(data: Path, ask: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", f"import taskboard.settings as settings\n{ask}"]
    given = bare_environment() | {"TASKBOARD_DATA": str(data)} | environment
    return subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=60)


def test_a_clone_runs_without_any_and_answers_only_to_its_own_machine(processes: None, tmp_path: Path) -> None:
    loaded = load(tmp_path, "print(settings.BASE_URL, settings.DEBUG, sorted(set(settings.ALLOWED_HOSTS)))")
    assert loaded.stdout == "http://127.0.0.1:8000 False ['127.0.0.1', '[::1]', 'localhost']\n"


def test_the_secret_key_is_made_once_and_hidden_from_other_users(processes: None, tmp_path: Path) -> None:
    first, second = (load(tmp_path, "print(settings.SECRET_KEY)").stdout for _start in range(2))
    assert len(first) > 32
    assert first == second
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_a_secret_key_can_be_made_once_a_full_disk_has_room_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(environment, "made_here", [])
    with monkeypatch.context() as context:
        context.setattr(os, "fsync", full)
        with pytest.raises(ImproperlyConfigured, match="No space left on device"):
            environment.kept_secret(tmp_path / "secret_key")
    assert environment.is_strong(environment.kept_secret(tmp_path / "secret_key"))
    assert list(tmp_path.iterdir()) == [tmp_path / "secret_key"]


@pytest.mark.parametrize("error", [errno.EPERM, errno.EOPNOTSUPP])
def test_a_secret_key_can_be_made_in_a_folder_without_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    def none(*paths: object) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(environment, "made_here", [])
    monkeypatch.setattr(os, "link", none)
    key = environment.kept_secret(tmp_path / "secret_key")
    assert environment.is_strong(key)
    assert environment.kept_secret(tmp_path / "secret_key") == key
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_containers_whose_processes_have_one_number_make_one_secret_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, sync = [], os.fsync

    def synced(file: int) -> None:
        monkeypatch.setattr(os, "fsync", sync)
        keys.append(environment.kept_secret(tmp_path / "secret_key"))  # as the other container, meanwhile
        sync(file)

    monkeypatch.setattr(environment, "made_here", [])
    monkeypatch.setattr(os, "fsync", synced)
    keys.append(environment.kept_secret(tmp_path / "secret_key"))
    assert keys[0] == keys[1]


@pytest.mark.parametrize("content", [b"", b"\n", b"x" * 60, b"\xff\xfe\x00" * 20], ids=["", "line", "simple", "noise"])
def test_a_secret_key_that_is_empty_or_broken_stops_the_start(processes: None, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret_key").write_bytes(content)
    loaded = load(tmp_path)
    assert loaded.returncode == 1
    words = loaded.stderr.splitlines()[-1]
    assert str(tmp_path) in words
    assert "The next start then makes a new one" in words


def test_a_secret_key_with_other_letters_than_ascii_is_read_from_where_a_restore_puts_it(tmp_path: Path) -> None:
    key = "Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich"
    (tmp_path / "secret_key").write_bytes(key.encode())
    assert environment.kept_secret(tmp_path / "secret_key") == key


def test_several_keys_are_the_one_to_sign_with_and_those_to_read_by(processes: None, tmp_path: Path) -> None:
    ask = "print(settings.SECRET_KEY[:3], [key[:3] for key in settings.SECRET_KEY_FALLBACKS])"
    keys = ", ".join(f"{name}-0123456789abcdefghijklmnopqrstuvwxyz" for name in ("new", "old"))
    assert load(tmp_path, ask, TASKBOARD_SECRET_KEY=keys).stdout == "new ['old']\n"


def test_the_data_folder_and_what_is_in_it_are_private(processes: None, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    for name in ("taskboard.sqlite3", "taskboard.sqlite3-wal", "taskboard.sqlite3-shm", "secret_key"):
        (data / name).write_text("0123456789abcdefghijklmnopqrstuvwxyz")
        (data / name).chmod(0o644)
    load(data, "(settings.DATA / 'new').write_text('')")
    assert data.stat().st_mode & 0o777 == 0o700
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in data.iterdir()}
    assert len(modes) == 5
    assert set(modes.values()) == {"0o600"}


def test_a_folder_that_is_shared_with_others_is_left_as_it_is(processes: None, tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    load(tmp_path)
    assert tmp_path.stat().st_mode & 0o7777 == 0o1777


def test_the_name_in_the_base_url_is_allowed(processes: None, tmp_path: Path) -> None:
    loaded = load(tmp_path, "print(settings.ALLOWED_HOSTS)", TASKBOARD_BASE_URL="https://boards.example.com/")
    assert "'boards.example.com'" in loaded.stdout


@pytest.mark.parametrize(
    "given", ["https://Boards.Example.com", "https://boards.example.com:443", "HTTPS://boards.example.com"]
)
def test_the_base_url_is_the_origin_that_browsers_send(processes: None, tmp_path: Path, given: str) -> None:
    loaded = load(tmp_path, "print(settings.BASE_URL, settings.CSRF_TRUSTED_ORIGINS)", TASKBOARD_BASE_URL=given)
    assert loaded.stdout == "https://boards.example.com ['https://boards.example.com']\n"


def test_behind_https_cookies_are_sent_over_https_only(processes: None, tmp_path: Path) -> None:
    ask = "print(settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.SECURE_HSTS_SECONDS > 0)"
    assert load(tmp_path, ask, TASKBOARD_BASE_URL="https://boards.example.com").stdout == "True True True\n"
    assert load(tmp_path, ask).stdout == "False False False\n"


@pytest.mark.parametrize(
    "hsts, expected",
    [("", "31536000 True False"), ("host", "31536000 False False"), ("preload", "31536000 True True")]
    + [("off", "0 False False")],
)
def test_browsers_are_told_to_keep_to_https_as_far_as_the_operator_wants(
    processes: None, tmp_path: Path, hsts: str, expected: str
) -> None:
    names = ("SECONDS", "INCLUDE_SUBDOMAINS", "PRELOAD")
    ask = f"print({', '.join(f'settings.SECURE_HSTS_{name}' for name in names)})"
    https = {"TASKBOARD_BASE_URL": "https://boards.example.com", "TASKBOARD_HSTS": hsts}
    assert load(tmp_path, ask, **https).stdout == f"{expected}\n"
    assert load(tmp_path, ask, TASKBOARD_HSTS=hsts).stdout == "0 False False\n"


def test_behind_https_browsers_hold_the_cookies_to_this_host(processes: None, tmp_path: Path) -> None:
    ask = "print(settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.CSRF_COOKIE_AGE)"
    https = load(tmp_path, ask, TASKBOARD_BASE_URL="https://boards.example.com").stdout
    assert https == "__Host-sessionid __Host-csrftoken None\n"
    assert load(tmp_path, ask).stdout == "sessionid csrftoken None\n"


@pytest.mark.parametrize("hsts", ["subdomains", "off"])
def test_django_finds_nothing_to_say_about_a_deployment_behind_https(
    processes: None, tmp_path: Path, hsts: str
) -> None:
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    given = bare_environment() | {"TASKBOARD_DATA": str(tmp_path), "TASKBOARD_TRUSTED_PROXIES": "1"}
    https = {"TASKBOARD_BASE_URL": "https://boards.example.com", "TASKBOARD_HSTS": hsts}
    done = subprocess.run(command, cwd=ROOT, env=given | https, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_https_is_believed_of_a_trusted_proxy_and_of_nobody_else(processes: None, tmp_path: Path) -> None:
    ask = """
from django.test import RequestFactory
print(RequestFactory().get("/", HTTP_X_FORWARDED_PROTO="https").is_secure())
"""
    named = {"DJANGO_SETTINGS_MODULE": "taskboard.settings"}
    assert load(tmp_path, ask, TASKBOARD_TRUSTED_PROXIES="1", **named).stdout == "True\n"
    assert load(tmp_path, ask, **named).stdout == "False\n"


WRONG = [
    ("DATABASE_URL", "nonsense", "write it like postgres://"),
    ("DATABASE_URL", "mysql://root@127.0.0.1/boards", "write it like postgres://"),
    ("DATABASE_URL", "postgres://127.0.0.1", "write it like postgres://"),
    ("REDIS_URL", "localhost:6379", "write it like redis://"),
    ("REDIS_URL", "redis://127.0.0.1?foo=1", "has an option after ? that redis-py does not know"),
    ("REDIS_URL", "redis://127.0.0.1?socket_timeout=long", "or a wrong value of one: leave it out"),
    ("REDIS_URL", "rediss://127.0.0.1?ssl_cert_reqs=some", "or a wrong value of one: leave it out"),
    ("TASKBOARD_ALLOWED_HOSTS", "https://boards.example.com", "write it like boards.example.com"),
    ("TASKBOARD_ALLOWED_HOSTS", "boards.example.com:8000", "write it like boards.example.com"),
    ("TASKBOARD_BASE_URL", "boards.example.com", "write an address such as https://boards.example.com"),
    ("TASKBOARD_BASE_URL", "https://example.com:99999", "write an address such as https://boards.example.com"),
    ("TASKBOARD_BASE_URL", "https://example.com/boards", "write an address such as https://boards.example.com"),
    ("TASKBOARD_CORS_ORIGINS", "https://a.example.com,b", "is 'b': write an address such as"),
    ("TASKBOARD_DEBUG", "yes", "is 'yes': write 0 or 1"),
    ("TASKBOARD_BACKUP_PASSPHRASE_FILE", "/nowhere/words", "which is not a file that this user can read"),
    ("TASKBOARD_BACKUP_PASSPHRASE_FILE", "/", "which is not a file that this user can read"),
    ("TASKBOARD_DB_POOL", "0", "write a whole number from 1 to 200"),  # without PostgreSQL, too
    ("TASKBOARD_EMAIL_FROM", "Boards", "write it like Boards <boards@example.com>"),
    ("TASKBOARD_EMAIL_FROM", "Boards, Inc. <boards@example.com>", "in double quotes"),
    ("TASKBOARD_EMAIL_URL", "nonsense", "write it like smtp+tls://"),
    ("TASKBOARD_LOG", "JSON", "write one of lines, json"),
    ("TASKBOARD_HSTS", "yes", "write one of subdomains, host, preload, off"),  # without https, too
    ("TASKBOARD_S3_ENDPOINT", "s3.example.com", "write it like https://s3.example.com"),  # without a bucket, too
    ("TASKBOARD_SESSION_IDLE", "0", "write a whole number from 1 to 400"),
    ("TASKBOARD_SESSION_DAYS", "long", "write a whole number from 1 to 400"),
    ("TASKBOARD_LIMITS", "me=fast", "write off, or NAME=NUMBER/m"),
    ("TASKBOARD_LIMITS", "you=5/m", "write off, or NAME=NUMBER/m"),
    ("TASKBOARD_PUSH_PRIVATE_KEY", "short", "write one of P-256 as base64url"),
    ("TASKBOARD_PUSH_PRIVATE_KEY", "_" * 43, "write one of P-256 as base64url"),
    ("TASKBOARD_PUSH_CONTACT", "operator@example.com", "write it like mailto:"),
    ("TASKBOARD_IMPORT_SERVERS", "planka.internal", "write an address such as"),
    ("TASKBOARD_PUSH_SERVERS", "push.internal", "write an address such as"),
    ("TASKBOARD_SECRET_KEY", "short", "write at least 32 random characters"),
    ("TASKBOARD_SECRET_KEY", f"{'k3y-' * 4}0123456789abcdefghij,short", "write at least 32 random characters"),
    ("TASKBOARD_SECRET_KEY", "a" * 60, "write at least 32 random characters"),
    ("TASKBOARD_SIGNUP", "perhaps", "write one of open, closed, invited"),
    ("TASKBOARD_TRUSTED_PROXIES", "-1", "write a whole number from 0 to 10"),
]


def test_options_of_the_database_url_are_added_to_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = "postgres://127.0.0.1/boards?options=-csearch_path%3Dboards"
    options = read_settings(tmp_path, monkeypatch, DATABASE_URL=given)["DATABASES"]["default"]["OPTIONS"]["options"]
    assert options.startswith("-c lock_timeout=10s ")
    assert options.endswith(" -csearch_path=boards")


def test_options_of_the_redis_url_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = "rediss://127.0.0.1:6379/1?ssl_cert_reqs=none&health_check_interval=30"
    assert read_settings(tmp_path, monkeypatch, REDIS_URL=given)["REDIS_URL"] == given


@pytest.mark.parametrize("name, value, advice", WRONG)
def test_a_wrong_value_stops_the_start_and_says_what_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, advice: str
) -> None:
    words = refused(tmp_path, monkeypatch, **{name: value})
    assert words.startswith(name)
    assert advice in words


@pytest.mark.parametrize(
    "name, value",
    [
        ("DATABASE_URL", "postgres://boards:s3cr3t/9@127.0.0.1/boards"),
        ("REDIS_URL", "redis://:s3cr3t/9@127.0.0.1:6379/0"),
        ("REDIS_URL", "redis://:s3cr3t[9@127.0.0.1:6379/0"),
        ("TASKBOARD_EMAIL_URL", "smtp+tls://boards:s3cr3t#9@mail.example.com:587"),
    ],
)
def test_an_address_whose_password_has_marks_of_addresses_is_refused_without_showing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    words = refused(tmp_path, monkeypatch, **{name: value})
    assert words.startswith(f"{name} cannot be read: write it like ")
    assert "as %2F" in words
    assert "s3cr3t" not in words


def refused(data: Path, monkeypatch: pytest.MonkeyPatch, **environment: str) -> str:
    """Return what the settings say instead of being read."""
    with pytest.raises(ImproperlyConfigured) as refusal:
        read_settings(data, monkeypatch, **environment)
    return str(refusal.value)


def read_settings(data: Path, monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, Any]:
    monkeypatch.setattr(variables, "in_file", {})
    monkeypatch.setattr(os, "environ", bare_environment() | {"TASKBOARD_DATA": str(data)} | environment)
    mask = os.umask(0o077)
    try:
        return runpy.run_path(str(ROOT / "taskboard" / "settings.py"))
    finally:
        os.umask(mask)


@pytest.mark.parametrize(
    "given, port",
    [("smtp+tls://mail.example.com:587", 587), ("smtp+tls://mail.example.com", 25)]
    + [("smtp+ssl://mail.example.com", 465)],
)
def test_a_mail_server_without_a_port_has_the_usual_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, port: int
) -> None:
    assert read_settings(tmp_path, monkeypatch, TASKBOARD_EMAIL_URL=given)["EMAIL_PORT"] == port


@pytest.mark.parametrize(
    "name, advice",
    [
        ("TASKBOARD_SIGN_UP", "did you mean TASKBOARD_SIGNUP?"),
        ("TASKBOARD_ALOWED_HOST", "did you mean TASKBOARD_ALLOWED_HOSTS?"),
        ("TASKBOARD_S3_ENDPONT", "did you mean TASKBOARD_S3_ENDPOINT?"),
        ("taskboard_signup", "did you mean TASKBOARD_SIGNUP?"),
        ("TASKBOARD_PORT", "docs/running/settings.md lists all settings"),
        ("TASKBOARD_XYZZY", "docs/running/settings.md lists all settings"),
    ],
)
def test_a_name_that_is_no_setting_stops_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, advice: str
) -> None:
    words = refused(tmp_path, monkeypatch, **{name: "8000"})
    assert words.startswith(f"{name} is not a setting: ")
    assert advice in words


def test_all_names_that_are_no_settings_are_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = refused(tmp_path, monkeypatch, TASKBOARD_SIGN_UP="open", TASKBOARD_DEBUGG="0")
    assert words == (
        "TASKBOARD_DEBUGG is not a setting: did you mean TASKBOARD_DEBUG? "
        "TASKBOARD_SIGN_UP is not a setting: did you mean TASKBOARD_SIGNUP?"
    )


def test_a_start_that_is_refused_makes_no_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused(tmp_path / "data", monkeypatch, TASKBOARD_SIGN_UP="open")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "name, value",
    [
        ("TASKBOARD_TEST_REQUIRE", "chromium"),
        ("TASKBOARD_SERVICE_HOST", "10.0.0.7"),
        ("TASKBOARD_SERVICE_PORT_HTTP", "8000"),
        ("TASKBOARD_PORT", "tcp://10.0.0.7:8000"),
        ("TASKBOARD_PORT_8000_TCP_ADDR", "10.0.0.7"),
        ("TASKBOARD_REDIS_SERVICE_PORT", "6379"),
    ],
)
def test_names_that_tests_and_kubernetes_set_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    assert read_settings(tmp_path, monkeypatch, **{name: value})["SIGNUP"] == "open"


def test_names_that_the_command_line_program_reads_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = set(re.findall(r"""environ\.get\("(TASKBOARD_\w+)\"""", (ROOT / "clients" / "taskboard.py").read_text()))
    assert names
    read_settings(tmp_path, monkeypatch, **dict.fromkeys(names, "value"))


def test_a_data_folder_that_cannot_be_made_stops_the_start(processes: None, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    loaded = load(tmp_path / "file" / "data")
    assert "set TASKBOARD_DATA to a folder that this user may write to" in loaded.stderr


def test_commands_print_the_sentence_without_a_traceback(processes: None, tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "check"]
    wrong = bare_environment() | {"TASKBOARD_DATA": str(tmp_path), "TASKBOARD_SIGNUP": "perhaps"}
    done = subprocess.run(command, cwd=ROOT, env=wrong, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, "TASKBOARD_SIGNUP is 'perhaps': write one of open, closed, invited.\n")


def test_every_setting_is_described_for_operators() -> None:
    described = (ROOT / "docs" / "running" / "settings.md").read_text()
    assert len(variables.known) > 40
    missing = sorted(name for name in variables.known if f"`{name}`" not in described)
    assert not missing, f"describe in docs/running/settings.md: {', '.join(missing)}"


ISSUER = "https://login.example.com/realms/main"
PROVIDER = {
    "TASKBOARD_OIDC_URL": ISSUER,
    "TASKBOARD_OIDC_CLIENT_ID": "taskboard",
    "TASKBOARD_OIDC_CLIENT_SECRET": "hush",
}


def test_a_provider_is_read(processes: None, tmp_path: Path) -> None:
    more = {"TASKBOARD_OIDC_ONLY": "1", "TASKBOARD_OIDC_PLAN_GROUPS": "cn=staff=pro, guests=free"}
    ask = "print(settings.OIDC_URL, settings.OIDC_ONLY, settings.OIDC_PLAN_GROUPS, settings.OIDC_SCOPES)"
    said = f"{ISSUER} True {{'cn=staff': 'pro', 'guests': 'free'}} ['openid', 'profile', 'email']\n"
    assert load(tmp_path, ask, **PROVIDER, **more).stdout == said


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"TASKBOARD_OIDC_URL": "http://login.example.com"}, "with https"),
        ({"TASKBOARD_OIDC_URL": f"{ISSUER}?a=b"}, "with https"),
        ({"TASKBOARD_OIDC_CLIENT_SECRET": ""}, "Set TASKBOARD_OIDC_CLIENT_SECRET too"),
        (
            {"TASKBOARD_OIDC_URL": "", "TASKBOARD_OIDC_CLIENT_ID": ""},
            "Set TASKBOARD_OIDC_URL and TASKBOARD_OIDC_CLIENT_ID",
        ),
        ({"TASKBOARD_OIDC_SCOPES": "email"}, "lacks openid"),
        ({"TASKBOARD_OIDC_PLAN_GROUPS": "staff"}, "write it like staff=pro"),
        ({"TASKBOARD_OIDC_ORIGINS": "login"}, "write an address"),
        (dict.fromkeys(PROVIDER, "") | {"TASKBOARD_OIDC_ONLY": "1"}, "is set without TASKBOARD_OIDC_URL"),
    ],
)
def test_wrong_settings_of_a_provider_stop_the_start(
    processes: None, tmp_path: Path, given: dict[str, str], words: str
) -> None:
    loaded = load(tmp_path, **{**PROVIDER, **given})
    assert loaded.returncode == 1
    assert words in loaded.stderr.splitlines()[-1]


def test_a_secret_may_stand_in_a_file_of_its_own(processes: None, tmp_path: Path) -> None:
    (key := tmp_path / "key").write_text("0123456789abcdefghijklmnopqrstuvwxyz\n")
    said = load(tmp_path, "print(settings.SECRET_KEY)", TASKBOARD_SECRET_KEY_FILE=str(key)).stdout
    assert said == "0123456789abcdefghijklmnopqrstuvwxyz\n"


@pytest.mark.parametrize(
    ("content", "more", "words"),
    [
        (None, {}, "cannot be read: No such file or directory."),
        (b"\xff\xfe", {}, "cannot be read: it is not text."),
        (b"\n", {}, "write the secret into it, in one line and with nothing else."),
        (b"one\ntwo\n", {}, "write the secret into it, in one line and with nothing else."),
        (b"redis://127.0.0.1", {"REDIS_URL": "redis://other"}, "REDIS_URL and REDIS_URL_FILE are both set"),
    ],
    ids=["missing", "bytes", "empty", "two lines", "two places"],
)
def test_a_file_that_is_no_secret_is_refused(
    processes: None, tmp_path: Path, content: bytes | None, more: dict[str, str], words: str
) -> None:
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    refused = load(tmp_path, "", REDIS_URL_FILE=str(file), **more)
    assert words in refused.stderr
    assert refused.returncode == 1
