"""The admin pages of accounts, email addresses, plans, API tokens and the operators' log."""

from accounts.admin import addresses, factors, groups, log, plans, provider, tokens, users

__all__ = ["addresses", "factors", "groups", "log", "plans", "provider", "tokens", "users"]
