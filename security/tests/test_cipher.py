"""Secrets are kept encrypted, by keys that can be changed."""

from datetime import timedelta

import pytest
import time_machine

from security.cipher import Cipher, Unreadable

ONE = Cipher("one")


def test_what_is_encrypted_is_read_again_and_is_not_in_it():
    encrypted = ONE.encrypt("a secret")
    assert ONE.decrypt(encrypted) == "a secret"
    assert "secret" not in encrypted
    assert ONE.encrypt("a secret") != encrypted


def test_another_purpose_reads_nothing():
    with pytest.raises(Unreadable):
        Cipher("another").decrypt(ONE.encrypt("a secret"))


def test_another_key_reads_nothing(settings):
    encrypted = ONE.encrypt("a secret")
    settings.SECRET_KEY = "another key of the service, quite long"
    with pytest.raises(Unreadable):
        ONE.decrypt(encrypted)


def test_a_former_key_still_reads(settings):
    encrypted, former = ONE.encrypt("a secret"), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new key of the service, quite long", [former]
    assert ONE.decrypt(encrypted) == "a secret"
    assert not ONE.is_current(encrypted)
    assert ONE.is_current(ONE.encrypt("a secret"))


def test_what_is_too_old_is_not_read():
    with time_machine.travel("2026-05-04 12:00Z", tick=False) as clock:
        encrypted = ONE.encrypt("a secret")
        clock.shift(timedelta(minutes=59))
        assert ONE.decrypt(encrypted, max_age=timedelta(hours=1)) == "a secret"
        clock.shift(timedelta(minutes=2))
        with pytest.raises(Unreadable):
            ONE.decrypt(encrypted, max_age=timedelta(hours=1))


@pytest.mark.parametrize("text", ["", "x", "gAAAA", "ü", "\0", "A" * 10_000])
def test_any_other_text_is_refused(text):
    with pytest.raises(Unreadable):
        ONE.decrypt(text)
