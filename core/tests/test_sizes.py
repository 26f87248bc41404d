import pytest
from django.template import Context, Template
from django.utils import translation

from core.text.sizes import size_in_words


@pytest.mark.parametrize(
    "size,shown",
    [(0, "0 bytes"), (1, "1 byte"), (100, "100 bytes"), (1024, "1 KB"), (1536, "1.5 KB"), (10 * 1024**2, "10 MB")],
)
def test_a_size_has_no_decimal_zero(size, shown):
    assert size_in_words(size).replace("\xa0", " ") == shown
    assert Template("{{ size|filesizeformat }}").render(Context({"size": size})).replace("\xa0", " ") == shown


def test_the_comma_of_other_languages_goes_too():
    with translation.override("de"):
        assert [size_in_words(size).replace("\xa0", " ") for size in (25 * 1024**2, 1536)] == ["25 MB", "1,5 KB"]
