// Texts, breaks, mentions, pictures and marks.
import { InputRule, Mark, Node } from "@tiptap/core"
import { Bold } from "@tiptap/extension-bold"
import { Code } from "@tiptap/extension-code"
import { HardBreak } from "@tiptap/extension-hard-break"
import { Italic } from "@tiptap/extension-italic"
import { Strike } from "@tiptap/extension-strike"
import { Text } from "@tiptap/extension-text"

import { isAddress, safeAddress } from "./addresses.js"

// Shift+Enter breaks the line; Ctrl+Enter saves.
const Break = HardBreak.extend({
  addKeyboardShortcuts() {
    return { "Shift-Enter": () => this.editor.commands.setHardBreak() }
  },
})

const Link = Mark.create({
  name: "link",
  priority: 1000,
  inclusive: false,
  addAttributes: () => ({ href: { default: null } }),
  parseHTML: () => [{ tag: "a[href]", getAttrs: (link) => isAddress(link.getAttribute("href")) && null }],
  renderHTML: ({ HTMLAttributes }) => ["a", { ...HTMLAttributes, rel: "noopener noreferrer nofollow" }, 0],
  addInputRules() {
    return [new InputRule({ find: /\[([^[\]]+)\]\(([^()\s]+)\)$/, handler: ({ state, range, match }) => link(this.type, state, range, match) })]
  },
})

// Typed `[text](address)` becomes a link.
function link(type, { tr, schema }, { from, to }, [, text, typed]) {
  const href = safeAddress(typed)
  if (!href) return null
  tr.replaceWith(from, to, schema.text(text, [type.create({ href })])).removeStoredMark(type)
  return undefined
}

const Mention = Node.create({
  name: "mention",
  group: "inline",
  inline: true,
  atom: true,
  selectable: false,
  addAttributes: () => ({
    id: { parseHTML: (element) => element.dataset.id, renderHTML: ({ id }) => ({ "data-id": id }) },
    label: { parseHTML: (element) => element.textContent.replace(/^@/, ""), rendered: false },
  }),
  parseHTML: () => [{ tag: ".mention[data-id]" }],
  renderHTML: ({ node, HTMLAttributes }) => ["span", { ...HTMLAttributes, class: "mention" }, `@${node.attrs.label}`],
  renderText: ({ node }) => `@${node.attrs.label}`,
})

// A picture is a file that is attached to the card. What is pasted from a text of this service stays one.
const FILE = /^\/attachments\/([0-9a-f]{8}-[-0-9a-f]{27})(?:\/preview)?$/
const Picture = Node.create({
  name: "image",
  group: "inline",
  inline: true,
  atom: true,
  draggable: true,
  addAttributes: () => ({
    attachment: { parseHTML: (image) => FILE.exec(image.getAttribute("src"))[1], renderHTML: ({ attachment }) => ({ src: `/attachments/${attachment}/preview` }) },
    alt: { default: "", parseHTML: (image) => image.getAttribute("alt") ?? "" },
  }),
  parseHTML: () => [{ tag: "img[src]", getAttrs: (image) => FILE.test(image.getAttribute("src")) && null }],
  renderHTML: ({ HTMLAttributes }) => ["img", HTMLAttributes],
  renderText: ({ node }) => node.attrs.alt,
})

// Code may have other marks too, as in Markdown.
export const inlines = [Text, Break, Bold, Italic, Strike, Code.extend({ excludes: "" }), Link, Mention, Picture]
