"""The settings, labels, archive and deletion of a board, in the browser."""

import re

import pytest

from accounts.models import Plan
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.cards.labels import create_label
from boards.actions.lists.list import archive_list
from boards.models import Board, Card, Label, List
from conftest import web
from web.boards.settings import FORMS
from web.tests.browsing import browser, text_of


def settings_of(board):
    return f"/board/{board.pk}/settings"


def test_title_and_colour_are_changed(ed, board):
    assert browser(ed).post(settings_of(board), {"title": "Landing", "color": "3"}).url == settings_of(board)
    board.refresh_from_db()
    assert (board.title, board.hue) == ("Landing", 3)


def test_a_background_is_chosen_and_is_on_the_page_of_the_board(ed, board):
    sent = {"title": "Launch", "color": "3", "background": "dusk"}
    browser(ed).post(settings_of(board), sent)
    page = browser(ed).get(board.get_absolute_url()).content.decode()
    assert re.search(r'<body[^>]* data-background="dusk"', page)
    assert re.search(r'id="board-head"[^>]* data-background="dusk"', page)
    answer = browser(ed).post(settings_of(board), {**sent, "background": "url(x)"})
    assert answer.status_code == 422
    assert "Background must be one of" in text_of(answer)


def test_a_refused_title_is_kept_with_its_error(ed, board):
    answer = browser(ed).post(settings_of(board), {"title": "x" * 201, "color": "3"})
    assert answer.status_code == 422
    assert "Title must have at most 200 characters" in text_of(answer)
    assert f'value="{"x" * 201}"' in answer.content.decode()


def test_a_viewer_reads_the_labels_and_changes_nothing(vera, board):
    create_label(actor=web(board.memberships.get(role="owner").user), board_id=board.pk, name="Bug")
    page = browser(vera).get(settings_of(board)).content.decode()
    assert "Bug" in page
    main = page[page.index("<main") : page.index("</main>")]
    assert "<form" not in main
    assert "<button" not in main


def test_only_the_owner_is_offered_to_archive_or_delete_the_board(olga, ed, board):
    assert "Delete permanently" in text_of(browser(olga).get(settings_of(board)))
    assert "Delete permanently" not in text_of(browser(ed).get(settings_of(board)))


def test_labels_are_created_changed_and_deleted_after_a_confirmation(ed, board):
    client = browser(ed)
    client.post(f"/board/{board.pk}/labels", {"name": "Bug", "color": "3"})
    label = Label.objects.get()
    client.post(f"/label/{label.pk}", {"name": "Fault", "color": "4"})
    label.refresh_from_db()
    assert (label.name, label.hue) == ("Fault", 4)
    assert "Delete this label? Fault" in text_of(client.get(f"/label/{label.pk}/deletion"))
    client.post(f"/label/{label.pk}/deletion")
    assert not Label.objects.exists()


def test_a_viewer_cannot_open_the_confirmation_to_delete_a_label(ed, vera, board):
    label = create_label(actor=web(ed), board_id=board.pk, name="Bug")
    answer = browser(vera).get(f"/label/{label.pk}/deletion")
    assert answer.status_code == 403
    assert "You can view this board but not change it." in text_of(answer)


@pytest.mark.parametrize(
    "name, status, sentence", [("", 422, "Name must not be empty."), ("Bug", 409, "a label with this name")]
)
def test_a_refused_label_has_its_error_beside_its_field(ed, board, name, status, sentence):
    create_label(actor=web(ed), board_id=board.pk, name="Bug")
    answer = browser(ed).post(f"/board/{board.pk}/labels", {"name": name, "color": "3"})
    assert answer.status_code == status
    assert sentence in answer.context["new_label"].errors["name"][0]


def test_a_label_too_many_is_refused_on_the_page_and_on_a_card_and_leaves_no_trace(ed, board, card):
    Label.objects.bulk_create(Label(board=board, name=f"Label {n}", hue=1, version=1) for n in range(500))
    answer = browser(ed).post(f"/board/{board.pk}/labels", {"name": "Bug", "color": "3"})
    assert answer.status_code == 403
    assert "This board has reached its limit of 500 labels." in answer.context["new_label"].non_field_errors()[0]
    answer = browser(ed).post(f"/card/{card.pk}/labels", {"name": "Bug", "color": "3"})
    assert answer.status_code == 403
    assert "Delete one to create another." in text_of(answer)
    assert not Label.objects.filter(name="Bug").exists()


