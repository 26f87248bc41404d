// The connection of a page that shows no live board: it brings the count of the bell, and says when *My work* or
// what a search found is out of date.
import { openLine } from "./line.js";
import { tellNews } from "./news.js";
import { showUnread } from "./unread.js";

export default function bellLine() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:"
  const nothing = () => {}
  openLine({
    address: () => `${scheme}//${location.host}/ws/me?beats&bell${asksForWork()}`,
    receive: ({ unread, work }) => {
      if (unread !== undefined) showUnread(unread).catch(reportError)
      if (work !== undefined) tellNews("work:changed", work)
    },
    back: nothing,
    lost: nothing,
    crowded: nothing,
    ended: nothing,
  })
}

// Names the state of the boards that the rows of the page are of.
function asksForWork() {
  const rows = document.querySelector("#my-rows, #table-rows, .search-page")
  return rows ? `&work=${rows.dataset.seen}` : ""
}
