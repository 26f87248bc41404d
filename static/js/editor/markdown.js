// Translates between Markdown and the editor's documents. The server does it, with the reader and writer that it saves with.
import { fragmentsOf } from "../board/place.js";
import { withMentions } from "./mentions.js";
import { wordsOf } from "../kit/refusals.js";
import { token } from "../kit/send-forms.js";

export const asDocument = async (markdown) => (await translate({ markdown: withMentions(markdown) })).document ?? { type: "doc", content: [{ type: "paragraph" }] }
export const asMarkdown = async (document) => (await translate({ document: JSON.stringify(document) })).markdown

// Throws an error, with the server's refusal as `words` if there is one.
async function translate(fields) {
  const answer = await fetch("/markdown", {
    method: "POST",
    headers: { "HX-Request": "true", "X-CSRFToken": token() },
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(20000),
  })
  if (answer.headers.get("Content-Type")?.startsWith("application/json")) return answer.json()
  const isOurs = answer.headers.get("X-Answer") === "fragments"
  throw Object.assign(new Error(`${answer.status} /markdown`), wordsOf(fragmentsOf(isOurs ? await answer.text() : "")))
}
