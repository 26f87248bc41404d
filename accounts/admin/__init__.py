"""The admin pages of accounts, email addresses, plans, API tokens and the operators' log."""

from accounts.admin import addresses, groups, log, plans, tokens, users

__all__ = ["addresses", "groups", "log", "plans", "tokens", "users"]
