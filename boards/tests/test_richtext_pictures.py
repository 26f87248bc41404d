"""Pictures in texts: how they are read, checked and written. Which may stay is in test_pictures.py."""

import pytest

from boards.errors import Malformed
from boards.richtext import check, from_markdown, pictures_in, to_html, to_markdown, to_plain, with_pictures
from boards.tests.richtext_nodes import doc, heading, p, picture, table, text

CAT = "018f0000-0000-7000-8000-00000000000a"
DOG = "018f0000-0000-7000-8000-00000000000b"
PATH = f"/attachments/{CAT}"


@pytest.mark.parametrize("address", [PATH, f"http://127.0.0.1:8000{PATH}"])
def test_an_image_of_an_attachment_is_a_picture(settings, address):
    settings.BASE_URL = "http://127.0.0.1:8000"
    assert from_markdown(f"See ![a *cat*]({address}) here") == doc(p("See ", picture("a cat", CAT), " here"))


@pytest.mark.parametrize(
    "address",
    [
        f"http://elsewhere.example{PATH}",
        f"https://127.0.0.1:8000.elsewhere.example{PATH}",
        f"http://127.0.0.1:8000{PATH}/preview",
    ],
)
def test_an_image_from_anywhere_else_stays_a_link(settings, address):
    settings.BASE_URL = "http://127.0.0.1:8000"
    assert from_markdown(f"![a cat]({address})") == doc(p(text("a cat", link=address)))


@pytest.mark.parametrize(
    "path", [f"{PATH}x", "/attachments/7", "/attachments/", f"/x{PATH}", f"/attachments/{CAT.upper()}"]
)
def test_an_image_of_another_path_of_this_service_is_its_text(path):
    assert pictures_in(from_markdown(f"![a cat]({path})")) == set()


def test_a_link_to_an_attachment_is_no_picture():
    assert pictures_in(from_markdown(f"[a cat]({PATH})")) == set()


def test_an_image_in_a_link_gives_its_text_to_the_link():
    assert from_markdown(f"[![cat]({PATH})](http://x)") == doc(p(text("cat", link="http://x")))


def test_a_picture_has_no_marks():
    assert from_markdown(f"**a ![cat]({PATH}) b**") == doc(
        p(text("a", "bold"), " ", picture("cat", CAT), " ", text("b", "bold"))
    )


@pytest.mark.parametrize(
    "alt", ["", "cat", "[x](y) ]( ![", "**a** _b_ `c` ~~d~~", "a\\", "|", "&amp;", "<http://a>", "!"]
)
def test_every_description_of_a_picture_is_read_back(alt):
    document = check(doc(p("!", picture(alt, CAT), picture(alt, CAT), "(a)"), table([picture(alt, DOG)])))
    assert document["content"][0]["content"][1] == picture(alt, CAT)
    assert from_markdown(to_markdown(document)) == document


def test_a_picture_stands_in_headings_and_cells():
    document = check(doc(heading(1, picture("cat", CAT)), table([picture("dog", DOG)])))
    assert to_markdown(document) == f"# ![cat]({PATH})\n\n| ![dog](/attachments/{DOG}) |\n| --- |"
    assert pictures_in(document) == {CAT, DOG}


def test_a_long_description_of_a_picture_is_cut():
    (node,) = check(doc(p(picture("a" * 300, CAT))))["content"][0]["content"]
    assert node["attrs"]["alt"] == "a" * 255


@pytest.mark.parametrize(
    "attrs",
    [
        None,
        {},
        {"src": "http://x"},
        {"alt": "cat"},
        {"attachment": "7", "alt": ""},
        {"attachment": CAT.upper(), "alt": ""},
        {"attachment": f"{CAT}/preview", "alt": ""},
        {"attachment": CAT, "alt": 7},
        {"attachment": CAT, "alt": "", "src": "http://x"},
        {"attachment": CAT, "alt": "a\x00"},
    ],
)
def test_the_editor_sends_no_other_images(attrs):
    with pytest.raises(Malformed):
        check(doc(p({"type": "image", "attrs": attrs})))


def test_a_picture_is_a_link_to_its_file():
    html = to_html(doc(p("a", picture('"><script>', CAT))))
    img = f'<img src="{PATH}/preview" alt="&quot;&gt;&lt;script&gt;" loading="lazy">'
    assert html == f'<p>a<a class="picture" href="{PATH}">{img}</a></p>'


def test_a_picture_is_its_description_in_plain_text():
    assert to_plain(doc(p("a ", picture("cat", CAT)))) == "a cat"


def test_pictures_of_other_attachments_take_their_place():
    both = doc(p(picture("cat", CAT), picture("dog", DOG)))
    assert with_pictures(both, {CAT: DOG}) == doc(p(picture("cat", DOG), picture("dog", DOG)))


@pytest.mark.parametrize(("alt", "shown"), [("cat", "cat"), ("", f"http://127.0.0.1:8000{PATH}")])
def test_a_picture_can_become_a_link(settings, alt, shown):
    settings.BASE_URL = "http://127.0.0.1:8000"
    link = text(shown, link=f"http://127.0.0.1:8000{PATH}")
    assert with_pictures(doc(p(picture(alt, CAT))), {CAT: None}) == doc(p(link))
