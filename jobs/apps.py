from typing import Any

from django.apps import AppConfig
from django.db import connection
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "jobs"
    verbose_name = _("Jobs")

    def ready(self) -> None:
        from jobs import housekeeping  # noqa: F401

        post_migrate.connect(meet_after_migrating, sender=self)


def meet_after_migrating(**kwargs: Any) -> None:
    """A follower that is new in this version begins with it, and not with the first worker."""
    from jobs.followers import meet_followers
    from jobs.models import Follower

    if Follower._meta.db_table in connection.introspection.table_names():  # not when migrated backwards
        meet_followers()
