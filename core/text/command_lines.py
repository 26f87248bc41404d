from django.conf import settings


def for_this_installation(text: str) -> str:
    """Return the text with its commands as they are typed here: packages and images have no `bin/manage` and `bin/serve`."""
    if settings.HAS_SCRIPTS:
        return text
    return text.replace("bin/manage ", "taskboard ").replace("bin/serve", "taskboard serve")
