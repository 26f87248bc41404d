from boards.tests.conftest import pushed, world
from taskboard.tests.browsers import chrome
from web.tests.looking import show
from web.tests.open_board import opened
from web.tests.served import environment, running

__all__ = ["chrome", "environment", "opened", "pushed", "running", "show", "world"]
