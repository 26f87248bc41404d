"""Writing a document as HTML: what it looks like, and that a description can contain nothing but text and links."""

import hashlib
import re
from html.parser import HTMLParser

import pytest
from django.utils.safestring import SafeString
from hypothesis import given
from hypothesis import strategies as st

from boards.errors import Invalid
from boards.richtext import HTML_VERSION, check, from_markdown, to_html, to_plain
from boards.tests.richtext_nodes import ED, doc, p, text
from boards.tests.richtext_strategies import documents, markdown
from core.ids import FORM

TAGS = {"p", "ul", "ol", "li", "input", "div", "blockquote", "pre", "code", "hr", "br", "a", "strong", "em", "s"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td", "span", "img"}
TAGS |= {"h1", "h2", "h3", "h4", "h5", "h6"}
ATTRIBUTES = {
    "a": {"href", "rel", "class"},
    "input": {"type", "disabled", "checked", "aria-label"},
    "ul": {"class", "dir"},
    "ol": {"start", "dir"},
    "blockquote": {"dir"},
    "code": {"class"},
    "div": {"class", "tabindex"},
    "th": {"scope"},
    "span": {"class"},
    "img": {"src", "alt", "loading"},
}
DANGEROUS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java&#10;script:alert(1)",
    "java&Tab;script:alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A;avascript&colon;alert(1)",
    "javascript\\:alert(1)",
    "\u0001javascript:alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:image/svg+xml;base64,AAAA",
    "file:///etc/passwd",
    "blob:x",
    "//evil.example",
    "/logout",
    "http:evil",
    "https:/evil",
    "http://",
    "mailto:",
    "xhttp://x",
]


class Page(HTMLParser):
    """Collects the tags, texts and comments that a browser would find in some HTML."""

    def __init__(self, html):
        super().__init__()
        self.elements = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    def links(self):
        return [attributes["href"] for tag, attributes in self.elements if tag == "a" and "class" not in attributes]

    def files(self):
        return [found for _tag, attributes in self.elements if (found := _file_in(attributes))]


def _file_in(attributes):
    return attributes.get("src") or (attributes["href"] if attributes.get("class") == "picture" else None)


def page(source):
    return Page(to_html(from_markdown(source)))


def assert_safe(found):
    for tag, attributes in found.elements:
        assert tag in TAGS
        assert attributes.keys() <= ATTRIBUTES.get(tag, set())
    for address in found.links():
        assert address.lower().startswith(("http://", "https://", "mailto:"))
    for address in found.files():
        assert re.fullmatch(rf"/attachments/{FORM}(/preview)?", address)


# What it looks like


@pytest.mark.parametrize(
    "source, html",
    [
        ("a\nb", "<p>a<br>b</p>"),
        ("### a", "<h3>a</h3>"),
        ("**a** *b* ~~c~~ `d`", "<p><strong>a</strong> <em>b</em> <s>c</s> <code>d</code></p>"),
        ("- a\n- b", '<ul dir="auto"><li><p>a</p></li><li><p>b</p></li></ul>'),
        ("1. a", '<ol dir="auto"><li><p>a</p></li></ol>'),
        ("7. a", '<ol dir="auto" start="7"><li><p>a</p></li></ol>'),
        ("> a", '<blockquote dir="auto"><p>a</p></blockquote>'),
        ("***", "<hr>"),
        ("```py\na < b\n```", '<pre><code class="language-py">a &lt; b</code></pre>'),
        ("[a](http://x)", '<p><a href="http://x" rel="noopener noreferrer nofollow">a</a></p>'),
        (
            "- [x] a & b",
            '<ul dir="auto" class="tasks"><li><input type="checkbox" disabled checked aria-label="a &amp; b">'
            "<div><p>a &amp; b</p></div></li></ul>",
        ),
    ],
)
def test_each_block_and_mark_has_its_element(source, html):
    assert to_html(from_markdown(source)) == html


def test_a_link_over_several_marks_is_one_link():
    assert to_html(from_markdown("[a **b**](http://x)")).count("<a ") == 1


