from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "notifications"
    verbose_name = _("Notifications")

    def ready(self) -> None:
        from jobs.followers import follow
        from notifications import follower, housekeeping, mailing, reminders  # noqa: F401 (they set the clock)
        from notifications.counting import NAME, count_unseen

        follow(NAME, count_unseen)
        follow(follower.NAME, follower.tell_changes)
