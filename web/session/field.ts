import type { SignatureForm } from "../../clients/typescript/src/contract/consent_v1.js"
import type {
  FieldSettings, FieldView, InkCanvas, InkDrawing, InkStroke, StrokePiece,
} from "../../clients/typescript/src/contract/signature_v1.js"
import { newIdempotencyKey } from "../../clients/typescript/src/idempotency-key.js"
import { fromBase64, toBase64 } from "../bytes.js"
import type { PhoneNews } from "../elements/signature/signature.js"
import { isAway } from "./away.js"
import { deviceTime } from "./device-time.js"
import type { Patience } from "./patience.js"
import type { Server } from "./server.js"

type Change =
  | "tapField" | "undoStroke" | "clearField" | "resizeField" | "cancelField" | "saveField" | "saveUploadedImage"
  | "reEnterField"

/** How long strokes are gathered before they are sent. */
const gatherMs = 120
/** How long a stream is watched before it begins anew, and how long a server that is away is left alone. */
const watchMs = 600_000, restMs = 2000

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
  /** What is gathered to be sent together; undefined: nothing, or something else came in between. */
  private pieces: StrokePiece[] | undefined
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
    const view = await this.own(mine.at(-1))
    if (view?.state === "FIELD_STATE_SAVED") return this.picture(view)
    if (view?.state !== "FIELD_STATE_SIGNED") return {}
    for await (const { pieces } of this.server.fields.watchField({ fieldId: view.fieldId! })) {
      if (!pieces?.length) break
      this.view = view
      return { ink: { strokes: strokes(pieces), canvas: view.canvas! } }
    }
    return {}
  }

  /** The field; where another device drew in it before the page was loaded, it does so no more. */
  private async own(view: FieldView | undefined): Promise<FieldView | undefined> {
    if (!view?.lentTo) return view
    const { fieldId = "" } = view
    return (await this.patience.until((signal) => this.server.fields.lendField({ fieldId }, { signal }))).view
  }

  private async picture(view: FieldView): Promise<Kept> {
    const { signatureId, settings } = view.savedImage ?? {}
    const { image, mediaType } = await this.patience.until((signal) =>
      this.server.pictures.render({ signatureId: signatureId!, settings: settings! }, { signal }))
    this.view = view
    const picture = new File([fromBase64(image ?? "")], "signature", { type: mediaType ?? "image/png" })
    return { saved: { picture, revision: { fieldId: view.fieldId!, revision: view.saved?.revision ?? 0 } } }
  }

  /** Goes on with a field as the server has just shown it. */
  join(view: FieldView): void {
    this.view = view
  }

  /** What the server has once all that was begun is done; fails where it does not have it all. */
  async settled(): Promise<FieldView> {
    await this.work
    if (this.isLost || !this.view) throw new Error("the field does not have it all")
    return this.view
  }

  /** Has somebody draw on another device, who comes by a link, until they are done there or the signal ends it. */
  lend(canvas: InkCanvas, tell: (news: PhoneNews) => void, signal: AbortSignal): Promise<void> {
    const lending = this.work.then(() => this.lendNow(canvas, tell, signal))
    this.work = lending.catch(() => undefined)
    return lending
  }

  private async lendNow(canvas: InkCanvas, tell: (news: PhoneNews) => void, signal: AbortSignal): Promise<void> {
    if (this.isLost) this.view = undefined
    this.isLost = false
    this.pieces = undefined
    await this.ready(canvas)
    const fieldId = this.view!.fieldId!
    const { link } = await this.server.links.createFieldLink({ fieldId }, { signal })
    const either = new AbortController()
    for (const each of [signal, this.patience.signal]) each.addEventListener("abort", () => either.abort())
    try {
      tell({ link: new URL(link!, this.server.url || location.href).href })
      await this.follow(fieldId, tell, either.signal)
    } catch (problem) {
      if (!signal.aborted) throw problem
    } finally {
      // Where this fails, the next change here takes the field back.
      if (this.view?.lentTo) await this.server.fields.lendField({ fieldId }).then(
        ({ view }) => { this.view = view }, () => undefined)
    }
  }

  /** Tells what another device draws, until the field is given back. */
  private async follow(fieldId: string, tell: (news: PhoneNews) => void, signal: AbortSignal): Promise<void> {
    let pieces: StrokePiece[] = [], afterVersion = "0"
    while (true) {
      try {
        const options = { signal, timeoutMs: watchMs }
        for await (const change of this.server.fields.watchField({ fieldId, afterVersion }, options)) {
          const view = this.view = change.view!
          afterVersion = view.version!
          pieces = [...change.reset ? [] : pieces, ...change.pieces ?? []]
          const ink = pieces.length > 0 ? { strokes: strokes(pieces), canvas: view.canvas! } : null
          // Behind a slash is the name of the device that has come by the link.
          const [, phone] = view.lentTo?.split("/") ?? []
          tell({ ink, isAway: false, ...phone ? { phone } : {} })
          if (!view.lentTo) return
        }
      } catch (problem) {
        if (signal.aborted || !isAway(problem)) throw problem
        tell({ isAway: true })
        await new Promise((resolve) => setTimeout(resolve, restMs))
      }
    }
  }

  draw(piece: StrokePiece, canvas: InkCanvas): void {
    if (this.pieces) {
      this.pieces.push(piece)
      return
    }
    const pieces = [piece]
    this.then(() => this.send(pieces, canvas), gatherMs)
    this.pieces = pieces
  }

  undo(): void {
    this.then(() => this.change("undoStroke"))
  }

  clear(): void {
    this.then(() => this.change("clearField"))
  }

  /** What is drawn goes on on another canvas. */
  resize(canvas: InkCanvas): void {
    this.then(() => this.change("resizeField", { canvas }))
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
      this.pieces = undefined
      await this.send(drawing.strokes!.map((stroke) => ({ ...stroke, beginsStroke: true })), drawing.canvas!)
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

  /**
   * Does it after all that was begun, and before all that is drawn from now on. What fails is made good when the
   * signature is saved.
   */
  private then(step: () => Promise<void>, pauseMs = 0): void {
    this.pieces = undefined
    this.work = this.work.then(async () => {
      if (this.isLost || this.patience.signal.aborted) return
      if (pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      await step().catch(() => { this.isLost = true })
    })
  }

  private async send(pieces: StrokePiece[], canvas: InkCanvas): Promise<void> {
    if (this.pieces === pieces) this.pieces = undefined
    await this.ready(canvas)
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

  /** There is a field that can be drawn in. */
  private async ready(canvas: InkCanvas): Promise<void> {
    if (!isSame(this.view?.canvas, canvas)) await this.cancelOld()
    if (!this.view || this.view.state === "FIELD_STATE_INACTIVE") await this.open(canvas)
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
