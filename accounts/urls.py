from allauth.account import views as allauth
from django.urls import path, re_path

urlpatterns = [
    path("sign-in", allauth.login, name="account_login"),
    path("sign-up", allauth.signup, name="account_signup"),
    path("sign-out", allauth.logout, name="account_logout"),
    path("account/inactive", allauth.account_inactive, name="account_inactive"),
    path("account/confirm", allauth.reauthenticate, name="account_reauthenticate"),
    path("account/email", allauth.email, name="account_email"),
    path("account/email/sent", allauth.email_verification_sent, name="account_email_verification_sent"),
    re_path(r"^account/email/(?P<key>[-:\w]+)$", allauth.confirm_email, name="account_confirm_email"),
    path("password/change", allauth.password_change, name="account_change_password"),
    path("password/set", allauth.password_set, name="account_set_password"),
    path("password/reset", allauth.password_reset, name="account_reset_password"),
    path("password/reset/sent", allauth.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z-]+)-(?P<key>.+)$",
        allauth.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("password/reset/done", allauth.password_reset_from_key_done, name="account_reset_password_from_key_done"),
]
