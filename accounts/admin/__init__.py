"""What operators see and change of accounts."""

from accounts.admin import addresses, log, plans, tokens, users

__all__ = ["addresses", "log", "plans", "tokens", "users"]
