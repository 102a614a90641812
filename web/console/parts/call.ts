import { make } from "../../elements/dom.js"
import type { Call, Context } from "../context.js"
import { copyButton } from "./act.js"
import { code } from "./marks.js"

/** A call as a shell makes it. The token stays out of it: it is not for the clipboard. */
export function curl({ method, request }: Call): string {
  const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`
  return [
    `curl ${location.origin}/${method.path}`, "-H 'content-type: application/json'",
    `-H "authorization: Bearer $ASSENT_TOKEN"`, `-d ${quoted(JSON.stringify(request))}`,
  ].join(" \\\n  ")
}

/** Where the reference describes a method. */
function reference(path: string): string {
  const [service, method = ""] = path.split("/")
  return `docs/api/${service}.md#${method.toLowerCase()}`
}

/** What makes the same without the console: folded, at the end of each page; of what it reads, and of its buttons. */
export function callPanel(context: Context, calls: () => readonly Call[]): HTMLElement {
  return callFold(context, () => [...calls(), ...context.acts.values()])
}

/** The same of a form. */
export function callFold(context: Context, calls: () => readonly Call[]): HTMLElement {
  const { words } = context
  const list = make("div", { class: "stack" })
  const fold = make("details", { class: "call" }, make("summary", {}, words.call.title), list)
  fold.addEventListener("toggle", () => {
    if (!fold.open) return
    list.replaceChildren(...calls().map((call) => {
      const text = curl(call)
      return make("div", { class: "stack" },
        make("pre", { dir: "ltr", tabindex: "0", "aria-label": call.method.path }, text),
        make("div", { class: "row wrap" }, copyButton(context, words.call.copy, () => text),
          code(reference(call.method.path))))
    }))
  })
  return fold
}
