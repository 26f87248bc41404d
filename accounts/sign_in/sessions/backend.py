"""Finds the account that signs in, and reads the user of a session. Passwords are checked as allauth does."""

from uuid import UUID

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from accounts.models import User
from core import sql


class Backend(AuthenticationBackend):
    def get_user(self, user_id: UUID) -> User | None:
        """Return the active account with this id, by a fixed statement: every page of a signed-in user begins with it."""
        found = sql.select(User, "WHERE this.id = %s", sql.keys([user_id]))
        return found[0] if found and self.user_can_authenticate(found[0]) else None

    def _authenticate_by_email(self, email: str, password: str) -> AbstractBaseUser | None:
        """Find the account by its own address only. allauth also takes a waiting address, unless an account has it: its
        sign-in would tell that there is none.
        """
        return self._check_password(User.objects.filter(email=email.lower()).first(), password)
