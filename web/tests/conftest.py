from boards.tests.conftest import pushed, world
from taskboard.tests.served import environment, running
from web.tests.looking import show
from web.tests.open_board import opened

__all__ = ["environment", "opened", "pushed", "running", "show", "world"]
