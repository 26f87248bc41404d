"""The public link of a board: what switches it on and off, what it records, what ends it, who finds it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from boards.access import role_on
from boards.actions.boards.board import archive_board, restore_board
from boards.actions.cards.archive import archive_card
from boards.actions.people.handover import accept_offer
from boards.actions.sharing.public_links import (
    change_public_link,
    create_public_link,
    renew_public_link,
    valid_frames,
    withdraw_public_link,
)
from boards.actions.undo import undo_change
from boards.errors import Conflict, Invalid, NotAllowed, NotFound
from boards.models import Activity, Board, FormerValues, PublicLink
from boards.models.public_link import digest_of
from boards.reading.public import find_link, public_card, public_list, reader_by, view_by
from boards.reading.reach import visible_board, visible_card
from boards.tests.world import World, last
from conftest import web

DEFAULTS = {"expires_at": None, "shows_comments": False, "shows_names": False, "frames": ""}


@pytest.fixture
def link(olga, board) -> PublicLink:
    return create_public_link(actor=web(olga), board_id=board.pk)


def change(user, board, **choices) -> PublicLink:
    return change_public_link(actor=web(user), board_id=board.pk, **DEFAULTS | choices)


def test_a_link_has_256_random_bits_that_only_the_service_can_make_again(link):
    assert len(link.key) == 43
    row = PublicLink.objects.values().get()
    assert link.key not in str(row)
    assert row["digest"] == digest_of(link.key)


def test_its_address_outlives_a_rotation_of_the_secret_key_and_works_without_the_old_one(link, settings):
    key, old = link.key, settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "n" * 60, [old]
    assert PublicLink.objects.get().key == key
    settings.SECRET_KEY_FALLBACKS = []
    assert PublicLink.objects.get().key == ""
    assert find_link(key) == link


@pytest.mark.parametrize("key", ["", "A" * 43, "A" * 42 + "\ud800", "ä" * 43, "A" * 5000])
def test_what_is_no_key_finds_nothing(key, link):
    assert find_link(key) is None
    assert find_link(link.key + "\n") is None


def test_switching_on_again_keeps_the_address(link, olga, board):
    assert create_public_link(actor=web(olga), board_id=board.pk, shows_names=True) == link
    assert not PublicLink.objects.get().shows_names


def test_a_new_address_ends_the_old_one_and_keeps_the_choices(link, olga, board):
    change(olga, board, shows_names=True, password="correct horse")
    old = PublicLink.objects.get()
    new = renew_public_link(actor=web(olga), board_id=board.pk)
    assert find_link(link.key) is None
    assert find_link(new.key) == new != old
    assert (new.shows_names, new.password) == (True, old.password)


@pytest.mark.parametrize("how", ["withdraw", "archive", "hand over", "expire", "deactivate", "operator"])
def test_a_link_ends(how, world: World, settings):
    link, olga = world.link, world.olga
    assert find_link(link.key) == link
    match how:
        case "withdraw":
            withdraw_public_link(actor=web(olga), board_id=world.board.pk)
        case "archive":
            archive_board(actor=web(olga), board_id=world.board.pk)
            restore_board(actor=web(olga), board_id=world.board.pk)
        case "hand over":
            accept_offer(actor=web(world.hugo), board_id=world.board.pk)
        case "expire":
            PublicLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        case "deactivate":
            olga.is_active = False
            olga.save()
        case "operator":
            settings.PUBLIC_LINKS = False
    assert find_link(link.key) is None


def test_the_history_says_what_happened_without_the_address_and_the_password(olga, board):
    link = create_public_link(actor=web(olga), board_id=board.pk, password="correct horse", shows_names=True)
    assert last(board).data == {"has_password": [False, True], "shows_names": [False, True]}
    changed = change(olga, board, shows_comments=True, password="")
    assert (changed.password, last(board).data) == (
        "",
        {"has_password": [True, False], "shows_comments": [False, True], "shows_names": [True, False]},
    )
    new = renew_public_link(actor=web(olga), board_id=board.pk)
    withdraw_public_link(actor=web(olga), board_id=board.pk)
    lines = Activity.objects.filter(board=board, verb__startswith="link.").order_by("version")
    assert [line.verb for line in lines] == ["link.created", "link.changed", "link.renewed", "link.withdrawn"]
    told = str(list(lines.values())) + str(list(FormerValues.objects.values()))
    for secret in (link.key, new.key, link.digest, link.nonce, link.password, "correct horse"):
        assert secret not in told


def test_undo_never_brings_a_link_back(link, olga, board):
    withdraw_public_link(actor=web(olga), board_id=board.pk)
    for number in range(Board.objects.get(pk=board.pk).version, 0, -1):
        if Activity.objects.get(board=board, version=number).verb.startswith("link."):
            with pytest.raises(Conflict, match="public link"):
                undo_change(actor=web(olga), board_id=board.pk, number=number)
    assert find_link(link.key) is None


def test_undoing_that_a_board_was_archived_leaves_its_link_ended(link, olga, board):
    archived = archive_board(actor=web(olga), board_id=board.pk)
    undo_change(actor=web(olga), board_id=board.pk, number=archived.version)
    assert find_link(link.key) is None


def test_an_end_lies_ahead(link, olga, board):
    with pytest.raises(Invalid, match="today or a later day"):
        change(olga, board, expires_at=timezone.now())
    with pytest.raises(Invalid, match="today or a later day"):
        create_public_link(actor=web(olga), board_id=board.pk, expires_at=timezone.now())


@pytest.mark.parametrize("password", ["short", "x" * 129])
def test_a_password_has_8_to_128_characters(password, link, olga, board):
    with pytest.raises(Invalid, match="8 to 128"):
        change(olga, board, password=password)


def test_a_board_with_a_password_is_not_embedded(link, olga, board):
    with pytest.raises(Invalid, match="cannot be embedded"):
        change(olga, board, password="correct horse", frames="*")
    change(olga, board, password="correct horse")
    with pytest.raises(Invalid, match="cannot be embedded"):
        change(olga, board, frames="https://example.com")
    assert PublicLink.objects.get().frames == ""


@pytest.mark.parametrize(
    "text, frames",
    [
        ("", ""),
        ("*", "*"),
        (" https://Example.com,  http://localhost:8000 ", "https://example.com http://localhost:8000"),
        ("https://*.example.com", "https://*.example.com"),
    ],
)
def test_sites_are_named_by_their_origins(text, frames):
    assert valid_frames(text) == frames


@pytest.mark.parametrize(
    "text",
    [
        "example.com",
        "javascript:alert(1)",
        "https://example.com/page",
        "https://a.com;script-src",
        "* https://example.com",
        "'self'",
        "https://a.com\r\nx: y",
        " ".join(f"https://{number}.com" for number in range(11)),
    ],
)
def test_what_is_no_origin_is_refused(text):
    with pytest.raises(Invalid):
        valid_frames(text)


def test_where_the_operator_says_no_nobody_switches_one_on(olga, board, settings):
    settings.PUBLIC_LINKS = False
    with pytest.raises(NotAllowed, match="operator"):
        create_public_link(actor=web(olga), board_id=board.pk)


def test_without_a_link_there_is_nothing_to_change(olga, board):
    with pytest.raises(NotFound):
        change(olga, board)
    with pytest.raises(NotFound):
        renew_public_link(actor=web(olga), board_id=board.pk)


def test_its_reader_is_a_member_of_nothing(world: World):
    """Whatever reads by memberships gives a reader by link nothing, also of the very board."""
    reader = reader_by(world.link, "en")
    assert role_on(world.board.pk, reader) is None
    assert not Board.objects.filter(reader.membership("memberships__")).exists()
    for find, pk in ((visible_board, world.board.pk), (visible_card, world.card.pk)):
        with pytest.raises(NotFound):
            find(pk, reader)
    assert not reader.is_among(frozenset([world.olga.pk, reader.user.pk]), world.board.pk)
    assert not reader.is_among(frozenset([world.link.pk]), world.plain.pk)


def test_it_shows_nothing_that_is_archived_and_nothing_of_other_boards(world: World):
    view = view_by(world.link)
    assert public_card(world.card.pk, view) == world.card
    assert public_list(world.todo.pk, view) == world.todo
    archive_card(actor=world.by_olga, card_id=world.second.pk)
    for card in (world.gone_card, world.hidden_card, world.second):
        with pytest.raises(NotFound):
            public_card(card.pk, view)
    with pytest.raises(NotFound):
        public_list(world.gone_list.pk, view)
    other = view_by(create_public_link(actor=world.by_olga, board_id=world.plain.pk))
    with pytest.raises(NotFound):
        public_card(world.card.pk, other)
    with pytest.raises(NotFound):
        public_list(world.todo.pk, other)
