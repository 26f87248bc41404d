// Sends where things go that are moved again and again, one move after another. While one place of a thing is being sent, further
// ones only replace each other, so the last one always counts.
import { hold, letGo } from "./held.js";

const sending = new Map() // by id: where it is to go next, if that is not being sent yet

// `held` stays where it is until the last place is sent by `send`, which returns whether the server accepted. Returns whether
// this call has sent the last one; the calls whose places others have sent return false.
export async function sendLast(id, place, held, send) {
  const isSending = sending.has(id)
  sending.set(id, place)
  if (isSending) return false
  hold([held])
  try {
    while (sending.get(id)) {
      const next = sending.get(id)
      sending.set(id, undefined)
      if (!await send(next)) break
    }
  } finally {
    sending.delete(id)
    letGo([held])
  }
  return true
}
