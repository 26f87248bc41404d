// The connection of a page that shows no live board: it brings the count of the bell.
import { openLine } from "./line.js";
import { showUnread } from "./unread.js";

export default function bellLine() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:"
  const nothing = () => {}
  openLine({
    address: () => `${scheme}//${location.host}/ws/me?beats&bell`,
    receive: ({ unread }) => { if (unread !== undefined) showUnread(unread) },
    back: nothing,
    lost: nothing,
    crowded: nothing,
    ended: nothing,
  })
}
