import type { Absence } from "../../session/patience.js"
import { filled } from "../../words/language.js"
import type { SessionWords } from "../../words/session/words.js"
import { button, make } from "../dom.js"
import { icon } from "./icons.js"

/** Says that the server is away, what is safe, and when it is tried again. It comes and goes by itself. */
export class Notice {
  private readonly title = make("b")
  private readonly sentence = make("span")
  private readonly countdown = make("span", { "aria-hidden": "true" })
  private readonly now: HTMLButtonElement
  readonly element: HTMLElement
  private timer: ReturnType<typeof setInterval> | undefined

  constructor(retry: () => void) {
    this.now = button({ class: "link", part: "try-now" }, retry)
    this.element = make("div", { class: "note warn", part: "notice" }, icon("off"),
      make("div", { class: "grow" }, this.title, this.sentence,
        make("div", { class: "row" }, icon("clock"), this.countdown, this.now)))
  }

  show(absence: Absence, sentence: string, words: SessionWords, locale: string): void {
    this.title.textContent = words.away
    this.sentence.textContent = sentence
    this.now.textContent = words.tryNow
    const seconds = new Intl.NumberFormat(locale, { style: "unit", unit: "second", unitDisplay: "long" })
    const tick = () => {
      const left = Math.max(0, Math.ceil((absence.nextAt - Date.now()) / 1000))
      this.countdown.textContent = filled(words.tryingIn, { time: seconds.format(left) })
    }
    tick()
    clearInterval(this.timer)
    this.timer = setInterval(tick, 1000)
  }

  hide(): void {
    clearInterval(this.timer)
    this.element.remove()
  }
}
