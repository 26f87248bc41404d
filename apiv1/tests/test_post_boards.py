import polib
import pytest

from accounts.models import ApiToken, User
from apiv1.tests.calls import is_refused
from boards.actions.boards.board import archive_board, create_board
from boards.board_templates import Template
from boards.models import Activity, Board, Membership
from boards.models.verbs import Door, Verb
from conftest import join, web

BOARDS = "/api/v1/boards"
LISTS = {
    "blank": [],
    "kanban": ["To do", "In progress", "Done"],
    "content": ["Ideas", "Drafting", "Review", "Published"],
    "personal": ["Today", "This week", "Later", "Done"],
}
LABELS = {
    "blank": [],
    "kanban": ["Bug", "Feature", "Chore"],
    "content": ["Article", "Video", "Social"],
    "personal": ["Home", "Work", "Errands"],
}


@pytest.fixture
def german(settings, tmp_path):
    """Use a catalogue of our own, so that translators cannot break these tests."""
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": "text/plain; charset=utf-8"}
    for context, words in {"list": {"To do": "Offen", "Done": "Fertig"}, "label": {"Bug": "Fehler"}}.items():
        catalogue.extend(polib.POEntry(msgctxt=context, msgid=en, msgstr=de) for en, de in words.items())
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue.save_as_mofile(str(folder / "django.mo"))
    settings.LOCALE_PATHS = [tmp_path]


def test_a_board_is_created_and_returned(as_olga):
    answer = as_olga.post(BOARDS, json={"title": "Garden"})
    assert answer.status_code == 201
    assert answer.headers["Content-Type"] == "application/json"
    made = Board.objects.get()
    assert answer.json() == {
        "board": {"id": str(made.pk), "title": "Garden", "lists": [], "url": f"/board/{made.pk}"},
    }


def test_the_token_owner_owns_it(as_olga, olga):
    as_olga.post(BOARDS, json={"title": "Garden"})
    assert [(row.user, row.role) for row in Membership.objects.select_related("user")] == [(olga, "owner")]


def test_a_new_board_is_listed_at_once(as_olga):
    made = as_olga.post(BOARDS, json={"title": "Garden", "template": "kanban"}).json()["board"]
    del made["url"]
    assert as_olga.get(BOARDS).json() == {"boards": [made]}


def test_the_activity_says_who_created_the_board_with_which_token(as_olga, olga):
    as_olga.post(BOARDS, json={"title": "Garden"})
    token = ApiToken.objects.get()
    [activity] = Activity.objects.all()
    assert (activity.verb, activity.user_id, activity.door) == (Verb.BOARD_CREATED, olga.pk, Door.API)
    assert (activity.token_id, activity.token_name) == (token.pk, token.name)


@pytest.mark.parametrize("template", Template.values)
def test_a_template_brings_its_lists_and_labels(as_olga, template):
    answer = as_olga.post(BOARDS, json={"title": "Garden", "template": template})
    assert answer.status_code == 201
    made = Board.objects.get()
    assert answer.json()["board"]["lists"] == [{"id": str(row.pk), "title": row.title} for row in made.lists.all()]
    assert [row["title"] for row in answer.json()["board"]["lists"]] == LISTS[template]
    assert [label.name for label in made.labels.all()] == LABELS[template]


@pytest.mark.parametrize("body", [{}, {"template": None}])
def test_a_board_without_a_template_is_blank(as_olga, body):
    answer = as_olga.post(BOARDS, json={"title": "Garden", **body})
    assert answer.json()["board"]["lists"] == []


def test_lists_and_labels_are_in_the_language_of_the_account(as_olga, olga, german):
    User.objects.filter(pk=olga.pk).update(language="de")
    answer = as_olga.post(BOARDS, json={"title": "Garten", "template": "kanban"}, headers={"Accept-Language": "ja"})
    assert [row["title"] for row in answer.json()["board"]["lists"]] == ["Offen", "In progress", "Fertig"]
    assert [label.name for label in Board.objects.get().labels.all()] == ["Fehler", "Feature", "Chore"]


def test_errors_are_english_whatever_the_account_speaks(as_olga, olga, german):
    User.objects.filter(pk=olga.pk).update(language="de")
    assert is_refused(as_olga.post(BOARDS, json={}, headers={"Accept-Language": "de"}), 400, "title is missing")


@pytest.mark.parametrize(
    "body, words",
    [
        ({}, "title is missing"),
        ({"title": None}, "title is missing"),
        ({"title": ""}, "title must not be empty"),
        ({"title": " \t "}, "title must not be empty"),
        ({"title": "x" * 201}, "title must have at most 200"),
        ({"title": 7}, "title"),
        ({"title": ["Garden"]}, "title"),
        ({"Title": "Garden"}, "nearest known one is title"),
    ],
)
def test_a_bad_title_is_refused(as_olga, body, words):
    assert is_refused(as_olga.post(BOARDS, json=body), 400, words)
    assert not Board.objects.exists()


@pytest.mark.parametrize("template", ["scrum", "", "Kanban", " kanban", 1, True, ["kanban"], {}])
def test_an_unknown_template_is_refused_and_the_known_ones_are_named(as_olga, template):
    answer = as_olga.post(BOARDS, json={"title": "Garden", "template": template})
    assert is_refused(answer, 400, "template", "blank", "kanban", "content", "personal")
    assert not Board.objects.exists()


def test_unknown_fields_are_ignored(as_olga):
    assert as_olga.post(BOARDS, json={"title": "Garden", "colour": 3, "lists": ["A"]}).status_code == 201
    assert not Board.objects.get().lists.exists()


@pytest.fixture
def ten_boards(olga):
    return [create_board(actor=web(olga), title=f"Board {number}") for number in range(10)]


def test_a_board_over_the_cap_of_the_plan_is_refused_and_the_cap_is_named(as_olga, ten_boards):
    assert is_refused(as_olga.post(BOARDS, json={"title": "One too many"}), 403, "10")
    assert Board.objects.count() == 10


def test_archived_boards_do_not_count(as_olga, olga, ten_boards):
    archive_board(actor=web(olga), board_id=ten_boards[0].pk)
    assert as_olga.post(BOARDS, json={"title": "One more"}).status_code == 201


def test_boards_of_others_do_not_count(as_ed, ed, ten_boards, olga):
    for board in ten_boards:
        join(ed, board, "editor")
    assert as_ed.post(BOARDS, json={"title": "Mine"}).status_code == 201


def test_a_plan_without_a_cap_has_no_limit(as_paula, paula):
    for number in range(10):
        create_board(actor=web(paula), title=f"Board {number}")
    assert as_paula.post(BOARDS, json={"title": "Eleven"}).status_code == 201
