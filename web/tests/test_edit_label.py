"""Renaming and recoloring a label from the menu of an open card."""

import pytest
from playwright.sync_api import expect

from boards.actions.cards.labels import add_label, create_label, delete_label, update_label
from boards.models import Label
from conftest import web
from web.tests.browsing import SCRIPTED, browser
from web.tests.test_card_parts import fresh, open_at, parts_of, since


@pytest.fixture
def bug(board, card, ed) -> Label:
    bug = create_label(actor=web(ed), board_id=board.pk, name="Bug", hue=1)
    create_label(actor=web(ed), board_id=board.pk, name="Chore", hue=2)
    add_label(actor=web(ed), card_id=card.pk, label_id=bug.pk)
    return bug


@pytest.mark.django_db
def test_the_answer_has_the_labels_of_the_open_card_and_its_tile_and_offers_undo(ed, card, bug):
    answer = browser(ed).post(f"/label/{bug.pk}", {"name": "Fault", "color": "5"}, **open_at(fresh(card)))
    html = answer.content.decode()
    assert "labels" in parts_of(html)
    assert f'id="card-{card.pk}"' in html
    assert "<span>Saved.</span>" in html
    assert "Undo" in html
    assert [*Label.objects.filter(pk=bug.pk).values_list("name", "hue")] == [("Fault", 5)]


@pytest.mark.django_db
def test_an_open_card_of_somebody_else_gets_its_labels_anew(ed, olga, card, bug):
    before = fresh(card).version
    browser(ed).post(f"/label/{bug.pk}", {"name": "Fault", "color": "5"}, **SCRIPTED)
    assert parts_of(since(olga, card, before)) == ["labels"]


@pytest.mark.django_db
@pytest.mark.parametrize("form, name", [({"name": "Task", "color": "5"}, "Task"), (None, "Fresh")])
def test_a_card_without_the_label_gets_it_too_as_its_menu_offers_it(ed, olga, board, card, bug, form, name):
    chore, before = Label.objects.get(name="Chore"), fresh(card).version
    if form:
        browser(ed).post(f"/label/{chore.pk}", form, **SCRIPTED)
    else:
        create_label(actor=web(ed), board_id=board.pk, name=name)
    answer = since(olga, card, before)
    assert parts_of(answer) == ["labels"]
    assert f'data-name="{name}"' in answer
    assert fresh(card).version == before


@pytest.mark.django_db
def test_a_name_that_another_label_has_is_refused_in_words(ed, vera, card, bug):
    sent = {"name": "Chore", "color": "5"}
    answer = browser(ed).post(f"/label/{bug.pk}", sent, **open_at(fresh(card)))
    assert (answer.status_code, "already has a label" in answer.content.decode()) == (409, True)
    assert browser(vera).post(f"/label/{bug.pk}", sent, **SCRIPTED).status_code == 403
    assert Label.objects.get(pk=bug.pk).name == "Bug"


@pytest.mark.django_db(transaction=True)
def test_a_label_is_renamed_and_recolored_in_the_menu_of_an_open_card(opened, ed, card, bug):
    page = opened(ed, card=card).page
    page.locator("#choose-labels").click()
    page.get_by_role("button", name="Edit Bug").click()
    field = page.get_by_role("textbox", name="Find or create a label")
    expect(field).to_have_value("Bug")
    field.fill("Fault")
    page.locator("#labels-menu").get_by_role("button", name="Save").click()
    expect(page.locator("#choose-labels .label")).to_have_text("Fault")
    expect(page.locator(f"#card-{card.pk} .label")).to_have_text("Fault")
    expect(page.locator("#labels-menu").get_by_role("button", name="Edit Fault")).to_be_visible()
    field.fill("New")
    expect(page.get_by_role("button", name="Create and add")).to_be_visible()
    expect(page.locator("#labels-menu").get_by_role("button", name="Cancel")).to_be_hidden()


@pytest.mark.django_db(transaction=True)
def test_what_others_do_to_labels_comes_to_the_menu_of_an_open_card(opened, ed, olga, board, card, bug):
    shown = opened(ed, card=card)
    menu = shown.page.locator("#labels-menu")
    shown.page.locator("#choose-labels").click()
    chore = Label.objects.get(name="Chore")
    update_label(actor=web(olga), label_id=chore.pk, name="Task", hue=7)
    shown.tell(chore)
    expect(menu.locator(f"#label-{chore.pk} .label")).to_have_text("Task")
    expect(menu.locator(f"#label-{chore.pk} .hue-7")).to_be_visible()
    field = shown.page.get_by_role("textbox", name="Find or create a label")
    field.fill("fr")
    create_label(actor=web(olga), board_id=board.pk, name="Fresh")
    shown.tell(chore)
    expect(menu.get_by_role("checkbox", name="Fresh")).to_be_visible()
    expect(menu.get_by_role("checkbox", name="Bug")).to_be_hidden()
    expect(menu.get_by_role("button", name="Edit Fresh")).to_be_visible()
    expect(field).to_have_value("fr")
    delete_label(actor=web(olga), label_id=chore.pk)
    shown.tell(chore)
    expect(menu.locator(f"#label-{chore.pk}")).to_have_count(0)
