// A field for Markdown shows a new mention as people write it, as @ and a member's whole name. What is sent names the member.
import { members } from "./people.js";

// What stays as it is: code, links and addresses.
const STAYS = [
  "^(?<fence>```+|~~~+)[^]*?(?:^\\k<fence>|(?![^]))", "(?<ticks>`+)[^]*?\\k<ticks>", "^(?: {4}|\\t)(?!\\s*(?:[-*+]|\\d+[.)])\\s).*$",
  "!?\\[[^\\]]*\\]\\([^)\\s]*\\)", "<[^>\\s]+>",
].join("|")
const BEHIND = "(?![\\p{L}\\p{N}_@/-]|\\.[\\p{L}\\p{N}])" // the name must end there

// Returns the text with its mentions as Markdown. A name that several members have says of nobody.
export function withMentions(text) {
  if (!text.includes("@")) return text
  const ids = idsByName(), names = [...ids.keys()].sort((one, other) => other.length - one.length)
  if (!names.length) return text
  const found = new RegExp(`${STAYS}|(?<=^|[\\s(])@(?<name>${names.map(escaped).join("|")})${BEHIND}`, "gmu")
  return text.replace(found, (match, ...rest) => {
    const { name } = rest.at(-1)
    return ids.get(name) ? link(name, ids.get(name)) : match
  })
}

// What stands in the field for a member who was chosen.
export const inField = (id, name) => (idsByName().get(name) === id ? `@${name}` : link(name, id))

const link = (name, id) => `[@${name.replace(/[\\[\]*_`~<>&]/g, "\\$&")}](mention:${id})`
const escaped = (name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

// The members by name: undefined for a name that two have.
function idsByName() {
  const ids = new Map()
  for (const { id, name } of members()) ids.set(name, ids.has(name) ? undefined : id)
  return ids
}
