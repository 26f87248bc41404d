from django.utils import timezone, translation

from core.locale import locale_of


def test_inside_texts_and_times_are_those_of_the_user_and_afterwards_as_before(olga):
    olga.language, olga.time_zone = "de", "Asia/Tokyo"
    before = translation.get_language(), timezone.get_current_timezone_name()
    with locale_of(olga):
        assert translation.get_language() == "de"
        assert timezone.get_current_timezone_name() == "Asia/Tokyo"
    assert (translation.get_language(), timezone.get_current_timezone_name()) == before
