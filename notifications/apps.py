from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "notifications"
    verbose_name = _("Notifications")

    def ready(self) -> None:
        from jobs.followers import follow
        from notifications import housekeeping  # noqa: F401 (it sets the clock)
        from notifications.events import follower
        from notifications.inbox.counting import NAME, count_unseen
        from notifications.mail import sending  # noqa: F401 (it sets the clock)
        from notifications.reminders import reminders  # noqa: F401 (it sets the clock)

        follow(NAME, count_unseen)
        follow(follower.NAME, follower.tell_changes)
