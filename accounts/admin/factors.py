"""allauth.mfa lists authenticators in the admin, with their data. Operators remove them with an action of the accounts."""

from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from django.contrib import admin

__all__ = ["AuthenticatorAdmin"]  # importing it registers it

admin.site.unregister(Authenticator)
