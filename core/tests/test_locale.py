import pytest
from django.utils import timezone, translation

from core.text.locale import language_tag, locale_of


@pytest.mark.parametrize("code,tag", [("en", "en"), ("pt-br", "pt-BR"), ("zh-hans", "zh-Hans")])
def test_a_language_is_written_as_bcp_47_has_it(code, tag):
    assert language_tag(code) == tag


def test_language_and_time_zone_are_the_users_inside_and_restored_afterwards(olga):
    olga.language, olga.time_zone = "de", "Asia/Tokyo"
    before = translation.get_language(), timezone.get_current_timezone_name()
    with locale_of(olga):
        assert translation.get_language() == "de"
        assert timezone.get_current_timezone_name() == "Asia/Tokyo"
    assert (translation.get_language(), timezone.get_current_timezone_name()) == before
