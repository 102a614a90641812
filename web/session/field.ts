import type { SignatureForm } from "../../clients/typescript/src/contract/consent_v1.js"
import type {
  FieldSettings, FieldView, InkCanvas, InkDrawing, InkStroke, StrokePiece,
} from "../../clients/typescript/src/contract/signature_v1.js"
import { newIdempotencyKey } from "../../clients/typescript/src/idempotency-key.js"
import { fromBase64, toBase64 } from "../bytes.js"
import { deviceTime } from "./device-time.js"
import type { Patience } from "./patience.js"
import type { Server } from "./server.js"

type Change =
  | "tapField" | "undoStroke" | "clearField" | "cancelField" | "saveField" | "saveUploadedImage" | "reEnterField"

/** How long strokes are gathered before they are sent. */
const gatherMs = 120

/** What is kept by the server of a field from before: ink that is not saved, or a picture of what is. */
export interface Kept {
  ink?: InkDrawing
  saved?: { picture: File, revision: SavedField }
}

/** What a drawn or photographed signature is signed with. */
export interface SavedField {
  readonly fieldId: string
  readonly revision: number
}

/**
 * The server's field behind a pad. Strokes are sent while they are drawn, one message after the other; whatever the
 * pad does need not wait for that. Where the field is lost on the way, another one is made and drawn anew.
 */
export class Field {
  private view: FieldView | undefined
  private pieces: StrokePiece[] = []
  private work: Promise<void> = Promise.resolve()
  private isLost = false

  constructor(
    private readonly server: Server, private readonly patience: Patience, private readonly form: SignatureForm,
    private readonly settings: FieldSettings,
  ) {}

  /** What was drawn or saved before the page was loaded. */
  async find(): Promise<Kept> {
    const { place } = this.form
    const { views } = await this.patience.until((signal) =>
      this.server.fields.listFields({ sessionId: place?.sessionId ?? "" }, { signal }))
    const mine = (views ?? []).filter(({ reference, completed, state }) =>
      !completed && state !== "FIELD_STATE_INACTIVE" && reference?.signatureId === place?.signatureId
      && reference?.documentId === place?.documentId && reference?.documentVersion === place?.documentVersion)
    const view = mine.at(-1)
    if (view?.state === "FIELD_STATE_SAVED") return this.picture(view)
    if (view?.state !== "FIELD_STATE_SIGNED") return {}
    for await (const { pieces } of this.server.fields.watchField({ fieldId: view.fieldId! })) {
      if (!pieces?.length) break
      this.view = view
      return { ink: { strokes: strokes(pieces), canvas: view.canvas! } }
    }
    return {}
  }

  private async picture(view: FieldView): Promise<Kept> {
    const { signatureId, settings } = view.savedImage ?? {}
    const { image, mediaType } = await this.patience.until((signal) =>
      this.server.pictures.render({ signatureId: signatureId!, settings: settings! }, { signal }))
    this.view = view
    const picture = new File([fromBase64(image ?? "")], "signature", { type: mediaType ?? "image/png" })
    return { saved: { picture, revision: { fieldId: view.fieldId!, revision: view.saved?.revision ?? 0 } } }
  }

  draw(piece: StrokePiece, canvas: InkCanvas): void {
    this.pieces.push(piece)
    if (this.pieces.length === 1) this.then(() => this.send(canvas), gatherMs)
  }

  undo(): void {
    this.then(() => this.change("undoStroke"))
  }

  clear(): void {
    this.then(() => this.change("clearField"))
  }

  cancel(): void {
    this.then(async () => {
      if (this.view && this.view.state !== "FIELD_STATE_INACTIVE") await this.change("cancelField")
    })
  }

  /** Saves what the pad shows. */
  async save(drawing: InkDrawing): Promise<SavedField> {
    await this.work
    const saving = () => this.change("saveField", { signingTime: deviceTime() })
    try {
      if (this.isLost || !this.view) throw new Error("the field does not have it all")
      await saving()
    } catch {
      this.isLost = false
      this.view = undefined
      this.pieces = drawing.strokes!.map((stroke) => ({ ...stroke, beginsStroke: true }))
      await this.send(drawing.canvas!)
      await saving()
    }
    return this.saved
  }

  /** Saves a photo. */
  async upload(image: File, canvas: InkCanvas): Promise<SavedField> {
    await this.work
    this.view = undefined
    await this.open(canvas)
    const content = toBase64(new Uint8Array(await image.arrayBuffer()))
    await this.change("saveUploadedImage", { content, signingTime: deviceTime() })
    return this.saved
  }

  /** What was saved counts no more. */
  reEnter(): void {
    this.then(async () => {
      // The next signature may have a canvas of another size.
      if (this.view) await this.change("reEnterField")
      this.view = undefined
    })
  }

  private get saved(): SavedField {
    return { fieldId: this.view!.fieldId!, revision: this.view!.saved!.revision! }
  }

  /** Does it after all that was begun. What fails is made good when the signature is saved. */
  private then(step: () => Promise<void>, pauseMs = 0): void {
    this.work = this.work.then(async () => {
      if (this.isLost || this.patience.signal.aborted) return
      if (pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      await step().catch(() => { this.isLost = true })
    })
  }

  private async send(canvas: InkCanvas): Promise<void> {
    const pieces = this.pieces
    this.pieces = []
    if (!isSame(this.view?.canvas, canvas)) await this.cancelOld()
    if (!this.view || this.view.state === "FIELD_STATE_INACTIVE") await this.open(canvas)
    const { fieldId, version } = this.view!
    const request = { fieldId: fieldId!, expectedVersion: version!, pieces }
    const key = await newIdempotencyKey()
    this.view = await this.patience.until(async (signal) => {
      const options = { signal, headers: { "idempotency-key": key } }
      let view = this.view
      for await (const answer of this.server.drawing.appendStrokes(request, options)) view = answer.view
      return view
    })
  }

  private async cancelOld(): Promise<void> {
    const isOpen = this.view?.state === "FIELD_STATE_ACTIVE" || this.view?.state === "FIELD_STATE_SIGNED"
    if (isOpen) await this.change("cancelField")
    this.view = undefined
  }

  private async open(canvas: InkCanvas): Promise<void> {
    if (!this.view) {
      const request = { reference: this.form.place!, settings: { ...this.settings, canvas } }
      const idempotencyKey = await newIdempotencyKey()
      const { view } = await this.patience.until((signal) =>
        this.server.fields.createField(request, { signal, idempotencyKey }))
      this.view = view
    }
    await this.change("tapField")
  }

  private async change(method: Change, more: object = {}): Promise<void> {
    const request = { fieldId: this.view!.fieldId!, expectedVersion: this.view!.version!, ...more }
    const idempotencyKey = await newIdempotencyKey()
    const { view } = await this.patience.until((signal) =>
      this.server.fields[method](request, { signal, idempotencyKey }))
    this.view = view
  }
}

function isSame(one: InkCanvas | undefined, other: InkCanvas): boolean {
  return !one || (one.width === other.width && one.height === other.height)
}

/** Pieces as whole strokes. */
export function strokes(pieces: readonly StrokePiece[]): InkStroke[] {
  const whole: InkStroke[] = []
  for (const { beginsStroke, ...piece } of pieces) {
    const last = whole.at(-1)
    if (beginsStroke || !last) {
      whole.push(piece)
      continue
    }
    for (const list of ["x", "y", "timeMs", "pressure", "altitude", "azimuth"] as const) {
      if (piece[list]) last[list] = [...last[list] ?? [], ...piece[list]!]
    }
  }
  return whole
}
