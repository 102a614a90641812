import type { Problem } from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make, set } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Words } from "../../words/console/words.js"
import type { FormWords } from "../../words/forms/words.js"
import { icon } from "../icons.js"
import type { Assets } from "./assets.js"
import { control } from "./control.js"
import type { Part } from "./part.js"
import { at, entries, entry, kept, nameOf, numbered, put, within, type Message, type Spot } from "./spot.js"
import { toolbar } from "./toolbar.js"

/** Where a part is filled in: what does not depend on the language, the texts of the one shown, and those of all. */
export interface Sides {
  readonly spot: Spot
  readonly text: Spot
  readonly all: readonly Spot[]
}

export interface Surroundings {
  readonly words: FormWords
  readonly common: Words
  /** The language whose texts are shown. */
  readonly locale: string
  /** Something was typed or chosen. */
  readonly changed: () => void
  /** Stores files, where a form has some. */
  readonly assets?: Assets
  /** What is shown has to be drawn anew; then the focus belongs there. */
  readonly redraw: (focus: string) => void
}

/** Forms by descriptions of messages. Each problem stands beside the field that has it. */
export class Sheet {
  private readonly errors: {
    readonly path: string, readonly box: HTMLElement, readonly control?: HTMLElement, readonly label?: string }[] = []

  constructor(private readonly around: Surroundings) {}

  draw(parts: readonly Part[], sides: Sides, rename?: { key: string, to: (name: string) => void }): HTMLElement[] {
    return parts.filter(({ when }) => !when || when(sides.spot.get())).flatMap((part) => {
      const side = part.isText ? sides.text : sides.spot
      if (part.kind === "group") return this.group(part, sides, side)
      if (part.kind === "items") return [this.items(part, sides, side)]
      return [this.field(part, side, part.key === rename?.key ? rename.to : undefined)]
    })
  }

  /** Says beside each field what the server has found there. Answers what belongs to no field that is shown. */
  judge(problems: readonly Problem[]): Problem[] {
    const rest: Problem[] = []
    const found = new Map<HTMLElement, Problem[]>()
    for (const problem of problems) {
      const { field = "" } = problem
      const [best] = this.errors.filter(({ path }) => field === path || field.startsWith(`${path}.`)
        || field.startsWith(`${path}[`)).sort((one, other) => other.path.length - one.path.length)
      if (best) found.set(best.box, [...found.get(best.box) ?? [], problem])
      else rest.push(problem)
    }
    for (const { box, control: field, label } of this.errors) {
      const here = found.get(box) ?? []
      const isWrong = here.some(({ severity }) => severity === "PROBLEM_SEVERITY_ERROR")
      box.hidden = here.length === 0
      box.className = isWrong ? "err" : "err soft"
      box.textContent = here.map((problem) => saying(problem, label)).join(" ")
      if (field) set(field, { "aria-invalid": isWrong ? "true" : undefined })
    }
    return rest
  }

  private group(part: Part, sides: Sides, side: Spot): HTMLElement[] {
    const spot = (part.isKept ? kept : within)(side, part.key)
    // Its fields are named as if they stood beside its texts.
    const inner: Sides = part.hasOwnTexts
      ? { spot: { ...spot, path: side.path }, text: sides.spot, all: [sides.spot] }
      : part.isText ? { spot, text: spot, all: [spot] } : { ...sides, spot }
    return [...this.draw(part.parts ?? [], inner), this.error(spot.path)]
  }

  private error(path: string, field?: HTMLElement, label?: string): HTMLElement {
    const box = make("p", { class: "err", id: `${path}-e`, hidden: true })
    const known = label ? { path, box, label } : { path, box }
    this.errors.push(field ? { ...known, control: field } : known)
    // That a section says nothing is told of its plain text, in whichever way it is written.
    if (/\.(html|markdown)_content$/.test(path)) {
      this.errors.push({ ...known, path: path.replace(/(html|markdown)_content$/, "content") })
    }
    return box
  }

  private field(part: Part, side: Spot, rename?: (name: string) => void): HTMLElement {
    const { words, locale, changed, redraw, assets } = this.around
    const path = at(side.path, part.key)
    const write = (value: unknown) => {
      side.set(put(side.get(), part.key, value))
      changed()
    }
    const isShaping = part.kind === "check" || part.kind === "choice"
    const field = part.kind === "asset" && assets ? assets.field(part.accept ?? "", String(side.get()[part.key] ?? ""),
      words, (hash) => {
        // Of another file, the pages are others.
        side.set(put(part.isText ? {} : side.get(), part.key, hash))
        changed()
        redraw(path)
      }) : control(part, side.get(), locale, words, rename ? () => undefined : (value) => {
      write(value)
      if (isShaping) redraw(path)
    })
    set(field, { id: path, "aria-describedby": part.help ? `${path}-h ${path}-e` : `${path}-e` })
    if (rename) field.addEventListener("change", () => rename((field as HTMLInputElement).value.trim()))
    const label = words.fields[part.label ?? part.key as keyof FormWords["fields"]]
    const help: HTMLElement[] = part.help
      ? [make("p", { class: "dim small", id: `${path}-h` }, words.helps[part.help])] : []
    const error = this.error(path, field, label)
    if (field.tagName === "FIELDSET") {
      field.prepend(make("legend", {}, label), ...help)
      for (const file of field.querySelectorAll("[type=file]")) set(file, { "aria-label": label })
      return make("div", { class: "field" }, field, error)
    }
    const name = make("label", { for: path }, label)
    if (part.markup) help.push(toolbar(field as HTMLTextAreaElement, part.markup, words))
    return part.kind === "check" ? make("div", { class: "field" }, make("div", { class: "row" }, field, name), ...help,
      error) : make("div", { class: "field" }, name, ...help, field, error)
  }

