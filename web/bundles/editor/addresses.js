// The same addresses as the server's (boards/richtext/links.py).
const ALLOWED = /^(?:https?:\/\/|mailto:)[^\s/]/i
const BARE = /^(?:www\.|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#:]|$))\S*$/u
const MAIL = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/

// Returns the address of a link, or "" for one that is not http, https or mailto. What was typed without a scheme gets one.
export function safeAddress(typed) {
  const address = (typed ?? "").trim()
  if (ALLOWED.test(address)) return /\s/.test(address) ? "" : address
  if (MAIL.test(address)) return `mailto:${address}`
  return BARE.test(address) ? `https://${address}` : ""
}

// Whether this is a full address, scheme and all, and nothing else.
export const isAddress = (text) => ALLOWED.test(text) && !/\s/.test(text)
