// What was last switched for each card and is not answered yet. A second press before the answer means the opposite of the first.
const sent = new Map() // by card: the change under way, { isOn }

// Returns whether it was switched on or off; undefined when all that was sent is answered.
export const lastSent = (card) => sent.get(card)?.isOn

// Returns what `send` does.
export async function sendSwitch(cards, isOn, send) {
  const change = { isOn }
  for (const card of cards) sent.set(card, change)
  const answer = await send()
  for (const card of cards) if (sent.get(card) === change) sent.delete(card)
  return answer
}
