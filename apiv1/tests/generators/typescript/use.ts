// What a program says in the types of the description. What it must not say is marked: tsc fails where that would be allowed.
import type { components, operations, paths } from "./api"

type Body<Call extends { requestBody?: { content: object } }> = NonNullable<Call["requestBody"]>["content"]
type Json<Of> = Of extends { "application/json": infer Value } ? Value : never

const created: Json<Body<operations["createCard"]>> = { listId: "01938f5e-7b1a-7c3d-8e4f-0123456789ab", title: "Order seeds" }
const changed: Json<Body<operations["updateCard"]>> = { dueDate: null, labelIds: [], recurrence: "weekly" }
const moved: Json<Body<operations["moveCard"]>> = { place: { before: "01938f5e-7b1a-7c3d-8e4f-0123456789ab" } }
const filters: paths["/api/v1/cards"]["get"]["parameters"]["query"] = { status: ["open", "done"], sort: "due", limit: 200 }

// @ts-expect-error A card needs a title.
const untitled: Json<Body<operations["createCard"]>> = { boardId: "01938f5e-7b1a-7c3d-8e4f-0123456789ab" }
// @ts-expect-error There is no such color.
const colored: Json<Body<operations["updateBoard"]>> = { color: "beige" }
// @ts-expect-error A title cannot be emptied.
const emptied: Json<Body<operations["updateCard"]>> = { title: null }

export function due(answer: components["schemas"]["CardAnswer"]): string {
  // @ts-expect-error A card may have no due date.
  answer.card.dueDate.length
  return answer.card.dueDate ?? answer.card.title
}

export const said = [created, changed, moved, filters, untitled, colored, emptied]
