"""A file of settings, NAME="value" on each line. systemd's EnvironmentFile= reads every such file in the same way."""

import re
import stat
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

COMMENT = re.compile(r"\s*([#;].*)?(?<!\\)")
SETTING = re.compile(
    r"""\s*(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*=\s*"""
    r"""(?:"(?P<double>[^"\\]*)"|'(?P<single>[^']*)'|(?P<bare>(?!\#)(?:[^\s"'\\]|[ \t](?!\s*\#))*))\s*"""
)
SECRET = re.compile(r"(SECRET|SECRET_KEY|ACCESS_KEY|PRIVATE_KEY|TOKEN)$")  # NAME_FILE holds none
PASSWORD = re.compile(r"://[^/\s]*:[^/\s]*@")


@dataclass(frozen=True)
class ConfigFile:
    path: Path
    values: dict[str, str]
    lines: dict[str, int]  # where each name is set

    @property
    def shows_secrets(self) -> bool:
        """Tell whether every user of this machine can read a secret in it."""
        return bool(self.path.stat().st_mode & stat.S_IROTH) and any(
            is_secret(*setting) for setting in self.values.items()
        )


def notice(file: ConfigFile | None) -> str:
    """Return the lines that a service prints about its file when it starts, none without a file."""
    if file is None:
        return ""
    words = f"Settings are read from {file.path}. Environment variables override them.\n"
    if file.shows_secrets:
        words += f"Every user of this machine can read the secrets in it. Run: chmod o-r {file.path}\n"
    return words


def is_secret(name: str, value: str) -> bool:
    return bool(value) and bool(SECRET.search(name) or PASSWORD.search(value))


def read(path: Path) -> ConfigFile:
    """Raise FileNotFoundError, and ImproperlyConfigured for what cannot be read."""
    try:
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImproperlyConfigured(f"{path} cannot be read: save it as UTF-8 text.") from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(path) from error
    except OSError as error:
        raise ImproperlyConfigured(
            f"{path} cannot be read ({error.strerror}): run this as the user that the service runs as."
        ) from error
    return parsed(path, content)


def parsed(path: Path, content: str) -> ConfigFile:
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(content.split("\n"), 1):
        if COMMENT.fullmatch(line):
            continue
        found = SETTING.fullmatch(line)
        value = "".join(filter(None, found.group("double", "single", "bare"))) if found else ""
        if not found or not value.isprintable():
            raise ImproperlyConfigured(
                f'{path}, line {number} cannot be read: write NAME="value", with single quotes around a value that has '
                "double quotes or a backslash in it. Comments have lines of their own."
            )
        name = found["name"]
        if name in values:
            raise ImproperlyConfigured(
                f"{path} sets {name} on lines {lines[name]} and {number}: leave one of them out."
            )
        values[name], lines[name] = value.strip(), number
    return ConfigFile(path, values, lines)
