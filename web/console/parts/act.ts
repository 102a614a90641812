import { button } from "../../elements/dom.js"
import type { Context } from "../context.js"
import { icon } from "../icons.js"
import { said } from "./refused.js"

type Told = Pick<Context, "words" | "tell">

/** A button that does something: once, however often it is pressed, and with a sentence where it was not done. */
export function act(
  { words, tell }: Told, attributes: Record<string, string | boolean | undefined>, work: () => Promise<unknown>,
  ...content: (Node | string)[]
): HTMLButtonElement {
  const element = button(attributes, () => {
    if (element.ariaBusy) return
    element.ariaBusy = "true"
    void work().catch((problem) => tell(said(problem, words))).finally(() => { element.ariaBusy = null })
  }, ...content)
  return element
}

/** A button that puts a text into the clipboard, as far as the browser lets a page do so. */
export function copyButton({ words, tell }: Told, label: string, text: () => string): HTMLButtonElement {
  return act({ words, tell }, { class: "btn s" }, async () => {
    const isCopied = await navigator.clipboard?.writeText(text()).then(() => true, () => false)
    tell(isCopied ? words.call.copied : words.call.uncopied)
  }, icon("copy"), label)
}
