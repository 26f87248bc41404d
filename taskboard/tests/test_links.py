"""Every relative link of the documentation leads to a file or folder of the repository, and to a heading that is there."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/**/*.md")])
CODE = re.compile(r"^```.*?^```|^(?: {4}|\t).*?$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(<?([^\s)>]+)>?(?: \"[^\"]*\")?\)|(?:src|srcset|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} (.+?)(?: #+)?$", re.MULTILINE)


def links(text: str) -> Iterator[str]:
    for target, attribute in LINK.findall(CODE.sub("", text)):
        if not re.match(r"[a-z]+:|//", target or attribute):
            yield target or attribute


def anchors(text: str) -> set[str]:
    """Return the anchors of headings, as GitHub makes them."""
    found: set[str] = set()
    seen: Counter[str] = Counter()
    for heading in HEADING.findall(FENCE.sub("", text)):
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        found.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return found


def trouble(document: Path, link: str) -> str:
    """Return what is wrong with a link, or an empty string."""
    path, _hash, anchor = link.partition("#")
    target = (document.parent / path).resolve() if path else document
    if not target.is_relative_to(ROOT) or not target.exists():
        return "no such file"
    if anchor and (target.suffix != ".md" or anchor not in anchors(target.read_text())):
        return "no such heading"
    return ""


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    found = {link: trouble(document, link) for link in links(document.read_text())}
    assert {link: wrong for link, wrong in found.items() if wrong} == {}


def test_links_are_found_and_those_that_lead_nowhere_are_told() -> None:
    page = ROOT / "docs" / "running" / "settings.md"
    text = '[a](b.md#c) `[code](no.md)`\n\n    [code](no.md)\n\n[far](https://example.com) <img src="p.png">'
    assert list(links(text)) == ["b.md#c", "p.png"]
    assert [trouble(page, link) for link in ("../../README.md", "../decisions/", "#limits")] == ["", "", ""]
    assert [trouble(page, link) for link in ("none.md", "../../../etc", "#none", "install.md#none")] == [
        "no such file",
        "no such file",
        "no such heading",
        "no such heading",
    ]


def test_anchors_are_those_of_github() -> None:
    text = "# One `two`, three!\n## What's **new**?\n## Same\n## [Same](x.md)\n### a_b - c\n```\n# no\n```\n"
    assert anchors(text) == {"one-two-three", "whats-new", "same", "same-1", "a_b---c"}
