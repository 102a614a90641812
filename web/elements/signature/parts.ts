import { button, icon, make } from "../dom.js"
import type { IconName } from "../look/icons.js"
import { Sheet } from "../sheet.js"

/** What the parts of a cell do when they are pressed. */
export interface Acts {
  tap(): void
  cancel(): void
  clear(): void
  save(): void
  reEnter(): void
  undo(): void
  type(): void
  photograph(): void
  phone(): void
}

/** Everything that a cell consists of, in its order on the screen. `view.ts` says what of it is seen. */
export class Parts {
  readonly name = make("b", { class: "name", id: "header", part: "header" })
  readonly icon: HTMLButtonElement
  readonly cancel: HTMLButtonElement
  readonly saved = labelled(make("span", { class: "chip", part: "saved" }), "check")
  readonly label = make("p", { part: "label" })
  readonly helper = make("p", { class: "help", part: "helper" })
  readonly about = make("div", { class: "about" }, this.label, make("slot"), this.helper)
  readonly pad = make("div", { class: "pad", part: "pad" })
  readonly hint = make("div", { class: "hint", part: "placeholder" })
  readonly written = make("div", { class: "written", part: "typed", role: "img" })
  readonly picture = make("img", { part: "picture" })
  readonly scrim: HTMLButtonElement
  readonly add: HTMLButtonElement
  readonly addRow: HTMLElement
  readonly clear: HTMLButtonElement
  readonly save: HTMLButtonElement
  readonly reEnter: HTMLButtonElement
  readonly first = make("span", { class: "sr", id: "first" })
  readonly foot: HTMLElement
  readonly note = labelled(make("div", { class: "note", part: "note", role: "alert", hidden: true }), "warn")
  readonly type: HTMLButtonElement
  readonly photo: HTMLButtonElement
  readonly phone: HTMLButtonElement
  readonly undo: HTMLButtonElement
  readonly ways: HTMLElement
  readonly status = make("p", { class: "sr", role: "status" })
  readonly dialog: Sheet
  readonly cell = make("div", { class: "sig", part: "cell", role: "group", "aria-labelledby": "header" })
  /** Hidden until its words are there, so that nothing is seen in the wrong language. */
  readonly root = make("div", { class: "root", hidden: true })

  constructor(acts: Acts, area: HTMLElement) {
    // For fingers: by keyboard, the button below does the same.
    this.icon = button({ class: "opener", part: "icon", tabindex: "-1" }, () => acts.tap(), icon("pen"))
    this.cancel = button({ class: "btn bare", part: "cancel" }, () => acts.cancel())
    this.scrim = labelled(button({ class: "cue", part: "scrim" }, () => acts.tap()), "pen")
    this.add = button({ class: "btn", part: "add" }, () => acts.tap())
    this.addRow = make("div", { class: "add" }, this.add)
    this.clear = button({ class: "btn", part: "clear", "aria-describedby": "first" }, () => acts.clear())
    this.save = button({ class: "btn go", part: "save", "aria-describedby": "first" }, () => acts.save())
    this.reEnter = button({ class: "btn", part: "re-enter" }, () => acts.reEnter())
    this.foot = make("div", { class: "foot", part: "footer" }, this.clear, this.save, this.reEnter, this.first)
    this.type = labelled(button({ class: "link", part: "type" }, () => acts.type()), "keys")
    this.photo = labelled(button({ class: "link", part: "photo" }, () => acts.photograph()), "camera")
    this.phone = labelled(button({ class: "link", part: "phone" }, () => acts.phone()), "phone")
    this.undo = labelled(button({ class: "link", part: "undo" }, () => acts.undo()), "undo")
    this.ways = make("div", { class: "ways", part: "ways" }, this.type, this.photo, this.phone, this.undo)
    this.dialog = new Sheet("dialog", () => acts.cancel())
    this.pad.append(area, this.hint, this.written, this.picture, this.scrim)
    this.cell.append(
      make("div", { class: "head" }, this.icon, this.name, this.cancel, this.saved), this.about, this.pad, this.addRow,
      this.foot)
    this.root.append(this.cell, this.note, this.ways, this.status, this.dialog.element)
  }

  /** What is drawn on stands in the cell, or in the dialog. */
  place(inDialog: boolean): void {
    const isThere = this.pad.parentElement !== this.cell
    if (inDialog === isThere) return
    if (inDialog) {
      this.dialog.fill(this.pad, this.foot, this.note, this.ways)
    } else {
      this.addRow.before(this.pad)
      this.addRow.after(this.foot)
      this.status.before(this.note, this.ways)
    }
  }
}

/** An element with an icon and a word, which `say` sets. */
function labelled<Box extends HTMLElement>(box: Box, name: IconName): Box {
  box.append(icon(name), make("span"))
  return box
}

/** Sets the word beside the icon, or the only word. */
export function say(box: HTMLElement, word: string): void {
  (box.querySelector("span") ?? box).textContent = word
}
