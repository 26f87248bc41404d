"""allauth.socialaccount lists links, providers and tokens in the admin. Providers are settings here, tokens are not kept."""

from allauth.socialaccount.admin import SocialAppAdmin
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin

__all__ = ["SocialAppAdmin"]  # importing it registers all three

admin.site.unregister([SocialAccount, SocialApp, SocialToken])
