import type {
  FieldReference, FieldSettings, FieldView, InkCanvas, StrokePiece,
} from "../../clients/typescript/src/contract/signature_v1.js"
import { Drawing, piece } from "../ink/drawing.js"
import { usualPenWidth } from "../ink/pen.js"
import { resize } from "../ink/resizing.js"
import { strokes } from "../session/field.js"

/** A field as it is kept while there is no connection: what it was made for, and what is drawn in it. */
export interface KeptField {
  readonly fieldId: string
  readonly version: number
  readonly state: "INACTIVE" | "ACTIVE" | "SIGNED" | "SAVED"
  readonly reference: FieldReference
  readonly settings: FieldSettings
  readonly pieces: readonly StrokePiece[]
  /** A photo that was saved, in base64. */
  readonly photo?: string
  readonly revision: number
}

/** What is done in a field, by the names of SignatureService's methods. */
export type FieldChange =
  | "TapField" | "AppendStrokes" | "UndoStroke" | "ClearField" | "ResizeField" | "CancelField" | "SaveField"
  | "SaveUploadedImage" | "ReEnterField"

export interface FieldRequest {
  readonly fieldId?: string
  readonly expectedVersion?: string
  readonly pieces?: readonly StrokePiece[]
  readonly content?: string
  readonly canvas?: InkCanvas
}

export function newField(fieldId: string, reference: FieldReference, settings: FieldSettings): KeptField {
  return { fieldId, version: 1, state: "INACTIVE", reference, settings, pieces: [], revision: 0 }
}

/** What each change needs, and what it leads to. Whether ink can be seen the pad has measured before it is saved. */
const from: Readonly<Record<FieldChange, readonly KeptField["state"][]>> = {
  TapField: ["INACTIVE"], AppendStrokes: ["ACTIVE", "SIGNED"], UndoStroke: ["ACTIVE", "SIGNED"],
  ClearField: ["ACTIVE", "SIGNED"], ResizeField: ["INACTIVE", "ACTIVE", "SIGNED"],
  CancelField: ["ACTIVE", "SIGNED"], SaveField: ["SIGNED"], SaveUploadedImage: ["ACTIVE"], ReEnterField: ["SAVED"],
}

/** The field after a change; undefined where its state, or its version, does not offer that. */
export function changed(field: KeptField, change: FieldChange, request: FieldRequest): KeptField | undefined {
  if (!from[change].includes(field.state) || Number(request.expectedVersion ?? 0) !== field.version) return undefined
  const next = { ...field, version: field.version + 1 }
  switch (change) {
    case "TapField": return { ...next, state: "ACTIVE" }
    case "AppendStrokes": return { ...next, state: "SIGNED", pieces: [...field.pieces, ...request.pieces ?? []] }
    case "UndoStroke": {
      const begun = field.pieces.map((piece) => !!piece.beginsStroke).lastIndexOf(true)
      const pieces = field.pieces.slice(0, Math.max(0, begun))
      return { ...next, pieces, state: pieces.length > 0 ? "SIGNED" : "ACTIVE" }
    }
    case "ClearField": return { ...next, state: "ACTIVE", pieces: [] }
    case "ResizeField": {
      const { width = 0, height = 0, devicePixelRatio = 1 } = request.canvas ?? {}
      const canvas = { width, height, devicePixelRatio }
      // Where the pen left the canvas, two strokes are kept.
      const drawing = resize(drawingOf(field), new Drawing(canvas, usualPenWidth))
      const pieces = drawing.lines.map(({ points, pen }) => piece(points, true, pen))
      return { ...next, settings: { ...field.settings, canvas }, pieces }
    }
    case "CancelField": return { ...next, state: "INACTIVE", pieces: [] }
    case "SaveField": return { ...next, state: "SAVED", revision: field.revision + 1 }
    case "SaveUploadedImage":
      return { ...next, state: "SAVED", revision: field.revision + 1, photo: request.content ?? "" }
    case "ReEnterField": {
      const { photo: _, ...rest } = next
      return { ...rest, state: "INACTIVE", pieces: [] }
    }
  }
}

/** What is drawn in a field, as the server would take it. */
export function drawingOf(field: KeptField): Drawing {
  const { settings: { canvas = usualCanvas, penWidth }, pieces } = field
  return Drawing.of({ canvas, strokes: strokes(pieces) }, penWidth || usualPenWidth)
}

const usualCanvas: InkCanvas = { width: 600, height: 200 }

/** What the server would answer of it, as far as a cell looks at that. */
export function viewOf(field: KeptField): FieldView {
  return {
    fieldId: field.fieldId, version: `${field.version}`, state: `FIELD_STATE_${field.state}`,
    reference: field.reference, canvas: field.settings.canvas ?? usualCanvas,
    ...field.state === "SAVED" ? {
      saved: { revision: field.revision }, savedImage: { signatureId: field.fieldId, settings: {} },
    } : {},
  }
}
