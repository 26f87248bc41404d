from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class BoardsConfig(AppConfig):
    name = "boards"
    verbose_name = _("Boards")

    def ready(self) -> None:
        from boards.word_index import add_function, keep_word_index

        connection_created.connect(add_function)
        post_migrate.connect(keep_word_index, sender=self)
