import { button, make } from "../dom.js"

/** Asks before something is given up for good. Escape is the way back. */
export class Asking {
  private readonly title = make("h2", { id: "asking-title", tabindex: "-1" })
  private readonly message = make("p", { id: "asking-message" })
  private readonly buttons = make("div", { class: "choices" })
  readonly element = make(
    "dialog", { class: "sheet", part: "asking", role: "alertdialog", "aria-labelledby": "asking-title",
      "aria-describedby": "asking-message" },
    this.title, this.message, this.buttons)

  /** Whether the person wants it; `way` is its word, `back` that of the way back, which comes first. */
  ask(title: string, message: string, back: string, way: string): Promise<boolean> {
    this.title.textContent = title
    this.message.textContent = message
    return new Promise((resolve) => {
      const choice = (part: string, words: string, isWanted: boolean) => button({ class: "btn", part }, () => {
        resolve(isWanted)
        this.element.close()
      }, words)
      this.buttons.replaceChildren(choice("keep", back, false), choice("discard", way, true))
      this.element.addEventListener("close", () => resolve(false), { once: true })
      this.element.showModal()
      this.title.focus()
    })
  }
}
