// Reads fragments of the page from the server.
import { fragmentsOf } from "../board/place.js";
import { wordsOf } from "./refusals.js";

const PATIENCE = 60000

// Throws an error with the `status` of the server's answer, whether it `isRedirected`, and its refusal as `words`, if that is
// what it answered.
export async function fetchFragments(address, signal) {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), PATIENCE)
  signal.addEventListener("abort", () => abort.abort())
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, signal: abort.signal })
    const isOurs = answer.headers.get("X-Answer") === "fragments"
    const elements = fragmentsOf(isOurs ? await answer.text() : "")
    if (!answer.ok || !isOurs) throw Object.assign(new Error(`${answer.status} ${address}`), errorOf(answer), wordsOf(elements))
    return elements
  } catch (error) {
    throw Object.assign(error, { isExpected: true }) // the network, or the server
  } finally {
    clearTimeout(timer)
  }
}

const errorOf = ({ status, redirected }) => ({ status, isRedirected: redirected })
