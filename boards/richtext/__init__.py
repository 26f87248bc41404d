# TEMPORARY until the rich-text module lands
Doc = dict
def from_markdown(text): return {"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":text}]}]} if text else None
def to_markdown(doc): return doc["content"][0]["content"][0]["text"] if doc else ""
def to_plain(doc): return to_markdown(doc)
def to_html(doc): return to_markdown(doc)
