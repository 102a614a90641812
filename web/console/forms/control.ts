import { fromBase64, toBase64 } from "../../bytes.js"
import { make } from "../../elements/dom.js"
import type { FormWords } from "../../words/forms/words.js"
import type { Option, Part } from "./part.js"
import type { Message } from "./spot.js"

const daySeconds = 86_400

/** What a field is filled in by. It says what it holds now whenever that has changed. */
export function control(
  part: Part, message: Message, locale: string, words: FormWords, changed: (value: unknown) => void,
): HTMLElement {
  const value = message[part.key]
  switch (part.kind) {
    case "check": {
      const box = make("input", { type: "checkbox" })
      box.checked = value === true
      box.addEventListener("change", () => changed(box.checked))
      return box
    }
    case "choice": return choice(part, optionsOf(part, message, words), value, changed)
    case "some": return some(optionsOf(part, message, words), value as readonly string[] | undefined ?? [], changed)
    case "whole": return typed("number", value === undefined ? "" : String(value), (text) => changed(Number(text)),
      { step: "1" })
    case "bound": {
      // A bound of 0 is one, and no bound is none.
      const bound = value as { value?: number } | undefined
      return typed("number", bound ? String(bound.value ?? 0) : "",
        (text) => changed(text === "" ? undefined : { value: Number(text) }), { step: "any" })
    }
    case "days": case "minutes": {
      const unit = part.kind === "days" ? daySeconds : 60
      return typed("number", value ? String(parseFloat(String(value)) / unit) : "",
        (text) => changed(Number(text) ? `${Math.round(Number(text) * unit)}s` : undefined), { step: "any", min: "0" })
    }
    case "picture": return picture(value === undefined ? "" : String(value), changed)
    case "day": return typed("date", value ? dayOf(String(value)) : "",
      (text) => changed(text ? new Date(`${text}T00:00`).toISOString() : undefined))
    case "lines": return area((value as readonly string[] | undefined ?? []).join("\n"), locale, 3, (text) =>
      changed(text.split("\n").map((each) => each.trim()).filter(Boolean)))
    case "words": case "longWords": {
      const said = translations(value)
      const text = said.find((each) => each.locale === locale)?.text ?? ""
      const say = (now: string) => {
        const others = translations(value).filter((each) => each.locale !== locale)
        changed(now || others.length > 0 ? { translations: [...others, ...now ? [{ locale, text: now }] : []] }
          : undefined)
      }
      return part.kind === "words" ? typed("text", text, say, { lang: locale, dir: "auto" })
        : area(text, locale, 3, say)
    }
    case "text": return area(String(value ?? ""), locale, /Content$|Html$/.test(part.key) ? 8 : 3, changed)
    default: return typed("text", String(value ?? ""), changed, part.isText ? { lang: locale, dir: "auto" }
      : { dir: "auto" })
  }
}

/** A picture, and another one in its place. */
function picture(value: string, changed: (value: unknown) => void): HTMLElement {
  const file = make("input", { type: "file", accept: "image/png,image/jpeg" })
  const shown = make("img", { class: "logo", alt: "" })
  const show = (content: Uint8Array) => { shown.src = URL.createObjectURL(new Blob([content])) }
  shown.addEventListener("load", () => URL.revokeObjectURL(shown.src))
  if (value) show(fromBase64(value))
  file.addEventListener("change", () => void file.files?.[0]?.arrayBuffer().then((content) => {
    const bytes = new Uint8Array(content)
    show(bytes)
    changed(toBase64(bytes))
  }))
  return make("fieldset", { class: "some" }, shown, file)
}

export function optionsOf({ values, prefix = "", options }: Part, message: Message, words: FormWords): Option[] {
  return [...options?.(message) ?? [], ...(values ?? []).map((each): Option => {
    const [value, word] = typeof each === "string" ? [each, each] as const : each
    return [prefix + value.toUpperCase(), words.options[word]]
  })]
}

/** A text in its languages. */
export function translations(text: unknown): readonly { readonly locale?: string, readonly text?: string }[] {
  return (text as { translations?: { locale?: string, text?: string }[] } | undefined)?.translations ?? []
}

/** The day on which a moment is here. */
function dayOf(moment: string): string {
  const date = new Date(moment)
  const two = (number: number) => String(number).padStart(2, "0")
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function typed(
  type: string, value: string, changed: (text: string) => void, attributes: Record<string, string> = {},
): HTMLInputElement {
  const input = make("input", { class: "in s", type, autocomplete: "off", ...attributes })
  input.value = value
  input.addEventListener("input", () => changed(input.value))
  return input
}

function area(value: string, locale: string, rows: number, changed: (text: string) => void): HTMLTextAreaElement {
  const element = make("textarea", { class: "in s", rows: String(rows), lang: locale, dir: "auto" })
  element.value = value
  element.addEventListener("input", () => changed(element.value))
  return element
}

/** Where nothing is stated, the first stands: it is what the server does then. */
function choice({ prefix = "" }: Part, options: readonly Option[], value: unknown, changed: (value: unknown) => void):
HTMLSelectElement {
  const unspecified = `${prefix}UNSPECIFIED`
  const known = options.find(([each]) => each === (value ?? unspecified)) ?? (value ? undefined : options[0])
  // What cannot be chosen any more is shown as it is.
  const all = known ? options : [[String(value ?? ""), String(value ?? "")] as const, ...options]
  const select = make("select", { class: "in s" }, ...all.map(([each, label]) =>
    make("option", { value: each }, label)))
  select.value = known?.[0] ?? String(value ?? "")
  select.addEventListener("change", () => changed(select.value === unspecified ? undefined : select.value))
  return select
}

function some(options: readonly Option[], chosen: readonly string[], changed: (value: unknown) => void): HTMLElement {
  const boxes = options.map(([value, label]) => {
    const box = make("input", { type: "checkbox", value })
    box.checked = chosen.includes(value)
    return { box, row: make("label", { class: "row" }, box, label) }
  })
  const field = make("fieldset", { class: "some" }, ...boxes.map(({ row }) => row))
  field.addEventListener("change", () => changed(boxes.filter(({ box }) => box.checked).map(({ box }) => box.value)))
  return field
}
