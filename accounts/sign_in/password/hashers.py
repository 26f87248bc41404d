"""Let few threads at a time hash passwords: hashing is slow on purpose, for wrong ones too. docs/decisions/serving.md
has the figures, and the reasons for PBKDF2.
"""

import os

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from core.limits.turns import Turns

HASHING = Turns(at_once=max(1, len(os.sched_getaffinity(0)) // 2), waiting=2, patience=2.0)


class InTurns(PBKDF2PasswordHasher):
    """Django's hasher. Raises core.limits.turns.Busy when too many passwords are being hashed."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with HASHING.take():
            return super().encode(password, salt, iterations)
