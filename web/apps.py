from collections.abc import Collection
from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.http import HttpRequest

if TYPE_CHECKING:
    from accounts.models import User


class WebConfig(AppConfig):
    name = "web"

    def ready(self) -> None:
        from core.entrance import INVITED
        from security.provider.followers import FOLLOWERS

        INVITED.append(follows_a_link)
        FOLLOWERS.append(follow_groups)


def follows_a_link(request: HttpRequest) -> bool:
    from web.boards.links_followed import links_followed  # the pages are imported when they are needed

    return bool(links_followed(request))


def follow_groups(request: HttpRequest, user: "User", groups: Collection[str]) -> None:
    from web.boards.groups import follow

    follow(request, user, groups)