  private items(part: Part, sides: Sides, side: Spot): HTMLElement {
    const { words, changed, redraw } = this.around
    const list = entries(side, part.key)
    const path = at(side.path, part.key)
    const add = () => {
      const fresh = part.fresh?.() ?? {}
      const message = part.id ? named(fresh, part.id, free(list, part.id, nameOf(fresh, part.id))) : fresh
      side.set({ ...side.get(), [part.key]: [...list, message] })
      changed()
      redraw(`${part.id ? `${path}[${nameOf(message, part.id)}]` : `${path}[${list.length}]`}-title`)
    }
    return make("div", { class: "stack" },
      ...part.help ? [make("p", { class: "dim" }, words.helps[part.help])] : [],
      ...list.map((_, index) => this.item(part, sides, side, index)),
      // Texts of what is not there any more.
      ...part.texts ? [this.error(`${sides.text.path}.${part.texts[0]}`)] : [], this.error(path),
      button({ class: "btn s", id: `${path}-add` }, add, icon("plus"),
        words.add[part.key as keyof FormWords["add"]]))
  }

  private item(part: Part, sides: Sides, side: Spot, index: number): HTMLElement {
    const { words, common, changed, redraw } = this.around
    const list = entries(side, part.key)
    const name = part.id ? nameOf(list[index]!, part.id) : ""
    const spot = part.id ? entry(side, part.key, part.id, name) : numbered(side, part.key, index)
    const text = (of: Spot) => part.texts ? entry(of, part.texts[0], part.texts[1], name) : spot
    const change = (next: readonly Message[], focus: string) => {
      side.set(put(side.get(), part.key, next))
      changed()
      redraw(focus)
    }
    const placed = (at: number) => part.id ? spot.path : spot.path.replace(/\[\d+\]$/, `[${at}]`)
    const move = (by: number, way: string) => {
      const next = [...list]
      next.splice(index + by, 0, ...next.splice(index, 1))
      change(next, `${placed(index + by)}-${way}`)
    }
    const remove = () => {
      for (const each of part.texts ? sides.all : []) {
        each.set(put(each.get(), part.texts![0], entries(each, part.texts![0])
          .filter((other) => other[part.texts![1]] !== name)))
      }
      change(list.filter((_, other) => other !== index), `${at(side.path, part.key)}-add`)
    }
    const rename = (to: string) => {
      if (!to || list.some((each) => nameOf(each, part.id!) === to)) return redraw(`${spot.path}.${part.id}`)
      for (const each of part.texts ? sides.all : []) {
        each.set(put(each.get(), part.texts![0], entries(each, part.texts![0])
          .map((other) => other[part.texts![1]] === name ? { ...other, [part.texts![1]]: to } : other)))
      }
      change(list.map((each, other) => other === index ? named(each, part.id!, to) : each),
        `${at(side.path, part.key)}[${to}].${part.id}`)
    }
    const title = filled(words.items[part.key as keyof FormWords["items"]], { number: String(index + 1) })
    const way = (id: string, label: string, act: () => void, isOff = false) => button({
      class: "btn bare s", id: `${spot.path}-${id}`, "aria-label": `${label}: ${title}`, disabled: isOff }, act, label)
    return make("fieldset", { class: "entry" },
      make("legend", { id: `${spot.path}-title`, tabindex: "-1" }, title),
      make("div", { class: "row wrap" }, way("up", common.edit.up, () => move(-1, "up"), index === 0),
        way("down", common.edit.down, () => move(1, "down"), index === list.length - 1),
        way("remove", common.edit.remove, remove)),
      ...this.draw(part.parts ?? [], { spot, text: text(sides.text), all: sides.all.map(text) },
        part.id ? { key: part.id, to: rename } : undefined),
      ...part.texts ? [this.error(text(sides.text).path)] : [], this.error(spot.path))
  }
}

/** What the server says of a field, which an author knows by its label. */
export function saying({ field = "", message = "" }: Problem, label?: string): string {
  const plain = message.replace(/^[a-z_]+: /, "")
  return label && plain.startsWith(`${field} `) ? `“${label}”${plain.slice(field.length)}` : plain
}

/** The message under another name. */
function named(message: Message, id: string, name: string): Message {
  const [first = "", ...rest] = id.split(".")
  return { ...message, [first]: rest.length === 0 ? name
    : named(message[first] as Message | undefined ?? {}, rest.join("."), name) }
}

/** The first name that no entry has yet: "purpose", "purpose_2" and so on. */
export function free(list: readonly Message[], id: string, name: string): string {
  const isTaken = (each: string) => list.some((message) => nameOf(message, id) === each)
  let found = name
  for (let number = 2; isTaken(found); number += 1) found = `${name}_${number}`
  return found
}

/** Focuses what has this name; where it cannot be focused, the first thing beside it that can. */
export function focusOn(element: HTMLElement, id: string): void {
  const wanted = element.querySelector<HTMLElement>(`#${CSS.escape(id)}`)
  if (wanted && !wanted.matches(":disabled")) return wanted.focus()
  const near = wanted?.parentElement ?? element
  near.querySelector<HTMLElement>("button:not(:disabled), input, textarea, select")?.focus()
}
