// Returns the part of the state of a reader's boards that tells which boards they are (boards/reading/work.py).
export const boardsOf = (state) => state.slice(0, state.length / 2)
