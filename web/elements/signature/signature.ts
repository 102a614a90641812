import type { InkDrawing, StrokePiece, TypedName } from "../../../clients/typescript/src/contract/signature_v1.js"
import type { CellState } from "./cell.js"

/** What a person gave: the value of the element. */
export type Signature =
  | { kind: "drawn", drawing: InkDrawing }
  | { kind: "typed", name: TypedName }
  | { kind: "uploaded", image: File }

/** What a form sends: JSON, as the contract has it, or the picture. */
export function formValue(signature: Signature | null): File | string | null {
  switch (signature?.kind) {
    case undefined: return null
    case "drawn": return JSON.stringify({ drawing: signature.drawing })
    case "typed": return JSON.stringify({ name: signature.name })
    case "uploaded": return signature.image
  }
}

/** What happened on the pad, as it happens: for a transport that streams it to a field. */
export type InkChange =
  | { kind: "piece", piece: StrokePiece }
  | { kind: "undo" }
  | { kind: "clear" }

export interface StateChange {
  state: CellState
  before: CellState
}

export interface Signing {
  signature: Signature
  /** Keeps the cell at "Saving" until the promise is settled. When it fails, the signature counts as not saved. */
  waitUntil(saving: Promise<unknown>): void
}

export interface SignatureEvents {
  "assent-ink": CustomEvent<InkChange>
  "assent-state": CustomEvent<StateChange>
  "assent-signed": CustomEvent<Signing>
}
