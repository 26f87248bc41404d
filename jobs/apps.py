from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "jobs"
    verbose_name = _("Jobs")

    def ready(self) -> None:
        from jobs import housekeeping  # noqa: F401
        from jobs.followers import meet_after_migrating

        post_migrate.connect(meet_after_migrating, sender=self)
