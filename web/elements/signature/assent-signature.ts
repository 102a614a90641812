import type { InkDrawing } from "../../../clients/typescript/src/contract/signature_v1.js"
import { usualPenWidth } from "../../ink/pen.js"
import { signing, type Words } from "../../words/words.js"
import { button, make, styled } from "../dom.js"
import { Sheet } from "../sheet.js"
import { Speech } from "../speech.js"
import controls from "../look/controls.css"
import tokens from "../look/tokens.css"
import { after, newCell, offered, type Cell, type CellAction, type CellRules, type CellState } from "./cell.js"
import { Pad } from "./pad.js"
import { Parts } from "./parts.js"
import { formValue, type InkChange, type Signature, type SignatureEvents, type SignOnPhone } from "./signature.js"
import style from "./signature.css"
import { fitName, proportions, show, type View } from "./view.js"
import type { Ways } from "./ways.js"

const look = styled(tokens, controls, style)
/** What modules that come later use of those that are here. */
const tools = { Sheet, Pad, make, button }

/** A cell for a signature, inline or with a dialog: drawn, typed or photographed. docs/web.md tells how it is used. */
export class AssentSignature extends HTMLElement {
  static readonly formAssociated = true
  static readonly observedAttributes = [
    "canvas", "disabled", "header", "helper", "label", "lang", "no-typing", "pen-width", "photo", "placeholder",
    "presentation", "reentry", "required", "signer",
  ]

  /** What has somebody sign on a phone; without it, that is not offered. Set before the cell is opened. */
  phone: SignOnPhone | undefined

  private readonly internals = this.attachInternals()
  private cell: Cell = newCell
  private signature: Signature | null = null
  private givenWords: Partial<Words> = {}
  private note: keyof Words | undefined
  private isBusy = false
  private isFormDisabled = false
  /** While somebody signs on a phone: what ends that. */
  private phoning: AbortController | undefined

  private readonly pad: Pad = new Pad({
    drawn: (piece) => this.drawn({ kind: "piece", piece }),
    dropped: () => this.drawn({ kind: "undo" }),
    full: () => this.warn("padFull"),
    resized: (canvas) => this.drawn({ kind: "resize", canvas }),
    laidOut: () => fitName(this.parts.written),
  })
  private readonly parts: Parts = new Parts({
    tap: () => this.tap(), cancel: () => this.cancel(), clear: () => this.clear(), save: () => this.save(),
    reEnter: () => this.reEnter(), undo: () => this.undo(), type: () => void this.type(),
    photograph: () => void this.photograph(), phone: () => void this.signOnPhone(),
  }, this.pad.area)
  /** They come when the cell is opened. */
  private ways: Ways | undefined
  private readonly speech: Speech<Words> = new Speech(signing, this, this.parts.root, () => {
    this.parts.root.hidden = false
    this.show()
  })

  constructor() {
    super()
    const shadow = this.attachShadow({ mode: "open", delegatesFocus: true })
    shadow.adoptedStyleSheets = [look]
    shadow.append(this.parts.root)
    shadow.addEventListener("keydown", (event) => this.press(event as KeyboardEvent))
  }

  connectedCallback(): void {
    this.pad.connect()
    this.speech.connect()
  }

  disconnectedCallback(): void {
    this.pad.disconnect()
    this.speech.disconnect()
    this.phoning?.abort()
    this.parts.dialog.step()
    this.ways?.step()
  }

  attributeChangedCallback(name: string): void {
    if (name === "lang") void this.speech.listen()
    else this.show()
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.isFormDisabled = isDisabled
    this.show()
  }

  formResetCallback(): void {
    this.value = null
  }

  // MARK: what a page uses

  get state(): CellState {
    return this.cell.state
  }

  /** The saved signature; null while there is none. Setting it shows it as saved. */
  get value(): Signature | null {
    return this.signature
  }

  set value(signature: Signature | null) {
    this.keep(signature)
    this.forget()
    if (signature?.kind === "drawn") this.pad.show(signature.drawing)
    this.become(signature ? { state: "saved", wasWoken: true } : newCell)
  }

  /** What is drawn and not saved. Setting it goes on with a drawing from before. */
  get ink(): InkDrawing | null {
    return this.state === "active" || this.state === "signed" ? this.pad.ink ?? null : null
  }

  set ink(drawing: InkDrawing | null) {
    this.keep(null)
    this.pad.show(drawing ?? undefined)
    const { hasInk, hasStrokes } = this.pad
    this.become({ state: hasInk ? "signed" : "active", wasWoken: true, isMarked: hasStrokes })
  }

  /** Words in place of the kit's own, such as those of a field's view. */
  get words(): Partial<Words> {
    return this.givenWords
  }

  set words(words: Partial<Words>) {
    this.givenWords = words
    this.show()
  }

  get form(): HTMLFormElement | null {
    return this.internals.form
  }

  get validity(): ValidityState {
    return this.internals.validity
  }

