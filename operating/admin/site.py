"""Django's admin with a first page of its own, and without a sign-in form. Operators use the site's form, so its rate
limits hold for them too."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core.http.requests import SignedInRequest
from operating.admin.overview import Overview
from operating.admin.trial_mail import MailTrouble, send_test_mail
from operating.doctor.examination import examine, examine_quickly
from operating.doctor.finding import by_state
from security.limits import count


class OperatorSite(admin.AdminSite):
    site_title = site_header = "Taskboard"

    def get_urls(self) -> list[URLPattern | URLResolver]:
        test_mail = self.admin_view(require_POST(self.test_mail))
        doctor = self.admin_view(require_safe(self.doctor))
        return [
            path("test-mail/", test_mail, name="test_mail"),
            path("doctor/", doctor, name="doctor"),
            *super().get_urls(),
        ]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().each_context(request), "version": settings.VERSION}

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show the state of the service above the list of pages: to superusers, who may see everything that it counts."""
        context: dict[str, Any] = {"title": _("Overview"), "overview": None, **(extra_context or {})}
        if request.user.is_superuser:
            context |= {"overview": Overview.now(), **by_state(examine_quickly())}
        return super().index(request, context)

    def doctor(self, request: HttpRequest) -> HttpResponse:
        """Show all that `bin/manage doctor` finds. It may take long: it reads the whole of a SQLite database."""
        if not request.user.is_superuser:
            raise PermissionDenied
        context = {**self.each_context(request), "title": _("Doctor"), **by_state(examine())}
        return TemplateResponse(request, "admin/doctor.html", context)

    def test_mail(self, request: SignedInRequest) -> HttpResponse:
        """Send a mail to the operator, and say on the first page how it went."""
        if not request.user.is_superuser:
            raise PermissionDenied
        count(request, "test-mail", str(request.user.pk))
        try:
            send_test_mail(request.user.email)
        except MailTrouble as trouble:
            messages.error(request, str(trouble))
        else:
            text = _("The mail server accepted the test email to %(email)s. Check your inbox and the spam folder.")
            messages.success(request, text % {"email": request.user.email})
        return redirect("admin:index")

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
