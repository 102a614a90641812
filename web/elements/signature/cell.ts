/**
 * The life of a signature's cell, with the states and actions that the server knows as well (docs/signature.md): a
 * client without a connection offers the same.
 */
export type CellState = "inactive" | "active" | "signed" | "saved"

export type CellAction =
  | "tap" | "append" | "undo" | "clear" | "save" | "save_typed" | "save_uploaded" | "cancel" | "re_enter"

export interface CellRules {
  allowsTyping: boolean
  allowsPhoto: boolean
  /** Whether a cell that is re-entered can be drawn in at once. */
  reentersActive: boolean
}

/** A cell as a value: an action makes another one. */
export interface Cell {
  readonly state: CellState
  /** Whether it was tapped once, so that the scrim is not shown again. */
  readonly wasWoken: boolean
  /** Whether an active cell has strokes of which no ink can be seen: they can be taken back. */
  readonly isMarked?: boolean
}

export const newCell: Cell = { state: "inactive", wasWoken: false }

export function offered({ state, isMarked }: Cell, rules: CellRules): CellAction[] {
  switch (state) {
    case "inactive": return ["tap"]
    case "active":
      return ["append", ...isMarked ? ["undo" as const, "clear" as const] : [], ...otherWays(rules), "cancel"]
    case "signed": return ["append", "undo", "clear", "save", "cancel"]
    case "saved": return ["re_enter"]
  }
}

/** What an active cell takes in place of a drawing. */
function otherWays({ allowsTyping, allowsPhoto }: CellRules): CellAction[] {
  return [...allowsTyping ? ["save_typed" as const] : [], ...allowsPhoto ? ["save_uploaded" as const] : []]
}

/**
 * The cell after an action that it offers.
 *
 * @param hasInk - whether there is ink after the action that can be seen
 * @param isMarked - whether there are strokes after it, seen or not
 */
export function after(cell: Cell, action: CellAction, rules: CellRules, hasInk = false, isMarked = hasInk): Cell {
  switch (action) {
    case "tap": return { state: "active", wasWoken: true }
    case "append":
    case "undo": return { ...cell, state: hasInk ? "signed" : "active", isMarked }
    case "clear": return { ...cell, state: "active", isMarked: false }
    case "save":
    case "save_typed":
    case "save_uploaded": return { wasWoken: true, state: "saved" }
    case "cancel": return { ...cell, state: "inactive", isMarked: false }
    case "re_enter": return { ...cell, isMarked: false, state: rules.reentersActive ? "active" : "inactive" }
  }
}