  get validationMessage(): string {
    return this.internals.validationMessage
  }

  checkValidity(): boolean {
    return this.internals.checkValidity()
  }

  reportValidity(): boolean {
    return this.internals.reportValidity()
  }

  /** Opens the cell: Tap to Sign, or Add Signature. */
  tap(): void {
    if (!this.offers("tap")) return
    this.become(after(this.cell, "tap", this.rules))
    if (!this.isDialog) this.pad.area.focus()
    this.say("nowReady")
  }

  undo(): void {
    if (!this.offers("undo")) return
    // It may be gone afterwards.
    this.pad.area.focus()
    this.pad.undo()
    this.drawn({ kind: "undo" })
    this.say("nowUndone")
  }

  clear(): void {
    if (!this.offers("clear")) return
    this.pad.area.focus()
    this.pad.show(undefined)
    this.tell("assent-ink", { kind: "clear" })
    this.become(after(this.cell, "clear", this.rules))
    this.say("nowCleared")
  }

  /** Saves what is drawn. */
  save(): void {
    this.pad.finish()
    const drawing = this.pad.ink
    if (drawing && this.offers("save")) void this.give({ kind: "drawn", drawing }, "save")
  }

  cancel(): void {
    if (!this.offers("cancel")) return
    this.forget()
    this.become(after(this.cell, "cancel", this.rules))
    this.leave(this.parts.dialog.close(), this.entry, "nowCancelled")
  }

  reEnter(): void {
    if (!this.offers("re_enter")) return
    this.keep(null)
    this.forget()
    this.become(after(this.cell, "re_enter", this.rules))
    if (this.state === "inactive") this.entry.focus()
    else if (!this.isDialog) this.pad.area.focus()
    this.say("nowEmptied")
    this.dispatchEvent(new Event("change", { bubbles: true }))
  }

  // MARK: what it does

  private get rules(): CellRules {
    return {
      allowsTyping: !this.hasAttribute("no-typing"), allowsPhoto: this.hasAttribute("photo"),
      reentersActive: this.getAttribute("reentry") === "active",
    }
  }

  private get offered(): CellAction[] {
    return this.isBusy || this.isOff ? [] : offered(this.cell, this.rules)
  }

  private offers(action: CellAction): boolean {
    return this.offered.includes(action)
  }

  private get isOff(): boolean {
    return this.isFormDisabled || this.hasAttribute("disabled")
  }

  private get isDialog(): boolean {
    return this.getAttribute("presentation") === "dialog"
  }

  /** What opens the cell. */
  private get entry(): HTMLElement {
    return this.isDialog ? this.parts.add : this.parts.scrim
  }

  private async type(): Promise<void> {
    const ways = this.offers("save_typed") && (this.ways ?? await this.fetchWays())
    if (ways) ways.typing.open(this.getAttribute("signer") ?? "", this.step())
    else if (this.offers("save_typed")) this.warn("notLoaded")
  }

  /** A browser opens its chooser only at once. */
  private async photograph(): Promise<void> {
    const ways = this.ways ?? await this.fetchWays()
    if (ways) ways.photographing.choose()
    else this.warn("notLoaded")
  }

  private async fetchWays(): Promise<Ways | undefined> {
    const module = await import("./ways.js").catch(() => undefined)
    this.pad.resize = module?.resize
    return this.ways ??= module && new module.Ways(tools, this.parts.root, {
      typed: (name) => void this.give({ kind: "typed", name }, "save_typed"),
      photographed: (image) => void this.give({ kind: "uploaded", image }, "save_uploaded"),
      left: (way, closing) => this.leave(closing, this.parts[way]),
      unfit: () => this.warn("photoUnfit"),
      opening: () => this.step(),
    })
  }

  /** Another device draws, until the person is done there or comes back here. */
  private async signOnPhone(): Promise<void> {
    const { phone, pad: { canvas, penWidth } } = this
    if (!phone || this.phoning) return
    const { signal } = this.phoning = new AbortController()
    const words = this.step(), place = { root: this.parts.root, language: this.speech.language, words }
    const ink = await import("../../phone/asking.js").then(
      ({ askPhone }) => askPhone(phone, tools, place, canvas, penWidth, signal), () => null)
    this.phoning = undefined
    if (signal.aborted) return
    if (ink) this.ink = ink
    else if (ink === null) this.warn("notLoaded")
    this.leave(Promise.resolve(), ink ? this.parts.save : this.parts.phone, ink ? "nowSigned" : undefined)
  }

  /** Another dialog opens: there is one at a time. */
  private step(): Words {
    this.note = undefined
    this.show()
    this.parts.dialog.step()
    return this.allWords
  }

  private drawn(change: InkChange): void {
    this.tell("assent-ink", change)
    const before = this.cell
    const cell = after(before, "append", this.rules, this.pad.hasInk, this.pad.hasStrokes)
    if (cell.state === before.state && cell.isMarked === before.isMarked) return
    this.become(cell)
    if (cell.state === "signed" && before.state !== "signed") this.say("nowSigned")
    else if (cell.state !== before.state && change.kind === "piece") this.say("nowCleared")
  }