def test_of_many_labels_the_later_ones_get_their_form_when_it_is_asked_for(ed, board):
    """Otherwise somebody with thousands of labels could keep the service busy by looking at them."""
    for number in range(FORMS + 2):
        create_label(actor=web(ed), board_id=board.pk, name=f"Label {number}")
    last = Label.objects.last()

    def forms(address):
        return re.findall(r'action="/label/([^"]+)"', browser(ed).get(address).content.decode())

    assert len(forms(settings_of(board))) == FORMS
    page = browser(ed).get(settings_of(board)).content.decode()
    [*_others, link] = re.findall(r'href="([^"]+)#label-[^"]+"', page)
    assert forms(link)[FORMS:] == [str(last.pk)]
    assert '<details class="edit below" open>' in browser(ed).get(link).content.decode()
    refused = browser(ed).post(f"/label/{last.pk}", {"name": "Label 0", "color": "3"})
    assert "a label with this name" in dict(refused.context["labels"])[last].errors["name"][0]


def test_settings_take_as_many_statements_for_two_labels_as_for_five(ed, board, django_assert_num_queries):
    client = browser(ed)
    for names in ("ab", "cde"):
        for name in names:
            create_label(actor=web(ed), board_id=board.pk, name=name)
        with django_assert_num_queries(5):  # session, user, board and role, labels, public link
            client.get(settings_of(board))


def test_a_board_is_archived_and_restored(olga, board):
    client = browser(olga)
    assert client.post(f"/board/{board.pk}/archival", {"archived": "1"}).url == "/"
    board.refresh_from_db()
    assert board.archived_at
    assert client.post(f"/board/{board.pk}/archival", {"archived": "0"}).url == f"/board/{board.pk}"
    board.refresh_from_db()
    assert board.archived_at is None


@pytest.mark.parametrize("page", ["/settings", "/archive", "/members"])
def test_the_pages_of_an_archived_board_offer_its_owner_nothing_but_to_restore_or_delete_it(olga, board, card, page):
    gone = create_card(actor=web(olga), list_id=card.list_id, title="Gone")
    archive_card(actor=web(olga), card_id=gone.pk)
    create_label(actor=web(olga), board_id=board.pk, name="Bug")
    address = f"/board/{board.pk}"
    assert forms_of(browser(olga), f"{address}{page}") - {f"{address}/archival"}
    archive_board(actor=web(olga), board_id=board.pk)
    assert forms_of(browser(olga), f"{address}{page}") <= {f"{address}/archival", f"{address}/deletion"}


def forms_of(client, address):
    """Return where the controls of the page lead, apart from those that every page has."""
    main = re.search(r"<main.*</main>", client.get(address).content.decode(), re.DOTALL)[0]
    return set(re.findall(r'action="([^"]+)"', main))


def test_at_the_plans_limit_an_archived_board_is_not_restored_and_the_page_says_why(olga, board):
    archive_board(actor=web(olga), board_id=board.pk)
    Plan.objects.filter(key="free").update(max_boards=1)
    create_board(actor=web(olga), title="Another")
    answer = browser(olga).post(f"/board/{board.pk}/archival", {"archived": "0"})
    assert answer.status_code == 403
    assert "Archive or delete it to make room." in text_of(answer)


@pytest.mark.parametrize("typed", ["", "launch", "Launch it"])
def test_a_board_is_not_deleted_without_its_title(olga, board, typed):
    answer = browser(olga).post(f"/board/{board.pk}/deletion", {"title": typed})
    assert answer.status_code == 422
    assert "Type it exactly as shown above." in text_of(answer)
    assert Board.objects.exists()


def test_a_board_is_deleted_by_an_owner_who_types_its_title(olga, board, card):
    assert browser(olga).post(f"/board/{board.pk}/deletion", {"title": "Launch"}).url == "/"
    assert not Board.objects.exists()


def test_an_archived_board_can_be_deleted(olga, board):
    archive_board(actor=web(olga), board_id=board.pk)
    browser(olga).post(f"/board/{board.pk}/deletion", {"title": "Launch"})
    assert not Board.objects.exists()


