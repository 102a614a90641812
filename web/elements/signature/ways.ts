import type { TypedName } from "../../../clients/typescript/src/contract/signature_v1.js"
import type { Words } from "../../words/words.js"
import type { button, make } from "../dom.js"
import type { Sheet } from "../sheet.js"
import { Photographing } from "./photographing.js"
import { Typing } from "./typing.js"
import style from "./ways.css"

export { resize } from "../../ink/resizing.js"

/** What the cell lends: this module comes when the cell is opened, and brings nothing that the cell has. */
export interface Tools {
  readonly Sheet: typeof Sheet
  readonly make: typeof make
  readonly button: typeof button
}

/** What comes of them. */
export interface WayUser {
  typed(name: TypedName): void
  photographed(image: File): void
  /** Typing, or a photo, was given up; it has closed once the promise is kept. */
  left(way: "type" | "photo", closing: Promise<void>): void
  unfit(): void
  /** A dialog opens, with these words. */
  opening(): Words
}

/** The ways to sign without drawing: a name that is typed, and a photo. */
export class Ways {
  readonly typing: Typing
  readonly photographing: Photographing

  constructor(tools: Tools, root: HTMLElement, user: WayUser) {
    const typing: Typing = this.typing = new Typing(
      tools, (name) => user.typed(name), () => user.left("type", typing.sheet.close()))
    const photographing: Photographing = this.photographing = new Photographing(
      tools, (image) => user.photographed(image), () => user.left("photo", photographing.close()), () => user.unfit(),
      () => user.opening())
    const look = new CSSStyleSheet(), shadow = root.getRootNode() as ShadowRoot
    look.replaceSync(style)
    shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, look]
    root.append(typing.sheet.element, photographing.sheet.element, photographing.chooser)
  }

  get isOpen(): boolean {
    return this.typing.sheet.isOpen || this.photographing.sheet.isOpen
  }

  async close(): Promise<void> {
    await Promise.all([this.typing.sheet.close(), this.photographing.close()])
  }

  /** Makes room for another dialog. */
  step(): void {
    this.typing.sheet.step()
    this.photographing.sheet.step()
  }
}
