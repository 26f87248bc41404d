from allauth.account import views as allauth
from django.urls import path, re_path
from django.views.decorators.http import require_http_methods, require_POST
from django.views.generic import RedirectView
from django.views.i18n import set_language

from accounts.views import entrance, passwords
from accounts.views.email_address import ConfirmView, email_address, stop_address
from accounts.views.profile import profile
from accounts.views.tokens import revoke, tokens

page = require_http_methods(["GET", "HEAD", "POST"])  # class-based views would take PUT as POST, and any other method

urlpatterns = [
    path("sign-in", page(allauth.login), name="account_login"),
    path("sign-up", page(entrance.SignUpView.as_view()), name="account_signup"),
    re_path(r"^first/(?P<key>[-:\w]+)$", entrance.first_account, name="first_account"),
    path("sign-out", page(allauth.logout), name="account_logout"),
    path("language", require_POST(set_language), name="set_language"),
    path("settings", page(RedirectView.as_view(pattern_name="profile"))),
    path("settings/profile", profile, name="profile"),
    path("settings/password", page(passwords.ChangeView.as_view()), name="account_change_password"),
    path("settings/password/set", page(passwords.SetView.as_view()), name="account_set_password"),
    path("settings/password/sign-out", passwords.sign_out_elsewhere, name="sign_out_elsewhere"),
    path("settings/email", email_address, name="account_email"),
    path("settings/tokens", tokens, name="tokens"),
    path("settings/tokens/<id:token_id>/revoke", revoke, name="revoke_token"),
    path("account/inactive", page(allauth.account_inactive), name="account_inactive"),
    path("account/confirm", page(entrance.ReauthenticationView.as_view()), name="account_reauthenticate"),
    path("account/email/sent", page(allauth.email_verification_sent), name="account_email_verification_sent"),
    re_path(r"^account/email/(?P<key>[-:\w]+)$", page(ConfirmView.as_view()), name="account_confirm_email"),
    re_path(r"^account/email/stop/(?P<key>[-:\w]+)$", stop_address, name="stop_address"),
    path("password/reset", page(passwords.reset_password), name="account_reset_password"),
    path("password/reset/sent", page(allauth.password_reset_done), name="account_reset_password_done"),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)$",
        page(passwords.ResetView.as_view()),
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/done", page(allauth.password_reset_from_key_done), name="account_reset_password_from_key_done"
    ),
    path(".well-known/change-password", page(RedirectView.as_view(pattern_name="account_change_password"))),
]
