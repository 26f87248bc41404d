import re
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from django.template import Context, Template

from accounts.models import User
from web.templatetags.board_tags import avatar_hue, initial

NAMED_ICONS = re.compile(r'{% icon "([\w-]+)"')


def rendered(source: str, **context: object) -> str:
    return Template(source).render(Context(context))


@pytest.mark.parametrize(
    "name,shown", [("Olga Kern", "O"), ("vera", "V"), ("山田太郎", "山"), ("  Zoë  ", "Z"), ("_ada", "A"), ("🙂", "🙂")]
)
def test_an_initial_is_the_first_letter_of_a_name(name, shown):
    assert initial(name) == shown


def test_a_user_always_has_the_same_one_of_twelve_colours():
    identity = UUID("01930000-0000-7000-8000-000000000001")
    assert avatar_hue(identity) == 10
    colours = {avatar_hue(UUID(int=number)) for number in range(500)}
    assert colours == set(range(1, 13))


def test_an_avatar_contains_the_name_unless_the_name_is_beside_it():
    olga = User(email="olga@example.com", name="Olga Kern")
    assert 'role="img" aria-label="Olga Kern"' in rendered("{% avatar user %}", user=olga)
    assert 'aria-hidden="true">O<' in rendered("{% avatar user named=False %}", user=olga)


def test_markup_in_a_name_is_escaped_in_an_avatar():
    html = rendered("{% avatar user %}", user=User(email="x@example.com", name='"><script>alert(1)</script>'))
    assert "<script>" not in html


def test_an_icon_is_decorative_and_comes_from_our_own_file():
    assert rendered('{% icon "star" %}') == (
        '<svg class="icon" aria-hidden="true"><use href="/static/vendor/icons.svg#star"/></svg>'
    )


def test_every_icon_that_a_template_names_is_in_the_file():
    sheet = (settings.BASE_DIR / "static" / "vendor" / "icons.svg").read_text()
    there = set(re.findall(r'<symbol id="([\w-]+)"', sheet))
    templates: list[Path] = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
    named = {name for template in templates for name in NAMED_ICONS.findall(template.read_text())}
    assert "square-kanban" in named
    assert named <= there
