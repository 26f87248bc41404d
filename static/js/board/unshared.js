// Takes everything off the page of a public link that has ended, or whose password has changed.
export default function unshare(board, offer) {
  document.getElementById("card-dialog").close()
  board.querySelector(".lists").replaceChildren()
  offer("gone", "again", location.pathname)
}
