import { filled, type Words } from "../../words/words.js"
import { make, set } from "../dom.js"
import type { CellAction, CellState } from "./cell.js"
import { say, type Parts } from "./parts.js"
import type { Signature } from "./signature.js"

/** What decides how a cell looks. */
export interface View {
  state: CellState
  wasWoken: boolean
  isDialog: boolean
  isBusy: boolean
  isOff: boolean
  isRequired: boolean
  /** Whether the browser does not let pages draw. */
  isBlocked: boolean
  /** Whether the person may sign on a phone. */
  offersPhone: boolean
  hasSlotted: boolean
  offered: CellAction[]
  signature: Signature | null
  words: Words
  note: keyof Words | undefined
  /** What the page has said: attributes by their names. */
  said(name: string): string | null
}

/** Shows a cell. It changes nothing else: whoever calls it may do so at any time. */
export function show(parts: Parts, area: HTMLElement, view: View): void {
  const isOpen = view.state === "active" || view.state === "signed"
  const marks = {
    "data-state": view.state, "data-way": view.signature?.kind, "data-form": view.isDialog ? "dialog" : "inline",
  }
  set(parts.root, marks)
  set(parts.dialog.element, marks)
  set(parts.cell, { "data-state": view.isDialog && isOpen ? "inactive" : view.state })
  showHead(parts, view, isOpen)
  showPad(parts, area, view, isOpen)
  showFoot(parts, view, isOpen)
  showWays(parts, view)
}

function showHead(parts: Parts, view: View, isOpen: boolean): void {
  const { words } = view
  const signer = view.said("signer")
  const name = view.said("header") ?? (signer ? filled(words.signatureOf, { name: signer }) : words.signature)
  parts.name.replaceChildren(name, ...view.isRequired ? required(words) : [])
  parts.dialog.title.textContent = name
  set(parts.icon, { "aria-label": words.addSignature })
  parts.icon.hidden = !view.isDialog
  parts.icon.disabled = view.isOff || view.state !== "inactive"
  for (const cancel of [parts.cancel, parts.dialog.cancel]) {
    say(cancel, words.cancel)
    cancel.disabled = view.isBusy
  }
  parts.cancel.hidden = view.isDialog || !isOpen
  say(parts.saved, words.saved)
  parts.saved.hidden = view.state !== "saved"
  for (const name of ["label", "helper"] as const) {
    parts[name].textContent = view.said(name)
    parts[name].hidden = !view.said(name)
  }
  parts.about.hidden = parts.label.hidden && parts.helper.hidden && !view.hasSlotted
}

/** The asterisk, and what it means. */
function required(words: Words): (Node | string)[] {
  const mark = make("span", { class: "mark", "aria-hidden": "true" }, "*")
  return ["\u00a0", mark, make("span", { class: "sr" }, `, ${words.required}`)]
}

function showPad(parts: Parts, area: HTMLElement, view: View, isOpen: boolean): void {
  const { words, signature, state } = view
  const [width, height] = proportions(view) ?? []
  parts.pad.style.aspectRatio = width ? `${width} / ${height}` : ""
  parts.pad.style.blockSize = width ? "auto" : ""
  parts.pad.hidden = view.isDialog && state === "inactive" && parts.pad.parentElement === parts.cell
  say(parts.scrim, words.tapToSign)
  parts.scrim.hidden = view.isDialog || state !== "inactive"
  parts.scrim.disabled = view.isOff
  set(parts.scrim, { "data-clear": view.wasWoken && !view.isOff })
  area.hidden = (signature !== null && signature.kind !== "drawn") || (state === "inactive" && !view.isDialog)
  const empty = view.offered.includes("save_typed") ? `${words.areaEmpty} ${words.enterTypes}` : words.areaEmpty
  const name = { inactive: words.areaInactive, active: empty, signed: words.areaSigned, saved: words.areaSaved }[state]
  set(area, { "aria-label": name, tabindex: isOpen ? "0" : undefined })
  const typed = signature?.kind === "typed" ? signature.name : undefined
  parts.written.hidden = !typed
  parts.written.textContent = typed?.text ?? ""
  parts.written.className = `written ${typed?.font === "plain" ? "plain" : "script"}`
  set(parts.written, { "aria-label": filled(words.areaSavedName, { name: typed?.text ?? "" }) })
  parts.picture.hidden = signature?.kind !== "uploaded"
  parts.picture.alt = words.areaSaved
  const hint = view.isBlocked && isOpen ? words.padBlocked : view.said("placeholder")
  parts.hint.textContent = hint
  parts.hint.hidden = !hint || !(state === "active" || (state === "inactive" && view.wasWoken))
}

/** The proportions of the canvas, if the page has said some. */
export function proportions(view: Pick<View, "said">): [number, number] | undefined {
  const [width, height] = (view.said("canvas") ?? "").split("x").map(Number)
  return width && height ? [width, height] : undefined
}

/** A typed name is as large as its box lets it, on one line, like the server's picture. */
export function fitName(written: HTMLElement): void {
  if (written.hidden) return
  const [least, most] = [11, 48]
  written.style.fontSize = `${most}px`
  const room = written.clientWidth / written.scrollWidth
  written.style.fontSize = `${Math.max(least, Math.floor(most * Math.min(1, room)))}px`
}

function showFoot(parts: Parts, view: View, isOpen: boolean): void {
  const { words, state, isBusy, isOff } = view
  say(parts.add, words.addSignature)
  parts.add.disabled = isOff
  parts.addRow.hidden = !view.isDialog || state === "saved"
  say(parts.clear, words.clear)
  say(parts.save, isBusy ? words.saving : words.save)
  say(parts.reEnter, words.reEnter)
  say(parts.first, state === "active" ? words.signFirst : "")
  parts.clear.hidden = parts.save.hidden = !isOpen
  parts.clear.disabled = !view.offered.includes("clear")
  // While it saves, the button keeps the focus; another press does nothing.
  parts.save.disabled = !isBusy && !view.offered.includes("save")
  set(parts.save, { "aria-busy": isBusy ? "true" : undefined })
  parts.reEnter.hidden = state !== "saved" || isOff
  parts.foot.hidden = !isOpen && parts.reEnter.hidden
}

function showWays(parts: Parts, view: View): void {
  const { words } = view
  say(parts.type, words.typeInstead)
  say(parts.photo, words.photo)
  say(parts.phone, words.onPhone)
  say(parts.undo, words.undo)
  parts.type.hidden = !view.offered.includes("save_typed")
  parts.photo.hidden = !view.offered.includes("save_uploaded")
  parts.phone.hidden = !view.offersPhone
  parts.undo.hidden = !view.offered.includes("undo")
  parts.ways.hidden = parts.type.hidden && parts.photo.hidden && parts.phone.hidden && parts.undo.hidden
  parts.note.hidden = !view.note
  say(parts.note, view.note ? words[view.note] : "")
}
