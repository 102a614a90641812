import type { TypedName } from "../../../clients/typescript/src/contract/signature_v1.js"
import type { Words } from "../../words/words.js"
import type { Sheet } from "../sheet.js"
import type { Tools } from "./ways.js"

/** The fonts that the server writes names in. */
const fonts = ["script", "plain"] as const
/** The most characters of a typed name. */
const longestName = 100

/** "Type instead": a name, and how it looks. */
export class Typing {
  readonly sheet: Sheet
  private readonly save: HTMLButtonElement
  private readonly input: HTMLInputElement
  private readonly label: HTMLElement
  private readonly reason: HTMLElement
  private readonly legend: HTMLElement
  private readonly picks
  private looks = { script: "", plain: "" }

  constructor({ Sheet, make, button }: Tools, private readonly typed: (name: TypedName) => void, givenUp: () => void) {
    this.save = button(
      { class: "btn bare", part: "save", "aria-describedby": "name-first" }, () => this.finish())
    this.input = make("input", { class: "in", id: "name", part: "name", maxlength: `${longestName}` })
    this.label = make("label", { class: "sr", for: "name" })
    this.reason = make("p", { class: "reason", id: "name-first" })
    this.legend = make("legend")
    this.picks = fonts.map((font, index) => {
      const radio = make("input", { type: "radio", name: "font", value: font, checked: index === 0 })
      const name = make("span", { class: `written ${font}` })
      return { font, radio, name, label: make("label", { class: "pick" }, radio, name) }
    })
    this.sheet = new Sheet("typing", givenUp, this.save)
    this.input.autocomplete = "name"
    const faces = make("fieldset", {}, this.legend, ...this.picks.map(({ label }) => label))
    this.sheet.fill(this.label, this.input, this.reason, faces)
    this.input.addEventListener("input", () => this.show())
    this.input.addEventListener("keydown", (event) => {
      // Enter that ends the composition of a character is not meant for the dialog.
      if (event.key === "Enter" && !event.isComposing && this.isReady) this.finish()
    })
  }

  open(name: string, words: Words): void {
    this.input.value ||= name
    this.sheet.title.textContent = words.typeTitle
    this.sheet.cancel.textContent = words.cancel
    this.save.textContent = words.save
    this.label.textContent = words.yourName
    this.input.placeholder = words.yourName
    this.reason.textContent = words.nameFirst
    this.legend.textContent = words.howItLooks
    this.looks = { script: words.handwritten, plain: words.plain }
    this.show()
    this.sheet.open(this.input)
  }

  /** Forgets what was typed. */
  reset(): void {
    this.input.value = ""
  }

  /** A name has a letter. */
  private get isReady(): boolean {
    return /\p{L}/u.test(this.input.value)
  }

  private show(): void {
    this.save.disabled = !this.isReady
    this.reason.hidden = this.isReady
    const text = this.input.value.trim() || this.input.placeholder
    for (const { font, radio, name } of this.picks) {
      name.textContent = text
      // What is heard begins with what cannot be seen in the words.
      radio.ariaLabel = `${this.looks[font]}: ${text}`
    }
  }

  private finish(): void {
    if (!this.isReady) return
    const { font } = this.picks.find(({ radio }) => radio.checked) ?? { font: fonts[0] }
    this.typed({ text: this.input.value.trim().replace(/\s+/g, " "), font })
  }
}
