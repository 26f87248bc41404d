// Texts that were typed and not saved, kept in this browser for a week: { at, base, fields }. `base` tells whether the saved text
// is still the one that was edited. Where nothing can be kept, everything else works all the same.
const WEEK = 7 * 24 * 60 * 60 * 1000
const PREFIX = "draft "

export function readDraft(name) {
  const draft = attempt(() => JSON.parse(localStorage.getItem(PREFIX + name)))
  return draft?.at > Date.now() - WEEK ? draft : undefined
}

// Returns whether it is kept.
export function keepDraft(name, draft) {
  attempt(() => localStorage.setItem(PREFIX + name, JSON.stringify(draft)))
  return readDraft(name)?.at === draft.at
}

export function forgetDraft(name) {
  attempt(() => localStorage.removeItem(PREFIX + name))
}

// Forgets those whose names begin with this: all of a person's.
export function forgetDrafts(beginning) {
  attempt(() => names().filter((name) => name.startsWith(beginning)).forEach(forgetDraft))
}

export function forgetOldDrafts() {
  attempt(() => names().filter((name) => !readDraft(name)).forEach(forgetDraft))
}

// A number that differs when the texts do.
export function fingerprint(text) {
  let sum = text.length
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return sum
}

const names = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length))

// A browser may forbid or be short of storage, and what is in it may be anything.
function attempt(action) {
  try {
    return action()
  } catch {
    return undefined
  }
}
