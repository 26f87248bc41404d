from boards.tests.conftest import pushed, world
from web.tests.looking import show
from web.tests.open_board import opened
from web.tests.served import environment, running

__all__ = ["environment", "opened", "pushed", "running", "show", "world"]
