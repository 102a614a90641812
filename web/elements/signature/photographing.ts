import type { Words } from "../../words/words.js"
import type { Sheet } from "../sheet.js"
import type { Tools } from "./ways.js"

/** What the server takes. */
const kinds = ["image/jpeg", "image/png"], mostBytes = 4 << 20

/** "Photo": a picture of a signature on paper, from a file or a camera. */
export class Photographing {
  readonly sheet: Sheet
  /** The browser's own chooser, which offers the camera where there is one. */
  readonly chooser: HTMLInputElement
  private readonly save: HTMLButtonElement
  private readonly picture: HTMLImageElement
  private readonly other: HTMLButtonElement
  private image: File | undefined

  constructor(
    { Sheet, make, button }: Tools, private readonly taken: (image: File) => void, givenUp: () => void,
    private readonly unfit: () => void, private readonly opening: () => Words,
  ) {
    this.chooser = make("input", { type: "file", accept: kinds.join(), hidden: true })
    this.save = button({ class: "btn bare", part: "save" }, () => this.image && this.taken(this.image))
    this.picture = make("img", { part: "preview" })
    this.other = button({ class: "btn" }, () => this.choose())
    this.sheet = new Sheet("photographing", givenUp, this.save)
    this.sheet.fill(this.picture, this.other)
    this.chooser.addEventListener("change", () => this.look(this.chooser.files?.[0]))
  }

  choose(): void {
    this.chooser.value = ""
    this.chooser.click()
  }

  async close(): Promise<void> {
    await this.sheet.close()
    URL.revokeObjectURL(this.picture.src)
    this.picture.removeAttribute("src")
    this.image = undefined
  }

  private look(image: File | undefined): void {
    if (!image) return
    if (!kinds.includes(image.type) || image.size > mostBytes) return this.unfit()
    const words = this.opening()
    this.image = image
    URL.revokeObjectURL(this.picture.src)
    this.picture.src = URL.createObjectURL(image)
    this.picture.alt = words.photoAlt
    this.sheet.title.textContent = words.photoTitle
    this.sheet.cancel.textContent = words.cancel
    this.save.textContent = words.save
    this.other.textContent = words.photoOther
    if (!this.sheet.isOpen) this.sheet.open(this.sheet.title)
  }
}
