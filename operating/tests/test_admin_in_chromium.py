"""axe finds nothing wrong with the operators' own pages in the admin, in both themes."""

import pytest

from operating.models import Banner
from taskboard.tests.axe import complaints
from web.tests.looking import show

__all__ = ["show"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("path", ["/admin/", "/admin/doctor/", "/admin/operating/banner/1/change/"])
def test_axe_finds_nothing(show, axe, otto, path):
    Banner.objects.create(text="Maintenance on Sunday.")
    for theme, width in (("light", 1440), ("dark", 390)):
        page = show(path, otto, theme=theme, width=width, wired="")
        assert complaints(page) == [], theme
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
