import { make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context } from "../context.js"
import { icon, type IconName } from "../icons.js"

/** How something is: a word and an icon, since colour is never alone. */
export type Tone = "" | "ok" | "warn" | "bad"

const toneIcons: Record<Tone, IconName> = { "": "clock", ok: "check", warn: "clock", bad: "warn" }

export function chip(word: string, tone: Tone = "", name: IconName = toneIcons[tone]): HTMLElement {
  return make("span", { class: `chip ${tone}` }, icon(name), word)
}

export function note(tone: Tone, ...content: (Node | string)[]): HTMLElement {
  return make("div", { class: `note ${tone}` }, icon(tone === "ok" ? "check" : "warn"), make("div", {}, ...content))
}

export function heading(title: string, ...beside: Node[]): HTMLElement {
  return make("div", { class: "row head" }, make("h1", { class: "grow", tabindex: "-1" }, title), ...beside)
}

export function panel(title: string, ...content: Node[]): HTMLElement {
  return make("section", { class: "panel" }, make("h2", {}, title), ...content)
}

/** A list of what is known of a thing. */
export function facts(...pairs: readonly (readonly [string, Node | string | undefined])[]): HTMLElement {
  const known = pairs.filter(([, value]) => value !== undefined && value !== "")
  return make("dl", { class: "facts" }, ...known.flatMap(([name, value]) =>
    [make("dt", {}, name), make("dd", {}, value ?? "")]))
}

/** A link to another page of the console. */
export function link(href: string, ...content: (Node | string)[]): HTMLAnchorElement {
  return make("a", { href }, ...content)
}

export function code(text: string): HTMLElement {
  return make("code", { dir: "ltr" }, text)
}

/** What will be here, why it is good to have, and the one way to begin. */
export function empty(title: string, sentence: string, ...ways: Node[]): HTMLElement {
  return make("div", { class: "empty" }, make("h2", {}, title), make("p", { class: "dim" }, sentence),
    make("div", { class: "row mid" }, ...ways))
}

/** Dates as the reader writes them. */
export class Dates {
  private readonly moment: Intl.DateTimeFormat
  private readonly calendar: Intl.DateTimeFormat

  constructor(locale: string) {
    this.moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })
    this.calendar = new Intl.DateTimeFormat(locale, { dateStyle: "medium" })
  }

  time(at: string | undefined): string {
    return at ? this.moment.format(new Date(at)) : ""
  }

  day(at: string | undefined): string {
    return at ? this.calendar.format(new Date(at)) : ""
  }
}

/** The word for a value of an enum: "RECORD_STATE_IN_FORCE" by "in_force"; as it is written where there is none. */
export function named(words: Record<string, string>, prefix: string, value: string | undefined): string {
  const plain = (value ?? "").replace(prefix, "").toLowerCase()
  return words[plain] ?? plain
}

/** What a language is called, by its tag; the tag where it is none. */
export function languageName(tag: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: "language" }).of(tag) ?? tag
  } catch {
    return tag
  }
}

/** A sentence with a number, in the one form or the other. More than were counted are "1,000+". */
export function counted(context: Context, count: number, one: string, many: string, most = Infinity): string {
  const number = new Intl.NumberFormat(context.locale).format(Math.min(count, most)) + (count > most ? "+" : "")
  return filled(new Intl.PluralRules(context.locale).select(count) === "one" ? one : many, { count: number })
}
