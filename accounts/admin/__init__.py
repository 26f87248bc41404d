"""The admin pages of accounts, email addresses, plans, API tokens and the operators' log."""

from accounts.admin import addresses, log, plans, tokens, users

__all__ = ["addresses", "log", "plans", "tokens", "users"]
