from allauth.account import views as allauth
from django.urls import path, re_path
from django.views.generic import RedirectView
from django.views.i18n import set_language

from accounts.views import entrance
from accounts.views.email_address import email_address
from accounts.views.profile import profile
from accounts.views.tokens import revoke, tokens

urlpatterns = [
    path("sign-in", allauth.login, name="account_login"),
    path("sign-up", entrance.SignUpView.as_view(), name="account_signup"),
    path("sign-out", allauth.logout, name="account_logout"),
    path("language", set_language, name="set_language"),
    path("settings", RedirectView.as_view(pattern_name="profile")),
    path("settings/profile", profile, name="profile"),
    path("settings/password", allauth.password_change, name="account_change_password"),
    path("settings/password/set", allauth.password_set, name="account_set_password"),
    path("settings/email", email_address, name="account_email"),
    path("settings/tokens", tokens, name="tokens"),
    path("settings/tokens/<id:token_id>/revoke", revoke, name="revoke_token"),
    path("account/inactive", allauth.account_inactive, name="account_inactive"),
    path("account/confirm", allauth.reauthenticate, name="account_reauthenticate"),
    path("account/email/sent", allauth.email_verification_sent, name="account_email_verification_sent"),
    re_path(r"^account/email/(?P<key>[-:\w]+)$", allauth.confirm_email, name="account_confirm_email"),
    path("password/reset", entrance.reset_password, name="account_reset_password"),
    path("password/reset/sent", allauth.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)$",
        allauth.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("password/reset/done", allauth.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    path(".well-known/change-password", RedirectView.as_view(pattern_name="account_change_password")),
]
