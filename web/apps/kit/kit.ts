import type { AssentSignature } from "../../elements/signature/assent-signature.js"
import "../../elements/signature/assent-signature.js"
import { make, set } from "../../elements/dom.js"
import "./accounts.js"
import { look } from "./look.js"
import "./screens.js"
import { sample } from "./strokes.js"
import "./sync.js"

/** A state of an element: its attributes, and how it gets there. */
interface State {
  name: string
  note: string
  attributes?: Record<string, string | boolean>
  arrive?: (cell: AssentSignature) => void
  wide?: boolean
  lang?: string
}

const signer = "Amara Okafor"
const ink = sample(326, 168)
const never = new Promise<void>(() => {})

const states: State[] = [
  { name: "inactive", note: "The scrim keeps a scrolling thumb from leaving ink.", attributes: { photo: true } },
  { name: "active", note: "Ready for ink.", attributes: { photo: true }, arrive: (cell) => cell.tap() },
  { name: "signed", note: "Clear and Save wake up.", arrive: (cell) => { cell.ink = ink } },
  {
    name: "saved", note: "Read-only, and lighter.",
    arrive: (cell) => { cell.value = { kind: "drawn", drawing: ink } },
  },
  {
    name: "cancelled", note: "No scrim after the first time; the pad still waits to be tapped.",
    arrive: (cell) => { cell.tap(); cell.cancel() },
  },
  {
    name: "typed", note: "A name in place of a drawing.",
    arrive: (cell) => { cell.value = { kind: "typed", name: { text: signer, font: "script" } } },
  },
  {
    name: "plain", note: "The same in plain letters, and long.",
    arrive: (cell) => {
      cell.value = { kind: "typed", name: { text: "Wolfeschlegelsteinhausenbergerdorff-Kowalczyk", font: "plain" } }
    },
  },
  {
    name: "saving", note: "As long as the page says.",
    arrive: (cell) => {
      cell.addEventListener("assent-signed", ({ detail }) => detail.waitUntil(never))
      cell.ink = ink
      cell.save()
    },
  },
  {
    name: "failed", note: "Nothing is lost.",
    arrive: (cell) => {
      cell.addEventListener("assent-signed", ({ detail }) => detail.waitUntil(Promise.reject(new Error("away"))))
      cell.ink = ink
      cell.save()
    },
  },
  { name: "disabled", note: "By the page, or by its form.", attributes: { disabled: true } },
  {
    name: "drawing-only", note: "Without typing, not required, with a placeholder.",
    attributes: { "no-typing": true, required: false, placeholder: "Sign as in your passport" },
    arrive: (cell) => cell.tap(),
  },
  {
    name: "cell", note: "A form cell that opens a dialog.",
    attributes: {
      presentation: "dialog", label: "Loan of a blood pressure cuff",
      helper: "You return it at your last visit. If it breaks, it costs you nothing.", photo: true,
    },
  },
  {
    name: "cell-saved", note: "The cell shows what was saved.",
    attributes: { presentation: "dialog", label: "Loan of a blood pressure cuff" },
    arrive: (cell) => { cell.value = { kind: "drawn", drawing: ink } },
  },
  { name: "german", note: "Long words.", lang: "de", attributes: { photo: true }, arrive: (cell) => cell.tap() },
  { name: "arabic", note: "Writing begins at the right.", lang: "ar", arrive: (cell) => { cell.ink = ink } },
  { name: "chinese", note: "Short words.", lang: "zh", attributes: { photo: true }, arrive: (cell) => cell.tap() },
  {
    name: "wide", note: "On a tablet, with a canvas of the field’s own proportions.", wide: true,
    attributes: { canvas: "600x200" }, arrive: (cell) => { cell.ink = sample(600, 200) },
  },
]

for (const { name, note, attributes, arrive, wide, lang } of states) {
  const cell = make("assent-signature", { id: name, signer, required: true, ...attributes })
  const figure = make(
    "figure", { class: wide ? "wide" : undefined },
    make("figcaption", {}, make("b", {}, name), note),
    make("div", { lang, dir: lang === "ar" ? "rtl" : undefined }, cell))
  document.querySelector("#states")!.append(figure)
  arrive?.(cell)
}
// What arrived by an act has taken the focus.
if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
scrollTo(0, 0)

look.addEventListener("input", () => {
  const chosen = new FormData(look)
  const language = `${chosen.get("language")}`
  const direction = `${chosen.get("direction")}` || (language === "ar" ? "rtl" : "ltr")
  set(document.documentElement, { "data-theme": `${chosen.get("theme")}` || undefined, lang: language, dir: direction })
})
