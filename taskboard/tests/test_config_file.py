"""The file of settings: what can be in it, where it is found, and what is refused with its line."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from operating.doctor.settings import check_config_file
from taskboard import config_file
from taskboard.serving.readiness import tell_settings
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import refusal, serving
from taskboard.tests.test_first_day import manage
from taskboard.tests.test_settings import read_settings, refused

SECRET = "only-for-tests-only-for-tests-only-for-tests"


def write(path: Path, content: str, mode: int = 0o600) -> Path:
    path.write_text(content)
    path.chmod(mode)
    return path


def test_values_are_read_as_systemd_reads_them(tmp_path: Path) -> None:
    content = """\ufeff# a comment
  ; another

TASKBOARD_SIGNUP=closed
TASKBOARD_OIDC_SCOPES = openid profile email \r
TASKBOARD_EMAIL_FROM="It's us <us@example.com>"
TASKBOARD_OIDC_NAME='He said "\\$HOME"'
TASKBOARD_OIDC_CLIENT_ID="$HOME # `x`"
TASKBOARD_OIDC_CLIENT_SECRET=a#b$c;d
TASKBOARD_S3_REGION=
"""
    assert config_file.read(write(tmp_path / "file", content)).values == {
        "TASKBOARD_SIGNUP": "closed",
        "TASKBOARD_OIDC_SCOPES": "openid profile email",
        "TASKBOARD_EMAIL_FROM": "It's us <us@example.com>",
        "TASKBOARD_OIDC_NAME": 'He said "\\$HOME"',
        "TASKBOARD_OIDC_CLIENT_ID": "$HOME # `x`",
        "TASKBOARD_OIDC_CLIENT_SECRET": "a#b$c;d",
        "TASKBOARD_S3_REGION": "",
    }


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "export TASKBOARD_SIGNUP=closed",
        "TASKBOARD-SIGNUP=closed",
        "=closed",
        'TASKBOARD_SIGNUP="closed',
        'TASKBOARD_SIGNUP="closed" # why',
        "TASKBOARD_SIGNUP=closed # why",
        "TASKBOARD_SIGNUP=#closed",
        "TASKBOARD_SIGNUP=it's",
        "TASKBOARD_SIGNUP=closed\\",
        'TASKBOARD_SIGNUP="clo\\nsed"',
        "TASKBOARD_SIGNUP=clo\x00sed",
        "# a comment that systemd goes on with \\",
    ],
)
def test_a_line_that_is_not_understood_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = write(tmp_path / "file", f"TASKBOARD_DEBUG=0\n\n{line}\n")
    with pytest.raises(ImproperlyConfigured) as refusal:
        config_file.read(path)
    assert str(refusal.value).startswith(f'{path}, line 3 cannot be read: write NAME="value"')
    assert "closed" not in str(refusal.value)  # a value may be a secret


def test_a_name_that_is_set_twice_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "file", "TASKBOARD_SIGNUP=open\nTASKBOARD_SIGNUP=closed\n")
    with pytest.raises(ImproperlyConfigured, match="sets TASKBOARD_SIGNUP on lines 1 and 2"):
        config_file.read(path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ImproperlyConfigured, match="save it as UTF-8 text"):
        config_file.read(tmp_path / "file")


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="Is a directory"):
        config_file.read(tmp_path)


def test_the_file_in_the_data_folder_is_read_and_made_private(tmp_path: Path, monkeypatch) -> None:
    file = write(tmp_path / "taskboard.env", "TASKBOARD_SIGNUP=closed", mode=0o644)
    settings = read_settings(tmp_path, monkeypatch)
    assert (settings["SIGNUP"], settings["CONFIG_FILE"].path) == ("closed", file)
    assert file.stat().st_mode & 0o777 == 0o600


def test_the_file_that_is_named_is_read_instead_and_says_where_the_data_are(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path / "taskboard.env", "TASKBOARD_SIGNUP=open")
    file = write(tmp_path / "other", f"TASKBOARD_SIGNUP=closed\nTASKBOARD_DATA={tmp_path / 'data'}")
    settings = read_settings(tmp_path, monkeypatch, TASKBOARD_DATA="", TASKBOARD_CONFIG=str(file))
    assert (settings["SIGNUP"], settings["DATA"]) == ("closed", tmp_path / "data")


def test_the_environment_wins_unless_it_is_empty(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path / "taskboard.env", "TASKBOARD_SIGNUP=closed\nTASKBOARD_PUBLIC_LINKS=off")
    settings = read_settings(tmp_path, monkeypatch, TASKBOARD_SIGNUP="invited", TASKBOARD_PUBLIC_LINKS="")
    assert (settings["SIGNUP"], settings["PUBLIC_LINKS"]) == ("invited", False)


def test_database_redis_and_keys_of_a_bucket_are_read_from_it(tmp_path: Path, monkeypatch) -> None:
    content = "DATABASE_URL=postgres://127.0.0.1/boards\nREDIS_URL=redis://127.0.0.1\nAWS_ACCESS_KEY_ID=some"
    write(tmp_path / "taskboard.env", content)
    settings = read_settings(tmp_path, monkeypatch)
    assert (settings["POSTGRESQL"], settings["REDIS_URL"]) == (True, "redis://127.0.0.1")
    assert settings["S3_KEYS"] == ("some", "", "")


@pytest.mark.parametrize(
    "name, advice",
    [
        ("TASKBOARD_SIGN_UP", "is not a setting: did you mean TASKBOARD_SIGNUP?"),
        ("DATABSE_URL", "is not a setting: did you mean DATABASE_URL?"),
        ("TASKBOARD_TOKEN", "is not a setting: "),
        ("LANG", "is not a setting: leave it out."),
        ("TASKBOARD_CONFIG", "cannot be set in the file itself: leave it out"),
        ("TASKBOARD_DATA", "cannot be set in the data folder: leave it out"),
    ],
)
def test_a_name_that_is_out_of_place_is_refused_with_its_line(tmp_path: Path, monkeypatch, name, advice) -> None:
    write(tmp_path / "taskboard.env", f"# mine\n{name}=some")
    assert refused(tmp_path, monkeypatch).startswith(f"{tmp_path / 'taskboard.env'}, line 2: {name} {advice}")


def test_a_named_file_that_does_not_exist_is_refused(tmp_path: Path, monkeypatch) -> None:
    words = refused(tmp_path, monkeypatch, TASKBOARD_CONFIG="/nowhere/taskboard.env")
    assert words == "TASKBOARD_CONFIG names /nowhere/taskboard.env, which does not exist."


def test_a_file_is_named_by_its_whole_path(tmp_path: Path, monkeypatch) -> None:
    assert "write a whole path" in refused(tmp_path, monkeypatch, TASKBOARD_CONFIG="taskboard.env")


@pytest.mark.parametrize(
    "content, mode, told",
    [
        (f"TASKBOARD_SECRET_KEY={SECRET}", 0o644, True),
        ("DATABASE_URL=postgres://taskboard:hush@127.0.0.1/boards", 0o604, True),
        (f"TASKBOARD_METRICS_TOKEN={SECRET}", 0o644, True),
        ("TASKBOARD_SECRET_KEY_FILE=/run/secrets/key", 0o644, False),
        (f"TASKBOARD_SECRET_KEY={SECRET}", 0o640, False),
        ("TASKBOARD_SIGNUP=closed", 0o644, False),
    ],
)
def test_secrets_that_everybody_can_read_are_told_by_start_and_doctor(
    settings, tmp_path: Path, content: str, mode: int, told: bool
) -> None:
    settings.CONFIG_FILE = config_file.read(write(tmp_path / "file", content, mode))
    advice = f"chmod o-r {tmp_path / 'file'}"
    assert (advice in config_file.notice(settings.CONFIG_FILE)) is told
    assert (advice in " ".join(finding.do for finding in check_config_file())) is told


def test_a_worker_tells_which_file_it_reads(settings, tmp_path: Path, capsys) -> None:
    settings.CONFIG_FILE = config_file.read(write(tmp_path / "file", "TASKBOARD_SIGNUP=closed"))
    tell_settings("worker")
    assert f"Settings are read from {tmp_path / 'file'}." in capsys.readouterr().err


def test_doctor_tells_which_file_is_in_use(settings, tmp_path: Path) -> None:
    settings.CONFIG_FILE = None
    assert [finding.what for finding in check_config_file()] == [
        f"Settings come from the environment alone: there is no {settings.DATA / 'taskboard.env'}."
    ]
    settings.CONFIG_FILE = config_file.read(write(tmp_path / "file", "TASKBOARD_SIGNUP=closed"))
    assert f"Settings come from {tmp_path / 'file'}, " in next(iter(check_config_file())).what


def test_service_and_commands_read_the_same_file(processes: None, tmp_path: Path) -> None:
    data = prepared_data(tmp_path / "data")
    write(data / "taskboard.env", "TASKBOARD_BASE_URL=http://localhost:9876")
    with serving({"TASKBOARD_DATA": str(data)}) as running:
        demo = manage(data, "demo", "--yes")
    assert "Address:   http://localhost:9876\n" in demo.stdout
    _code, out, err = running.stop(9)
    assert "Taskboard is ready at http://localhost:9876" in out
    assert f"Settings are read from {data / 'taskboard.env'}." in err


def test_a_file_in_the_data_folder_that_the_start_makes_private_is_not_warned_of(
    tmp_path: Path, monkeypatch, settings
) -> None:
    write(tmp_path / "taskboard.env", f"TASKBOARD_SECRET_KEY={SECRET}", mode=0o644)
    settings.CONFIG_FILE = read_settings(tmp_path, monkeypatch)["CONFIG_FILE"]
    assert "chmod" not in config_file.notice(settings.CONFIG_FILE)


def test_a_start_with_a_wrong_file_ends_in_a_sentence(processes: None, tmp_path: Path) -> None:
    write(tmp_path / "taskboard.env", "nonsense")
    code, err = refusal({"TASKBOARD_DATA": str(tmp_path)})
    assert code == 1
    assert err.startswith(f"{tmp_path / 'taskboard.env'}, line 1 cannot be read: ")
    assert not (tmp_path / "secret_key").exists()


def test_a_command_that_writes_names_its_database_beside_its_output(processes: None, tmp_path: Path) -> None:
    data = prepared_data(tmp_path / "data")
    named = f"Working on the SQLite database {data / 'taskboard.sqlite3'}.\n"
    assert manage(data, "adduser", "nora@example.com", "--password", "seven wild swans").stderr.startswith(named)
    token = manage(data, "addtoken", "nora@example.com")
    assert token.stderr.startswith(named)
    assert len(token.stdout.split()) == 1
    assert manage(data, "migrate").stderr == named
    assert manage(data, "export", "nora@example.com").stderr == ""
