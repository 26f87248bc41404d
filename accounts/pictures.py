"""The picture of an account: a file under a random name in the default storage, and that name in the account's row.

A picture never changes under its name, so that browsers may keep it for ever; a new one gets a new name.
"""

import re
import secrets
from datetime import datetime, timedelta

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from accounts.locks import lock_account
from accounts.models import User
from core.files.storage import delete_path, open_path, storage_may_fail

FOLDER = "people"
NAME = re.compile(r"[-_A-Za-z0-9]{32}")  # 192 random bits
UNUSED_FOR = timedelta(hours=1)  # a file without an account may be one whose transaction has not ended yet
AT_ONCE = 500  # names in one statement


def path_of(name: str) -> str:
    return f"{FOLDER}/{name}.webp"


def read_picture(name: str) -> bytes | None:
    """Return the content of the picture; None if there is none of this name any more."""
    if not NAME.fullmatch(name):
        return None
    try:
        with open_path(path_of(name)) as file:
            return file.read()
    except FileNotFoundError:
        return None


def set_picture(user: User, content: bytes) -> None:
    """Give the account this picture, as core/files/pictures.py has made it. The file of the one before is deleted."""
    name = secrets.token_urlsafe(24)
    with storage_may_fail():
        default_storage.save(path_of(name), ContentFile(content))
    _write(user, name)


def remove_picture(user: User) -> bool:
    """Take the account's picture away with its file. Return whether there was one."""
    return _write(user, "")


def _write(user: User, name: str) -> bool:
    with transaction.atomic():
        account = lock_account(user)
        had_one = forget_picture(account)
        if name or had_one:
            account.picture = name
            account.save(update_fields=["picture"])
    user.picture = name
    return had_one


def forget_picture(account: User) -> bool:
    """Empty the field of the row, which the caller saves, and delete the file after the commit. Return if there was one."""
    old, account.picture = account.picture, ""
    if old:
        transaction.on_commit(lambda: delete_file(old), robust=True)
    return bool(old)


def delete_file(name: str) -> None:
    """Delete it; what cannot be deleted now is by `delete_unused`."""
    delete_path(path_of(name))


def delete_unused(now: datetime) -> int:
    """Delete the files that no account has, as after a crash between file and commit. Return how many."""
    try:
        _folders, files = default_storage.listdir(FOLDER)
    except FileNotFoundError:  # nobody has ever had a picture
        return 0
    names = [name for file in files if NAME.fullmatch(name := file.removesuffix(".webp"))]
    deleted = 0
    for start in range(0, len(names), AT_ONCE):
        some = names[start : start + AT_ONCE]
        used = set(User.objects.filter(picture__in=some).values_list("picture", flat=True))
        for name in some:
            if name not in used and _is_old(name, now):
                delete_file(name)
                deleted += 1
    return deleted


def _is_old(name: str, now: datetime) -> bool:
    try:
        return default_storage.get_modified_time(path_of(name)) < now - UNUSED_FOR
    except FileNotFoundError:
        return False
