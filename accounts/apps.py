from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from allauth.account.signals import password_changed, password_set
        from django.contrib.auth.signals import user_logged_in, user_logged_out

        from accounts.sign_in.sessions.known_browsers import learn
        from accounts.sign_in.sessions.lifetime import begin, end

        user_logged_in.connect(begin, dispatch_uid="accounts.sign_in.sessions.lifetime")
        user_logged_out.connect(end, dispatch_uid="accounts.sign_in.sessions.lifetime")
        for signal in (user_logged_in, password_changed, password_set):
            signal.connect(learn, dispatch_uid="accounts.sign_in.sessions.known_browsers")