def test_html_is_safe_to_put_into_a_template():
    assert isinstance(to_html(from_markdown("a")), SafeString)
    assert to_html(None) == ""


def test_plain_text_has_one_line_for_each_block():
    source = "# a\n\nb\nc\n\n- d **e**\n  - f\n\n```\ng\nh\n```\n\n***\n\n> [i](http://x)"
    assert to_plain(from_markdown(source)) == "a\nb c\nd e\nf\ng h\ni"
    assert to_plain(None) == ""


def test_a_writer_of_other_html_has_another_version():
    """Comments keep their HTML. Where this fails, raise HTML_VERSION and write the new digest here."""
    source = (
        "# a\n\nb\nc **d** *e* ~~f~~ `g` **`h`** [i *j*](http://k) <l@m.n>\n\n- o\n  1. p\n\n  5. q\n\n- [ ] r\n- [x] s\n\n"
        "> t\n\n```py\nu < v\n```\n\n    w\n\n***\n\n> - [ ]\n\n"
        f"| x | *y* |\n|-|-|\n| z | [@A](mention:{ED}) |\n\n![cat](/attachments/{ED})"
    )
    digest = hashlib.sha256(to_html(from_markdown(source)).encode()).hexdigest()[:16]
    assert (HTML_VERSION, digest) == (3, "323fbca9ab7afd16")


# Addresses


@pytest.mark.parametrize("address", DANGEROUS)
@pytest.mark.parametrize("written", ["[a]({})", "[a](<{}>)", "![a]({})", "<{}>", "[a]({} 'title')", "[![a]({})]({})"])
def test_markdown_makes_no_link_to_a_dangerous_address(address, written):
    found = page(written.replace("{}", address))
    assert_safe(found)
    assert found.links() == []


@pytest.mark.parametrize("address", DANGEROUS)
def test_a_browser_cannot_send_a_dangerous_address(address):
    with pytest.raises(Invalid):
        check(doc(p(text("a", link=address))))


@pytest.mark.parametrize("address", DANGEROUS)
def test_even_a_stored_dangerous_address_is_not_shown_as_a_link(address):
    assert Page(to_html(doc(p(text("a", link=address))))).links() == []


@pytest.mark.parametrize(
    "address",
    [
        'http://x/"onmouseover="alert(1)',
        "http://x/'onmouseover='alert(1)",
        "http://x/><script>alert(1)</script>",
        "http://x/`",
    ],
)
def test_an_address_cannot_leave_its_attribute(address):
    found = Page(to_html(check(doc(p(text("a", link=address))))))
    assert_safe(found)
    assert len(found.elements) == 2
    assert_safe(page(f"[a](<{address}>)"))


# Texts


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<a href='javascript:alert(1)'>a</a>",
        "</code></pre><script>alert(1)</script>",
        '"><script>alert(1)</script>',
        "<!--><script>alert(1)</script>-->",
        "<http://x/<script>alert(1)</script>>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ],
)
@pytest.mark.parametrize(
    "around",
    ["{}", "# {}", "- [ ] {}", "> {}", "**{}**", "`{}`", "```\n{}\n```", "```{}\na\n```", "    {}", "[{}](http://x)"],
)
def test_markup_in_a_text_stays_text(attack, around):
    found = page(around.replace("{}", attack))
    assert_safe(found)
    assert "script" not in {tag for tag, _ in found.elements}


@pytest.mark.parametrize("language", ['py" onclick="alert(1)', "py><script>", "py\tonclick", "'\"<>"])
def test_a_language_cannot_leave_its_attribute(language):
    sent = {"type": "codeBlock", "attrs": {"language": language}, "content": [text("a")]}
    assert_safe(Page(to_html(check(doc(sent)))))


@given(st.one_of(markdown, st.text(st.sampled_from("<>\"'&;=/!-[]()`a:"), max_size=40)))
def test_no_markdown_makes_unsafe_html(source):
    assert_safe(page(source))


@given(documents)
def test_no_document_makes_unsafe_html(sent):
    assert_safe(Page(to_html(check(sent))))
