from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "web"

    def ready(self) -> None:
        from accounts.sign_in.provider.followers import FOLLOWERS
        from core.sign_up import INVITED
        from web.boards.groups import follow
        from web.boards.links_followed import has_followed_a_link

        INVITED.append(has_followed_a_link)
        FOLLOWERS.append(follow)
