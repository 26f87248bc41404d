// Marks the notifications about a card as read. Returns how many others are unread, or undefined if the server did not say.
import { token } from "../kit/send-forms.js";

const PATIENCE = 10000

export default async function readCard(card) {
  try {
    const signal = AbortSignal.timeout(PATIENCE)
    const answer = await fetch(`/card/${card}/notifications`, { method: "POST", headers: { "X-CSRFToken": token() }, signal })
    return answer.ok ? (await answer.json()).unread : undefined
  } catch {
    return undefined
  }
}
