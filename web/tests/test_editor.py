"""The editor of descriptions, in Chromium."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from boards.actions.cards.card import update_card
from boards.actions.people.members import change_role
from boards.models import Card, Comment
from boards.richtext import from_markdown, to_markdown
from conftest import web
from taskboard.tests.axe import complaints
from taskboard.tests.interception import intercept
from web.tests.held import Held

pytestmark = pytest.mark.django_db(transaction=True)

EVERYTHING = """\
# One

###### Six

Plain **bold** *italic* ~~strike~~ `code` [**link**](https://example.org/a?b=c)
second line

- one
  - nested

3. three
4. four

- [x] done
- [ ] open

> quoted
>
> - in it

```python
print("|")
```

| a | b |
| --- | --- |
| **1** |  |

---

mailto:a@example.org"""


def button(page: Page, name: str) -> None:
    page.get_by_role("toolbar").get_by_role("button", name=name, exact=True).click()


def save(page: Page) -> None:
    page.keyboard.press("Control+Enter")
    expect(page.locator(".editor")).to_have_count(0)


def stored(card) -> str:
    card.refresh_from_db()
    return to_markdown(card.description)


def document(page: Page) -> dict:
    return json.loads(page.locator("[data-part=description] textarea[name=document]").input_value())


def paste(page: Page, **types: str) -> None:
    page.locator(".ProseMirror").wait_for()  # until then a plain field has its place and its name
    page.evaluate(
        """async types => {
            // the editor hears of a new selection in a task of its own
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
            const data = new DataTransfer()
            for (const [type, text] of Object.entries(types)) data.setData(`text/${type}`, text)
            const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
            document.querySelector(".ProseMirror").dispatchEvent(event)
        }""",
        types,
    )


def test_markdown_that_is_typed_becomes_what_it_means_and_is_saved(opened, ed, card):
    shown = opened(ed, card=card)
    page, text = shown.page, shown.edit_description()
    for line in ("# Plan", "Some **bold** and `code` words", "- one", "two", "", "[ ] task", "", "> quote"):
        page.keyboard.type(line)
        page.keyboard.press("Enter")
    expect(text.locator("h1")).to_have_text("Plan")
    save(page)
    assert stored(card).splitlines() == [
        "# Plan", "", "Some **bold** and `code` words", "", "- one", "- two", "", "+ [ ] task", "", "> quote",
    ]  # fmt: skip
    expect(page.locator("[data-part=description] > .prose h1")).to_have_text("Plan")


@pytest.mark.parametrize(
    "typed,expected",
    [
        ("- [ ] one\ntwo", ["- [ ] one", "- [ ] two"]),
        ("- [x] one\n- [ ] two", ["- [x] one", "- [ ] two"]),
        ("- one\n[ ] two", ["- [ ] one", "- [ ] two"]),
    ],
    ids=["as the first", "each line", "in a list"],
)
def test_a_box_that_is_typed_after_its_bullet_becomes_a_task(opened, ed, card, typed, expected):
    shown = opened(ed, card=card)
    shown.edit_description()
    shown.page.keyboard.type(typed)
    save(shown.page)
    assert stored(card).splitlines() == expected


def test_lists_of_a_right_to_left_text_have_their_bullets_on_the_right_while_they_are_edited(opened, ed, card):
    update_card(actor=web(ed), card_id=card.pk, description="- שלום עולם\n\n> מאמר\n\n1. left")
    shown = opened(ed, card=card)
    text = shown.edit_description()
    side = "element => getComputedStyle(element).direction"
    assert [text.locator(tag).evaluate(side) for tag in ("ul", "blockquote", "ol")] == ["rtl", "rtl", "ltr"]
    shown.page.keyboard.type("x")
    save(shown.page)
    assert "'dir'" not in str(Card.objects.get(pk=card.pk).description)


def test_everything_that_the_toolbar_makes_is_accepted_by_the_server(opened, ed, vera, card):
    shown = opened(ed, card=card)
    page, _text = shown.page, shown.edit_description()
    press, write = page.keyboard.press, page.keyboard.type
    for mark in ("Bold", "Italic", "Strikethrough", "Inline code"):
        button(page, mark)
        write(mark)
        button(page, mark)
        write(" ")
    button(page, "Link")
    write("example.org")
    press("Enter")
    press("Shift+Enter")
    write("for @ve")
    press("Enter")
    press("Enter")
    for block in ("Large heading", "Bulleted list", "Numbered list", "Task list", "Quote"):
        button(page, block)
        write(block)
        press("Enter")
        press("Enter")
    button(page, "Heading")
    button(page, "Divider")
    button(page, "Code block")
    write("1 | 2")
    page.get_by_label("Code language").fill("sql")
    press("Enter")
    press("ArrowDown")
    button(page, "Table")
    write("a")
    press("Tab")
    write("b")
    page.get_by_role("button", name="Remove column").click()
    press("Enter")
    write("under c")
    save(page)
    assert stored(card).splitlines() == [
        "**Bold** *Italic* ~~Strikethrough~~ `Inline code` [example.org](https://example.org)",
        f"for [@Vera](mention:{vera.pk})", "",
        "# Large heading", "", "- Bulleted list", "", "1. Numbered list", "", "- [ ] Task list", "", "> Quote", "",
        "***", "", "```sql", "1 | 2", "```", "",
        "| a |  |", "| --- | --- |", "|  | under c |", "|  |  |",
    ]  # fmt: skip


def test_as_markdown_and_back_loses_nothing(opened, ed, card):
    update_card(actor=web(ed), card_id=card.pk, description=EVERYTHING)
    card.refresh_from_db()
    shown = opened(ed, card=card)
    page = shown.page
    page.locator("[data-part=description] summary").click()
    expect(page.locator(".ProseMirror td strong")).to_have_text("1")
    assert from_markdown(EVERYTHING) == card.description == document(page)
    page.get_by_role("button", name="As Markdown").click()
    field = page.locator("#description-field")
    expect(field).to_be_focused()
    expect(field).to_have_value(to_markdown(card.description))
    field.press("Control+End")
    field.press_sequentially("\n\n**More**")
    page.get_by_role("button", name="As formatted text").click()
    expect(page.locator(".ProseMirror strong").last).to_have_text("More")
    save(page)
    assert stored(card) == f"{to_markdown(from_markdown(EVERYTHING))}\n\n**More**"


def test_what_is_pasted_becomes_what_the_schema_has(opened, ed, card):
    shown = opened(ed, card=card)
    page, text = shown.page, shown.edit_description()
    paste(page, plain="# T\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n- [x] done")
    expect(text.locator("td strong")).to_have_text("2")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    paste(
        page,
        html="""<b style="font-weight:normal"><p style="text-align:right">some <span style="font-weight:700">bold</span>
            <a href="javascript:alert(1)">bad</a> <img src="https://example.org/x.png" alt="pic"></p></b>
            <table><tr><td colspan="2"><p>c</p><p>d</p></td></tr><tr><td>1</td><td><ul><li>x</li></ul></td></tr></table>
            <script>alert(1)</script><p>end</p>""",
        plain="unused",
    )
    expect(text).to_contain_text("end")
    page.keyboard.type(" of it")
    page.keyboard.press("Shift+Control+ArrowLeft")
    paste(page, plain="https://example.org/it")
    save(page)
    assert stored(card).splitlines() == [
        "# T", "", "| a | b |", "| --- | --- |", "| 1 | **2** |", "", "- [x] done", "",
        "some **bold** bad [pic](https://example.org/x.png)", "",
        "| c d |  |", "| --- | --- |", "| 1 | x |", "", "end of [it](https://example.org/it)",
    ]  # fmt: skip


def test_a_click_on_the_text_puts_the_cursor_there_and_escape_asks_before_it_discards(opened, ed, card):
    update_card(actor=web(ed), card_id=card.pk, description="One two three. [A link](https://example.org/)")
    shown = opened(ed, card=card)
    page = shown.page
    prose = page.locator("[data-part=description] > .prose")
    intercept(page, "https://example.org/", lambda route: route.fulfill(body="there"))
    prose.click(position={"x": 2, "y": 10})
    expect(page.locator(".ProseMirror")).to_be_focused()
    page.keyboard.type("Zero ")
    expect(page.locator(".ProseMirror")).to_contain_text("Zero One two three.")
    question = page.get_by_role("alertdialog", name="Discard changes?")
    page.keyboard.press("Escape")
    question.get_by_role("button", name="Keep editing").click()
    expect(page.locator(".ProseMirror")).to_be_focused()
    page.keyboard.type("and ")
    expect(page.locator(".ProseMirror")).to_contain_text("Zero and One")
    page.keyboard.press("Escape")
    question.get_by_role("button", name="Discard").click()
    expect(page.locator(".editor")).to_have_count(0)
    expect(page.locator("[data-part=description] > .edit > summary")).to_be_focused()
    expect(prose).to_have_text("One two three. A link")
    prose.get_by_role("link").click()
    page.wait_for_url("https://example.org/")


def test_what_stands_in_a_field_of_the_toolbar_is_discarded_too(opened, ed, card):
    shown = opened(ed, card=card)
    page = shown.page
    shown.edit_description()
    page.keyboard.type("One")
    page.keyboard.press("Control+k")
    page.get_by_role("textbox", name="Link address").fill("https://example.org/")
    page.locator("[data-part=description]").get_by_role("button", name="Cancel").click()
    page.get_by_role("alertdialog", name="Discard changes?").get_by_role("button", name="Discard").click()
    expect(page.locator(".editor")).to_have_count(0)
    expect(page.get_by_role("alertdialog")).to_have_count(0)


def test_the_toolbar_is_one_stop_of_the_keyboard_and_tab_leaves_the_text(opened, ed, card):
    shown = opened(ed, card=card)
    page, text = shown.page, shown.edit_description()
    page.keyboard.press("Alt+F10")
    bar = page.get_by_role("toolbar")
    expect(bar.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("End")
    expect(bar.get_by_role("button", name="Mention a member")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(bar.get_by_role("button", name="Redo")).to_be_focused()
    page.keyboard.press("Escape")
    expect(text).to_be_focused()
    page.keyboard.type("- one")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("two")
    expect(text.locator("li li")).to_have_text("two")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(text.locator("li li")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(bar.get_by_role("button", name="Redo")).to_be_focused()


def test_what_is_typed_stays_when_the_connection_is_cut_and_when_the_role_is_taken_away(opened, olga, ed, card):
    shown = opened(ed, card=card)
    page, text = shown.page, shown.edit_description()
    text.fill("Ed's words")
    intercept(page, "**/description", lambda route: route.abort())
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Could not reach the server.")).to_be_visible()
    page.unroute("**/description")
    expect(text).to_have_attribute("contenteditable", "true")
    change_role(actor=web(olga), board_id=card.board_id, user_id=ed.pk, role="viewer")
    shown.tell(card)
    text.press("Control+Enter")
    expect(page.get_by_text("but not change")).to_be_visible()
    expect(text).to_have_text("Ed's words")


def test_a_comment_may_be_written_in_the_editor_too_and_a_draft_of_it_comes_back_there(opened, ed, vera, card):
    page = opened(ed, card=card).page
    page.locator("#new-comment").fill("# For")
    page.get_by_role("button", name="As formatted text").click()
    text = page.get_by_role("textbox", name="New comment")
    expect(text.locator("h1")).to_have_text("For")
    text.press_sequentially(" @ver")
    page.get_by_role("option", name="Vera").click()
    page.keyboard.type("and **all**")
    expect(text.locator("strong")).to_have_text("all")
    page.once("dialog", lambda question: question.accept())
    page.reload()
    page.get_by_role("button", name="Restore").click()
    expect(text.locator("strong")).to_have_text("all")
    text.press("Control+Enter")
    expect(page.locator("article.comment .mention")).to_have_text("@Vera")
    assert Comment.objects.get().body == f"# For\n\n[@Vera](mention:{vera.pk}) and **all**"


def test_what_is_typed_while_a_comment_is_translated_comes_along(opened, ed, card):
    page = opened(ed, card=card).page
    held, comment = Held(page, "**/markdown", most=1), page.locator("#new-comment")
    comment.fill("# For")
    page.get_by_role("button", name="As formatted text").click()
    held.wait_for(1)
    comment.press_sequentially(" all")
    held.let_on()
    expect(page.get_by_role("textbox", name="New comment")).to_have_text("For all")


def test_a_double_click_opens_one_editor(opened, ed, card):
    page = opened(ed, card=card).page
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/markdown") else None)
    page.locator("#new-comment").fill("# For")
    page.get_by_role("button", name="As formatted text").dblclick()
    expect(page.get_by_role("textbox", name="New comment").locator("h1")).to_have_text("For")
    expect(page.locator(".ProseMirror")).to_have_count(1)
    assert len(asked) == 1


def test_where_two_members_have_a_name_the_field_says_which_one_is_mentioned(opened, ed, vera, olga, card):
    User.objects.filter(pk=olga.pk).update(name="Vera")
    page = opened(ed, card=card).page
    field = page.locator("#new-comment")
    field.press_sequentially("@ver")
    expect(page.get_by_role("option", name="Vera")).to_have_count(2)
    field.press("Enter")
    expect(field).to_have_value(re.compile(r"^\[@Vera\]\(mention:[0-9a-f-]{36}\) $"))


def test_members_are_mentioned_in_a_plain_comment_and_a_mention_that_is_copied_stays_one(opened, ed, vera, olga, card):
    User.objects.filter(pk=vera.pk).update(name="Vera [QA]")
    page = opened(ed, card=card).page
    field = page.locator("#new-comment")
    field.press_sequentially("mail a@ver, ")
    expect(page.get_by_role("listbox", name="Members")).to_have_count(0)
    field.press_sequentially("ask @ver")
    option = page.get_by_role("option", name="Vera [QA]")
    expect(option).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", f"person-{vera.pk}")
    expect(page.get_by_role("option", name="Stan")).to_have_count(0)
    field.press("Escape")
    expect(option).to_have_count(0)
    expect(field).to_be_focused()
    field.press("Backspace")  # what was dismissed stays so until there is another @
    expect(option).to_have_count(0)
    field.press_sequentially(" @ve")
    expect(option).to_have_attribute("aria-selected", "true")
    field.press("Enter")
    expect(field).to_have_value("mail a@ver, ask @ve @Vera [QA] ")
    field.press_sequentially("`not @Vera [QA]`")
    field.press("Control+Enter")
    expect(page.locator("article.comment .mention")).to_have_text(["@Vera [QA]"])
    assert Comment.objects.get().body == f"mail a@ver, ask @ve [@Vera \\[QA\\]](mention:{vera.pk}) `not @Vera [QA]`"
    page.locator("[data-part=description] summary").click()
    text = page.get_by_role("textbox", name="Description")
    expect(text).to_be_focused()
    paste(page, html='<p>See <span class="mention">@Vera [QA]</span> and <span class="mention">@Stan</span></p>')
    expect(text.locator(".mention[data-id]")).to_have_text(["@Vera [QA]"])
    save(page)
    card.refresh_from_db()
    assert stored(card) == f"See [@Vera \\[QA\\]](mention:{vera.pk}) and @Stan"


def test_a_member_is_offered_also_when_the_name_was_typed_before_the_script_came(opened, ed, card):
    page = opened(ed, card=card).page
    script = Held(page, re.compile(r"/rich-text[^/]*\.js$"))
    page.reload()
    page.locator("#new-comment").press_sequentially("ask @ver")
    script.let_on()
    expect(page.get_by_role("option", name="Vera")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_open_editor_has_no_violation(axe, show, ed, card, theme):
    update_card(actor=web(ed), card_id=card.pk, description=EVERYTHING.replace("######", "##"))
    page = show(card.get_absolute_url(), ed, theme=theme)
    page.locator("[data-part=description] summary").click()
    page.locator(".ProseMirror td").first.click()
    expect(page.get_by_role("group", name="Table")).to_be_visible()
    assert complaints(page) == []


def test_a_name_behind_an_at_is_a_mention_but_not_in_code_links_and_addresses(opened, ed, vera, olga, card):
    User.objects.filter(pk=olga.pk).update(name="Vera Lang")
    page = opened(ed, card=card).page
    long, short = f"[@Vera Lang](mention:{olga.pk})", f"[@Vera](mention:{vera.pk})"
    expected = {
        "@Vera": short,
        "@Vera Lang, look": f"{long}, look",
        "(@Vera) and @Vera. Then": f"({short}) and {short}. Then",
        "Vera's: @Vera's": f"Vera's: {short}'s",
        "- @Vera\n    - @Vera": f"- {short}\n    - {short}",
        "https://example.social/@Vera": "https://example.social/@Vera",
        "@Vera@example.social @Vera/core @Veras @Vera.x": "@Vera@example.social @Vera/core @Veras @Vera.x",
        "[ask @Vera](https://example.com)": "[ask @Vera](https://example.com)",
        f"{short} said": f"{short} said",
        "`@Vera` and ``a ` @Vera`` and @Vera": f"`@Vera` and ``a ` @Vera`` and {short}",
        "~~~\n@Vera\n~~~\n@Vera": f"~~~\n@Vera\n~~~\n{short}",
        "```\n @Vera": "```\n @Vera",
        "    code @Vera": "    code @Vera",
    }
    found = page.evaluate(
        """async (texts) => {
          const { withMentions } = await import("/static/js/editor/mentions.js")
          return Object.fromEntries(texts.map((text) => [text, withMentions(text)]))
        }""",
        list(expected),
    )
    assert found == expected
