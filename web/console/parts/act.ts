import type { UnaryMethod } from "../../../clients/typescript/src/method.js"
import { button } from "../../elements/dom.js"
import type { Call, Context } from "../context.js"
import { icon } from "../icons.js"
import { said } from "./refused.js"

type Told = Pick<Context, "words" | "tell">
type Attributes = Record<string, string | boolean | undefined>

/** A button that does something: once, however often it is pressed, and with a sentence where it was not done. */
export function act(
  { words, tell }: Told, attributes: Attributes, work: () => Promise<unknown>, ...content: (Node | string)[]
): HTMLButtonElement {
  const element = button(attributes, () => {
    if (element.ariaBusy) return
    element.ariaBusy = "true"
    void work().catch((problem) => tell(said(problem, words))).finally(() => { element.ariaBusy = null })
  }, ...content)
  return element
}

/** A button that makes one call, which is shown among those behind the page. */
export function calling<Request extends object, Answer>(
  context: Context, attributes: Attributes, method: UnaryMethod<Request, Answer>, request: Request,
  done: (answer: Answer) => unknown, ...content: (Node | string)[]
): HTMLButtonElement {
  note(context, { method, request })
  return act(context, attributes, async () => done(await context.calls.make(method, request)), ...content)
}

/** Shows a call among those behind the page. */
export function note({ acts }: Pick<Context, "acts">, call: Call): void {
  acts.set(`${call.method.path} ${JSON.stringify(call.request)}`, call)
}

/** A button that puts a text into the clipboard, as far as the browser lets a page do so. */
export function copyButton({ words, tell }: Told, label: string, text: () => string): HTMLButtonElement {
  return act({ words, tell }, { class: "btn s" }, async () => {
    const isCopied = await navigator.clipboard?.writeText(text()).then(() => true, () => false)
    tell(isCopied ? words.call.copied : words.call.uncopied)
  }, icon("copy"), label)
}
