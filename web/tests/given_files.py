"""Files that are given to a page in Chromium: dropped, pasted, or held over it."""

from base64 import b64encode
from io import BytesIO

from PIL import Image
from playwright.sync_api import Page

TRANSFER = """async ([target, kind, files, text]) => {
    const data = new DataTransfer()
    for (const [name, type, content] of files) {
        data.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], name, { type }))
    }
    if (text) data.setData("text/plain", text)
    const { left, top, width, height } = target.getBoundingClientRect()
    const at = { bubbles: true, cancelable: true, clientX: left + Math.min(width, 60) / 2, clientY: top + Math.min(height, 40) / 2 }
    if (kind === "paste") return target.dispatchEvent(new ClipboardEvent("paste", { ...at, clipboardData: data }))
    target.dispatchEvent(new DragEvent("dragenter", { ...at, dataTransfer: data }))
    target.dispatchEvent(new DragEvent("dragover", { ...at, dataTransfer: data }))
    if (kind === "over") return undefined
    return target.dispatchEvent(new DragEvent("drop", { ...at, dataTransfer: data }))
}"""


def picture(colour: str = "teal", size: tuple[int, int] = (640, 400)) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def give(page: Page, kind: str, selector: str, *files: tuple[str, str, bytes], text: str = "") -> None:
    """Drop files on an element, paste them there, or hold them over it."""
    page.mouse.move(5, 5)
    page.wait_for_function("() => document.getElementById('card-dialog').dataset.drop")  # attach.js has come
    sent = [(name, content_type, b64encode(content).decode()) for name, content_type, content in files]
    page.evaluate(TRANSFER, [page.locator(selector).first.element_handle(), kind, sent, text])


def note(name: str = "Note.txt") -> tuple[str, str, bytes]:
    return name, "text/plain", b"Some words"
