import { button, make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context } from "../context.js"
import { icon } from "../icons.js"
import { copyButton } from "./act.js"
import { form, type Plan } from "./form.js"

export interface Question<Request, Answer> {
  /** A title that can be answered. */
  readonly title: string
  readonly sentence?: string
  /** What is destroyed, and what stays, where something is. */
  readonly destroyed?: string
  readonly stays?: string
  /** What has to be typed before the button works. */
  readonly typed?: string
  readonly keep?: string
  readonly plan: Omit<Plan<Request, Answer>, "beside">
}

let count = 0

/** Asks before something is done, in a dialog that begins at the way back. */
export function ask<Request, Answer>(context: Context, question: Question<Request, Answer>): void {
  const { words } = context
  const { title, sentence, destroyed, stays, typed, plan } = question
  const id = `d${++count}`
  const dialog = make("dialog", { class: "alert", "aria-labelledby": id })
  const close = () => {
    dialog.close()
    dialog.remove()
  }
  const keep = button({ class: "btn s" }, close, question.keep ?? words.dialog.back)
  const word = typed ? [make("input", { class: "in s", autocomplete: "off", id: `${id}-t` })] : []
  const body = form(context, {
    ...plan, beside: [keep],
    done: async (answer, values) => {
      close()
      await plan.done(answer, values)
    },
  })
  const send = body.querySelector("button:not([type])") as HTMLButtonElement
  if (word[0]) {
    const look = () => { send.disabled = word[0]!.value.trim() !== typed }
    word[0].addEventListener("input", look)
    look()
    body.prepend(make("div", { class: "field" },
      make("label", { for: `${id}-t` }, filled(words.dialog.type, { word: typed! })), word[0]))
  }
  const line = (name: "bin" | "lock", label: string, text: string) => make("li", { class: `row top ${name}` },
    icon(name), make("span", {}, make("b", {}, label), " ", text))
  dialog.append(make("h2", { id }, title), ...sentence ? [make("p", { class: "dim" }, sentence)] : [],
    ...destroyed || stays ? [make("ul", { class: "plain stack" },
      ...destroyed ? [line("bin", words.dialog.destroyed, destroyed)] : [],
      ...stays ? [line("lock", words.dialog.stays, stays)] : [])] : [],
    body)
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  const first = body.querySelector<HTMLElement>("input, textarea, select")
  if (plan.destroys || !first) keep.focus()
  else first.focus()
}

/** Keeps a dialog open as long as it may not be left. A browser closes one by itself when Escape is pressed again. */
export function held(dialog: HTMLDialogElement, isHeld: () => boolean): void {
  dialog.addEventListener("cancel", (event) => {
    // A file chooser inside sends the same event when nothing is chosen.
    if (event.target === dialog && isHeld()) event.preventDefault()
  })
  dialog.addEventListener("close", () => { if (isHeld()) dialog.showModal() })
}

/** A secret that is shown once; above it, what it may be drawn as. */
export function tellOnce(context: Context, title: string, sentence: string, secret: string, ...above: Node[]): void {
  const { words } = context
  const id = `d${++count}`
  const dialog = make("dialog", { class: "alert", "aria-labelledby": id })
  const done = button({ class: "btn s go" }, () => dialog.close(), words.dialog.done)
  dialog.append(make("h2", { id }, title), make("p", { class: "dim" }, sentence), ...above,
    make("pre", { dir: "ltr", tabindex: "0" }, secret),
    make("div", { class: "row" }, copyButton(context, words.dialog.copy, () => secret), done))
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  done.focus()
}
