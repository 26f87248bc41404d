// Shows how many notifications are unread in the bell of the topbar.
const MOST = 99

export function showUnread(number) {
  const count = document.querySelector(".bell-count")
  if (!count) return
  count.hidden = number === 0
  count.querySelector("[data-count]").textContent = number > MOST ? `${MOST}+` : number
}
