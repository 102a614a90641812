import { button, make } from "../../elements/dom.js"
import type { FormWords } from "../../words/forms/words.js"

/** In which of its two markups a text is written, or in none. */
export type Markup = "html" | "markdown"

interface Mark {
  readonly word: keyof FormWords["marks"]
  readonly key?: string
  /** What stands before and behind what is chosen, or before each of its lines. */
  readonly html: readonly [before: string, behind: string, line?: string, lineEnd?: string]
  readonly markdown: readonly [before: string, behind: string, line?: string]
}

const marks: readonly Mark[] = [
  { word: "bold", key: "b", html: ["<strong>", "</strong>"], markdown: ["**", "**"] },
  { word: "italic", key: "i", html: ["<em>", "</em>"], markdown: ["_", "_"] },
  { word: "paragraph", html: ["<p>", "</p>"], markdown: ["\n\n", "\n\n"] },
  { word: "list", html: ["<ul>", "</ul>", "<li>", "</li>"], markdown: ["\n", "\n", "- "] },
  { word: "link", html: ["<a href=\"https://\">", "</a>"], markdown: ["[", "](https://)"] },
]

/** Buttons that write markup around what is chosen in a field, and keys that do the same. */
export function toolbar(field: HTMLTextAreaElement, markup: Markup, words: FormWords): HTMLElement {
  const write = (mark: Mark) => {
    const [before, behind, line = "", lineEnd = ""] = mark[markup]
    const { selectionStart: start, selectionEnd: end, value } = field
    const chosen = value.slice(start, end)
    const body = line ? chosen.split("\n").map((each) => line + each + lineEnd).join(lineEnd ? "" : "\n") : chosen
    field.focus()
    // As if it were typed, so that undoing it works; a browser that cannot has it set.
    const isDone = document.execCommand("insertText", false, before + body + behind)
    if (!isDone) {
      field.setRangeText(before + body + behind, start, end)
      field.dispatchEvent(new Event("input", { bubbles: true }))
    }
    const from = start + before.length + (line && !chosen ? line.length : 0)
    field.setSelectionRange(from, from + (line && !chosen ? 0 : body.length))
  }
  field.addEventListener("keydown", (event) => {
    const mark = marks.find(({ key }) => key === event.key)
    if (!mark || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    write(mark)
  })
  return make("div", { class: "row wrap", role: "group", "aria-label": words.marks.title },
    ...marks.map((mark) => button({ class: `btn s mark-${mark.word}` }, () => write(mark), words.marks[mark.word])))
}
