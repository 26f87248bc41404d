// A connection to the server that is made again whenever it is lost, even if it was lost without a word: the server
// sends a beat every few seconds, and the first one says that the page is up to date (web/live/consumer.py).
const SILENT_FOR = 28000 // more than two beats
const SAY_AFTER = 1000
const SHORTEST_WAIT = 500
const LONGEST_WAIT = 30000
const CROWDED_WAIT = 60000 // while too many sockets are open, trying more often would make it worse
const TOO_MANY = 4429
const ENDS = [4401, 4403, 4404]

// `address` returns where to connect. `receive` takes a message and a signal that aborts when the connection is lost;
// if it fails, the connection is made again. `back`, `lost`, `crowded` and `ended` tell what to say to the reader.
export function openLine({ address, receive, back, lost, crowded, ended }) {
  let connection // { socket, abort }; undefined while there is none
  let lostAt // undefined once the page is up to date
  let spread = 0 // milliseconds over which the pages of this server come back, so that they do not come all at once
  let silence
  let saying
  let waiting

  connect()
  addEventListener("online", () => { if (waiting) connect() })
  addEventListener("pagehide", leave)
  addEventListener("pageshow", (event) => { if (event.persisted) connect() })
  return { connect }

  function connect() {
    drop()
    const socket = new WebSocket(address())
    const mine = connection = { socket, abort: new AbortController() }
    let queue = Promise.resolve()
    listen()
    socket.addEventListener("message", ({ data }) => {
      if (mine !== connection) return
      listen()
      queue = queue.then(() => mine === connection && hear(JSON.parse(data), mine)).catch((error) => fail(error, mine))
    })
    socket.addEventListener("close", ({ code }) => { if (mine === connection) close(code) })
  }

  function leave() {
    drop()
    clearTimeout(saying)
    lostAt = undefined
  }

  function drop() {
    for (const timer of [silence, waiting]) clearTimeout(timer)
    waiting = undefined
    connection?.abort.abort()
    connection?.socket.close()
    connection = undefined
  }

  function listen() {
    clearTimeout(silence)
    silence = setTimeout(close, SILENT_FOR)
  }

  async function hear(message, { abort }) {
    if (!message.beat) return receive(message, abort.signal)
    spread = message.spread * 1000
    lostAt = undefined
    clearTimeout(saying)
    back(message)
  }

  function fail(error, mine) {
    if (mine !== connection) return
    if (!error.isExpected) reportError(error)
    close()
  }

  function close(code) {
    if (ENDS.includes(code)) {
      leave()
      ended(code)
      return
    }
    drop()
    if (code === TOO_MANY) {
      crowded()
      waiting = setTimeout(connect, CROWDED_WAIT * (1 + Math.random()))
      return
    }
    waiting = setTimeout(connect, wait())
    if (lostAt !== undefined) return
    lostAt = Date.now()
    saying = setTimeout(lost, SAY_AFTER)
  }

  // All pages lose a server at the same moment: each chooses one of its own to come back, and those that find it away keep
  // that distance. After that they wait a quarter of the time that has passed, so that no page is late by much more than
  // that when the server is there again.
  function wait() {
    if (lostAt === undefined) return Math.random() * Math.max(2 * SHORTEST_WAIT, spread)
    const passed = Math.min((Date.now() - lostAt) / 4, LONGEST_WAIT)
    return Math.max((0.9 + Math.random() / 5) * spread, (0.5 + Math.random()) * Math.max(SHORTEST_WAIT, passed))
  }
}
