"""The contrast of text and shapes on each ground of static/css/tokens.css, as Chromium computes the colours."""

import pytest

from web.tests.looking import contrast, oklab

pytestmark = pytest.mark.django_db(transaction=True)

GROUNDS = ("canvas", "raised", "over", "well", "chip", "hover", "hover-raised", "accent-soft")
TEXTS = [(ink, ground) for ink in ("ink", "ink-2", "ink-3") for ground in GROUNDS] + [
    ("accent-ink", "accent"),
    ("accent-ink", "accent-hover"),
    ("accent-text", "accent-soft"),
    ("accent-text", "canvas"),
    ("accent-text", "raised"),
    ("ok", "raised"),
    ("ok", "ok-soft"),
    ("warn", "warn-soft"),
    ("bad", "bad-soft"),
    ("bad", "raised"),
    ("bad-ink", "bad"),
    ("ink", "mark"),
]
SHAPES = [("edge", "canvas"), ("edge", "raised"), ("accent", "canvas"), ("accent", "raised"), ("star", "raised")]
WORST = ("black", "white", "red", "blue", "lime", "yellow")  # pixels of a picture behind the plate
MEASURE = """([names, behind]) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d")
    const computed = (name) => {
        const element = document.body.appendChild(document.createElement("i"))
        element.style.color = `var(--${name})`
        const colour = getComputedStyle(element).color
        element.remove()
        return colour
    }
    const painted = (...layers) => {
        canvas.clearRect(0, 0, 1, 1)
        for (const layer of layers) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1) }
        return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part / 255)
    }
    return {
        plain: Object.fromEntries(names.map((name) => [name, painted(computed(name))])),
        plates: behind.map((pixel) => painted(pixel, computed("dim"), computed("plate"))),
    }
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_and_shapes_can_be_read_on_each_ground_and_over_any_picture(show, ed, board, theme):
    page = show(board.get_absolute_url(), ed, theme=theme)
    names = sorted({name for pair in [*TEXTS, *SHAPES] for name in pair})
    measured = page.evaluate(MEASURE, [names, WORST])
    colours = measured["plain"]
    faint = [(ink, on) for ink, on in TEXTS if contrast(colours[ink], colours[on]) < 4.5]
    faint += [(shape, on) for shape, on in SHAPES if contrast(colours[shape], colours[on]) < 3]
    faint += [
        (ink, f"plate over {pixel}")
        for pixel, plate in zip(WORST, measured["plates"], strict=True)
        for ink in ("ink", "ink-2", "ink-3")
        if contrast(colours[ink], plate) < 4.5
    ]
    assert faint == []


@pytest.mark.parametrize("theme, apart", [("light", 0.04), ("dark", 0.09)])
def test_a_tile_is_lighter_than_what_it_lies_on(show, ed, board, theme, apart):
    colours = show(board.get_absolute_url(), ed, theme=theme).evaluate(MEASURE, [["canvas", "raised"], []])["plain"]
    assert oklab(colours["raised"])[0] - oklab(colours["canvas"])[0] > apart