def test_the_archive_shows_rows_with_the_actions_that_the_role_allows(olga, ed, vera, board, todo, doing, card):
    archive_card(actor=web(olga), card_id=card.pk)
    archive_list(actor=web(olga), list_id=doing.pk)
    page = f"/board/{board.pk}/archive"
    may = {olga: ("Restore", "Delete"), ed: ("Restore",), vera: ()}
    for user, words in may.items():
        text = text_of(browser(user).get(page))
        assert "Write the announcement" in text
        assert "Doing" in text
        assert [word for word in ("Restore", "Delete") if word in text] == list(words)


def test_cards_restored_from_the_archive_are_on_the_board_again(ed, board, todo, card):
    archive_card(actor=web(ed), card_id=card.pk)
    browser(ed).post(f"/card/{card.pk}/archival", {"archived": "0"})
    assert Card.objects.open().get() == card


def test_the_archive_stays_open_when_a_card_or_list_is_restored_and_links_to_it(ed, board, todo, doing, card):
    archive_card(actor=web(ed), card_id=card.pk)
    archive_list(actor=web(ed), list_id=doing.pk)
    client, page = browser(ed), f"/board/{board.pk}/archive?page=1"
    restored = {f"/card/{card.pk}/archival": card.get_absolute_url(), f"/list/{doing.pk}/archival": f"#list-{doing.pk}"}
    for address, link in restored.items():
        answer = client.post(address, {"archived": "0"}, HTTP_REFERER=f"http://testserver{page}")
        assert answer.url == page
        assert re.search(rf'<a href="[^"]*{re.escape(link)}">Open (card|board)</a>', client.get(page).content.decode())


def test_a_card_that_is_restored_on_its_own_page_stays_there(ed, board, todo, card):
    archive_card(actor=web(ed), card_id=card.pk)
    own = card.get_absolute_url()
    answer = browser(ed).post(f"/card/{card.pk}/archival", {"archived": "0"}, HTTP_REFERER=f"http://testserver{own}")
    assert answer.url == own


def test_an_archived_list_is_deleted_with_its_cards_after_a_confirmation(olga, board, todo, card):
    archive_list(actor=web(olga), list_id=todo.pk)
    client = browser(olga)
    assert "Delete this list permanently? To do" in text_of(client.get(f"/list/{todo.pk}/deletion"))
    assert client.post(f"/list/{todo.pk}/deletion").url == f"/board/{board.pk}/archive"
    assert not List.objects.exists()
    assert not Card.objects.exists()


def test_the_archive_comes_in_pages_and_takes_a_fixed_number_of_statements(
    olga, board, todo, django_assert_num_queries
):
    client = browser(olga)

    def archive_some(count):
        for number in range(count):
            made = create_card(actor=web(olga), list_id=todo.pk, title=f"Old card {number}.")
            archive_card(actor=web(olga), card_id=made.pk)

    archive_some(2)
    with django_assert_num_queries(6):  # session, user, board and role, lists, number of cards, cards
        client.get(f"/board/{board.pk}/archive")
    archive_some(51)
    with django_assert_num_queries(6):
        first = text_of(client.get(f"/board/{board.pk}/archive"))
    assert "Older" in first
    assert "Old card 50." in first
    assert "Old card 50." not in text_of(client.get(f"/board/{board.pk}/archive?page=2"))
    assert client.get(f"/board/{board.pk}/archive?page=x").status_code == 200


def test_a_refused_change_of_a_label_is_shown_at_that_label_with_what_was_typed(ed, board):
    create_label(actor=web(ed), board_id=board.pk, name="Bug")
    feature = create_label(actor=web(ed), board_id=board.pk, name="Feature")
    answer = browser(ed).post(f"/label/{feature.pk}", {"name": "Bug", "color": "3"})
    assert answer.status_code == 409
    forms = {row.name: form for row, form in answer.context["labels"]}
    assert "a label with this name" in forms["Feature"].errors["name"][0]
    assert not forms["Bug"].errors
    assert f'id="name-{feature.pk}"' in answer.content.decode()
    assert '<details class="edit below" open>' in answer.content.decode()


def test_fields_are_linked_with_their_errors_for_screen_readers(ed, board):
    page = browser(ed).post(f"/board/{board.pk}/settings", {"title": "", "color": "3"}).content.decode()
    field = re.search(r"<input[^>]*id=\"title\"[^>]*>", page)[0]
    assert 'aria-invalid="true"' in field
    described = re.search(r'aria-describedby="([^"]+)"', field)[1]
    assert f'id="{described}"' in page
