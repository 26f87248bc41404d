from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from allauth.account.signals import password_changed, password_set
        from django.contrib.auth.signals import user_logged_in

        from accounts.known_browsers import learn

        for signal in (user_logged_in, password_changed, password_set):
            signal.connect(learn, dispatch_uid="accounts.known_browsers")
