from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SecurityConfig(AppConfig):
    name = "security"
    verbose_name = _("Security")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in, user_logged_out

        from security.sessions import begin, end

        user_logged_in.connect(begin, dispatch_uid="security.sessions")
        user_logged_out.connect(end, dispatch_uid="security.sessions")
