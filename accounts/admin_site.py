"""Django's admin without a sign-in form of its own. Operators use the site's, so its rate limits hold for them too."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.apps import AdminConfig
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache


class OperatorsAdmin(AdminConfig):
    default_site = "accounts.admin_site.OperatorSite"


class OperatorSite(admin.AdminSite):
    site_title = site_header = "Taskboard"

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """List allauth's models under accounts."""
        apps = {app["app_label"]: app for app in super().get_app_list(request, app_label)}
        if {"accounts", "account"} <= apps.keys():
            apps["accounts"]["models"] += apps.pop("account")["models"]
        return list(apps.values())

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to the site's sign-in page. A signed-in user who is not staff gets 403, not a redirect loop."""
        target = self._target(request)
        if self.has_permission(request):
            return redirect(target)
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect(f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': target})}")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("account_change_password")

    def _target(self, request: HttpRequest) -> str:
        wanted = request.GET.get("next", "")
        if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
            return wanted
        return reverse("admin:index")
