import type { ConsentScreen, FlowAction } from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make, set } from "../dom.js"
import { part, word } from "./frame.js"
import { tongue } from "./texts.js"

/** A question of the element's own: its title, a sentence, and two answers. */
export interface Question {
  title: string
  message: string
  answers: { title: string, act: () => void }[]
}

/** An alert over the screen: a title, a sentence of consequence, two buttons. The way back comes first. */
export class Alert {
  readonly notices = make("div", { class: "notices" })
  private readonly title = make("h2", { id: "alert-title", tabindex: "-1" })
  private readonly message = make("p", { id: "alert-message" })
  private readonly buttons = make("div", { class: "two" })
  readonly element = make(
    "dialog", { class: "alert", part: "alert", role: "alertdialog", "aria-labelledby": "alert-title",
      "aria-describedby": "alert-message" },
    this.title, this.message, this.notices, this.buttons)
  private back: (() => void) | undefined

  constructor() {
    this.element.addEventListener("cancel", (event) => {
      event.preventDefault()
      this.back?.()
    })
    // A browser may close a dialog by itself: when Escape is pressed again and again.
    this.element.addEventListener("close", () => this.back?.())
  }

  get isOpen(): boolean {
    return this.element.open
  }

  /** Shows the alert of a screen, with the button that is busy. */
  show(screen: ConsentScreen, act: (action: FlowAction) => void, pending: string | undefined): void {
    const { alert } = screen
    if (!alert) return this.close()
    set(this.element, { lang: screen.locale, dir: screen.rightToLeft ? "rtl" : "ltr" })
    set(this.title, tongue(screen, "alert.title"))
    set(this.message, tongue(screen, "alert.message"))
    const dismiss = () => act({ kind: "ACTION_KIND_DISMISS" })
    const buttons = (alert.buttons ?? []).map(({ action, title }) => button(
      { class: "btn say", part: part(action!), "data-action": action,
        "aria-busy": pending === action ? "true" : undefined, ...tongue(screen, `alert.buttons[${word(action!)}]`) },
      () => act({ kind: action! }), title ?? ""))
    const isOther = this.fill(alert.title ?? "", alert.message ?? "", buttons)
    this.open(screen.offered?.includes("ACTION_KIND_DISMISS") ? dismiss : undefined, isOther)
  }

  /** Asks what the element itself wants to know; Escape gives the first answer. */
  ask({ title, message, answers }: Question): void {
    const isOther = this.fill(title, message, answers.map((answer) => button({ class: "btn say" }, () => {
      this.close()
      answer.act()
    }, answer.title)))
    this.open(() => {
      this.close()
      answers[0]?.act()
    }, isOther)
  }

  close(): void {
    this.back = undefined
    if (this.isOpen) this.element.close()
  }

  /** Fills in the alert; tells whether it is another one than before. */
  private fill(title: string, message: string, buttons: HTMLButtonElement[]): boolean {
    const isOther = this.title.textContent !== title
    const focused = this.buttons.querySelector(":focus")?.getAttribute("data-action")
    this.title.textContent = title
    this.message.textContent = message
    this.buttons.replaceChildren(...buttons)
    if (focused) this.buttons.querySelector<HTMLElement>(`[data-action=${focused}]`)?.focus()
    return isOther
  }

  private open(back: (() => void) | undefined, isOther: boolean): void {
    this.back = back
    if (this.isOpen) {
      if (isOther) this.title.focus()
      return
    }
    this.element.showModal()
    this.title.focus()
  }
}