  /** Saves. That takes as long as the page wants, and may fail. */
  private async give(signature: Signature, action: CellAction): Promise<void> {
    if (!this.offers(action)) return
    const savings: Promise<unknown>[] = []
    this.tell("assent-signed", { signature, waitUntil: (saving) => void savings.push(saving) })
    this.note = undefined
    this.isBusy = true
    this.show()
    const closing = Promise.resolve(this.ways?.close())
    if (savings.length > 0) this.leave(closing, action === "save" ? this.parts.save : undefined)
    const isSaved = await Promise.all(savings).then(() => true, () => false)
    this.isBusy = false
    if (!isSaved) return this.warn("notSaved")
    this.keep(signature)
    this.become(after(this.cell, action, this.rules))
    this.leave(closing.then(() => this.parts.dialog.close()), this.parts.reEnter, "nowSaved")
    this.dispatchEvent(new Event("change", { bubbles: true }))
  }

  private keep(signature: Signature | null): void {
    this.signature = signature
    // Without a state, so that the browser does not bring it back to another person.
    this.internals.setFormValue(formValue(signature), null)
    const { picture } = this.parts
    URL.revokeObjectURL(picture.src)
    picture.removeAttribute("src")
    if (signature?.kind === "uploaded") picture.src = URL.createObjectURL(signature.image)
  }

  /** What was drawn and typed is gone. */
  private forget(): void {
    this.pad.show(undefined)
    this.ways?.typing.reset()
  }

  private become(cell: Cell): void {
    const before = this.state
    this.cell = cell
    this.note = undefined
    this.show()
    if (cell.state === "active") void this.fetchWays()
    if (before !== cell.state) this.tell("assent-state", { state: cell.state, before })
  }

  /** When a dialog is gone, the focus goes to where it came from, or to what has taken that place. */
  private leave(closing: Promise<unknown>, focus: HTMLElement = this.pad.area, sentence?: keyof Words): void {
    void closing.then(() => {
      this.show()
      focus.focus()
      if (sentence) this.say(sentence)
    })
  }

  private press(event: KeyboardEvent): void {
    if (this.ways?.isOpen || this.phoning || event.isComposing) return
    const onArea = event.target === this.pad.area
    const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)
    // In a dialog, Escape is the dialog's.
    if (event.key === "Escape" && !this.isDialog && this.offers("cancel")) this.cancel()
    else if (onArea && event.key === "Enter") void this.type()
    else if (onArea && (event.key === "Delete" || event.key === "Backspace")) this.clear()
    else if (onArea && isUndo) this.undo()
    else return
    event.preventDefault()
  }

  private tell<Name extends keyof SignatureEvents>(name: Name, detail: SignatureEvents[Name]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  // MARK: what is seen and heard

  private get allWords(): Words {
    return { ...this.speech.words, ...this.givenWords }
  }

  /** Each change is said once, where it can be heard: behind an open dialog all is silent. */
  private say(sentence: keyof Words): void {
    const { dialog, status } = this.parts
    for (const voice of [dialog.status, status]) {
      voice.textContent = (voice === dialog.status) === dialog.isOpen ? this.allWords[sentence] : ""
    }
  }

  private warn(note: keyof Words): void {
    this.note = note
    this.show()
  }

  private show(): void {
    const isOpen = this.state === "active" || this.state === "signed"
    const { parts, pad } = this
    const view: View = {
      ...this.cell, isDialog: this.isDialog, isBusy: this.isBusy, isOff: this.isOff,
      isRequired: this.hasAttribute("required"), isBlocked: pad.isBlocked,
      offersPhone: !!this.phone && this.state === "active" && this.offers("append"),
      hasSlotted: !!this.textContent?.trim(),
      offered: this.offered, signature: this.signature, words: this.allWords, note: this.note,
      said: (name) => this.getAttribute(name),
    }
    parts.place((this.isDialog && isOpen) || parts.dialog.isOpen)
    show(parts, pad.area, view)
    const [width, height] = proportions(view) ?? []
    pad.wanted = width && height ? { width, height } : undefined
    pad.penWidth = Number(this.getAttribute("pen-width")) || usualPenWidth
    pad.takesInk = this.offers("append")
    pad.layOut()
    const isMissing = view.isRequired && !this.signature
    this.internals.setValidity({ valueMissing: isMissing }, isMissing ? view.words.signFirst : undefined)
    const isAnotherOpen = this.ways?.isOpen || this.phoning
    if (this.isDialog && isOpen && this.isConnected && !parts.dialog.isOpen && !isAnotherOpen) {
      parts.dialog.open(parts.dialog.title)
    }
  }
}

customElements.define("assent-signature", AssentSignature)

declare global {
  interface HTMLElementTagNameMap {
    "assent-signature": AssentSignature
  }
  interface HTMLElementEventMap extends SignatureEvents {}
}
