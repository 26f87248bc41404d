// The lists of a board's people, invitations and links, which follow what happens on the board: on the members page and in the
// Share dialog. While somebody is at work in them, that waits until the focus has left.
const ABOUT = ["board", "member", "members", "offer", "invitation_link", "invitation_links"]

// Whether these changes of the board are about what the lists show.
export const areAboutPeople = (things) => things.some(({ kind }) => ABOUT.includes(kind))

export const isInUse = (lists) => lists.contains(document.activeElement) || Boolean(lists.querySelector("details[open]"))
