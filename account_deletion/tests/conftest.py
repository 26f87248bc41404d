from accounts.tests.conftest import _mail_server
from boards.tests.conftest import world

__all__ = ["_mail_server", "world"]
