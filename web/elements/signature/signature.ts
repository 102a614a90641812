import type {
  InkCanvas, InkDrawing, StrokePiece, TypedName,
} from "../../../clients/typescript/src/contract/signature_v1.js"
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
  /** The device was turned: the drawing goes on on this canvas, scaled. */
  | { kind: "resize", canvas: InkCanvas }

/** What is told while somebody signs on a phone; each time what has changed. */
export interface PhoneNews {
  /** Where the phone goes: good for ten minutes. */
  link?: string
  /** The phone that has come, by any name of its own; another name: that one has taken over. */
  phone?: string
  /** All that is drawn there; null: nothing. */
  ink?: InkDrawing | null
  /** Whether the server is away for now. */
  isAway?: boolean
}

/**
 * Has somebody sign on a phone, on a canvas of this size. The promise is kept once they are done there, or the signal
 * has ended it.
 */
export type SignOnPhone = (
  canvas: InkCanvas, tell: (news: PhoneNews) => void, signal: AbortSignal,
) => Promise<void>

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
