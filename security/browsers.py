"""Says in words which browser a User-Agent header names. Only for people to recognise their own: clients can write anything."""

import re

from django.utils.translation import gettext as _

# In this order: most browsers also name those that they are like.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Vivaldi": "Vivaldi",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chromium": "Chromium",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Macintosh": "macOS",
    "Linux": "Linux",
}


def name_of_browser(user_agent: str) -> str:
    """Return words such as "Firefox on Linux"; the first product of the header where we know none."""
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    first = re.match(r"[\w.-]{1,40}", user_agent)
    return browser or system or (first[0] if first else _("Unknown browser"))
