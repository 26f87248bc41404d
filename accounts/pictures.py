"""The picture of an account: a file (core/files/kept_pictures.py) whose name is in the account's row."""

from datetime import timedelta

from django.db import transaction

from accounts.locks import lock_account
from accounts.models import User
from core.files.kept_pictures import KeptPictures


def _used(names: list[str]) -> set[str]:
    return set(User.objects.filter(picture__in=names).values_list("picture", flat=True))


PEOPLE = KeptPictures("people", _used, unused_for=timedelta(hours=1))


def set_picture(user: User, content: bytes) -> None:
    """Give the account this picture, as core/files/pictures.py has made it. The file of the one before is deleted."""
    _write(user, PEOPLE.save(content))


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
        transaction.on_commit(lambda: PEOPLE.delete(old), robust=True)
    return bool(old)
