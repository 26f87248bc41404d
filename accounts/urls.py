from allauth.account import views as allauth
from django.urls import path, re_path
from django.views.decorators.http import require_http_methods, require_POST
from django.views.generic import RedirectView
from django.views.i18n import set_language

from accounts.views import entrance, passwords, second_step, security, sessions, single_sign_on
from accounts.views.account_activity import account_activity
from accounts.views.disowned_factor import remove_factor
from accounts.views.email_address import ConfirmView, email_address, stop_address
from accounts.views.picture import picture, profile_picture
from accounts.views.profile import profile

page = require_http_methods(["GET", "HEAD", "POST"])  # class-based views would take PUT as POST, and any other method

urlpatterns = [
    path("sign-in", page(entrance.SignInView.as_view()), name="account_login"),
    path("sign-in/passkey", second_step.sign_in_by_passkey, name="sign_in_by_passkey"),
    path("sign-in/passkey/options", second_step.passkey_options, name="passkey_options"),
    path("sign-in/second-step", second_step.second_step, name="mfa_authenticate"),
    path("sign-in/oidc", single_sign_on.begin_sign_in, name="oidc_sign_in"),
    path("sign-in/oidc/callback", single_sign_on.callback, name="oidc_callback"),
    path("sign-up", page(entrance.SignUpView.as_view()), name="account_signup"),
    re_path(r"^first/(?P<key>[-:\w]+)$", entrance.first_account, name="first_account"),
    path("sign-out", page(allauth.logout), name="account_logout"),
    path("language", require_POST(set_language), name="set_language"),
    path("settings", page(RedirectView.as_view(pattern_name="profile"))),
    path("settings/profile", profile, name="profile"),
    path("settings/profile/picture", profile_picture, name="profile_picture"),
    re_path(r"^people/(?P<name>[-_A-Za-z0-9]{32})$", picture, name="picture"),
    path("settings/password", page(passwords.ChangeView.as_view()), name="account_change_password"),
    path("settings/password/set", page(passwords.set_password), name="account_set_password"),
    path("settings/security", security.security, name="security"),
    path("settings/security/app", security.set_up_app, name="set_up_app"),
    path("settings/security/app/remove", security.remove_app, name="remove_app"),
    path("settings/security/recovery-codes", security.recovery_codes, name="recovery_codes"),
    path("settings/security/passkeys/new", security.new_passkey, name="new_passkey"),
    path("settings/security/passkeys/<int:passkey>/name", security.rename_passkey, name="rename_passkey"),
    path("settings/security/passkeys/<int:passkey>/remove", security.remove_passkey, name="remove_passkey"),
    path("settings/security/browsers/forget", security.forget_browsers, name="forget_browsers"),
    path("settings/security/browsers/<id:browser>/forget", security.forget_browser, name="forget_browser"),
    path("settings/security/provider", single_sign_on.link, name="link_provider"),
    path("settings/security/provider/remove", single_sign_on.unlink, name="unlink_provider"),
    path("settings/security/activity", account_activity, name="account_activity"),
    path("settings/security/sessions/end", sessions.sign_out_elsewhere, name="sign_out_elsewhere"),
    path("settings/security/sessions/<id:session>/end", sessions.end_session, name="end_session"),
    path("settings/email", email_address, name="account_email"),
    path("account/inactive", page(allauth.account_inactive), name="account_inactive"),
    path("account/confirm", entrance.reauthenticate, name="account_reauthenticate"),
    path("account/confirm/provider", single_sign_on.begin_confirmation, name="confirm_by_provider"),
    path("account/email/sent", page(allauth.email_verification_sent), name="account_email_verification_sent"),
    re_path(r"^account/email/(?P<key>[-:\w]+)$", page(ConfirmView.as_view()), name="account_confirm_email"),
    re_path(r"^account/email/stop/(?P<key>[-:\w]+)$", stop_address, name="stop_address"),
    re_path(r"^account/factor/(?P<key>[-:\w]+)$", remove_factor, name="remove_factor"),
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
