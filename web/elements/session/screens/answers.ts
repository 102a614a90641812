import type {
  CalendarDate, QuestionAnswer, QuestionKind, ScreenQuestion,
} from "../../../../clients/typescript/src/contract/consent_v1.js"
import { filled } from "../../../words/language.js"
import type { SessionWords } from "../../../words/session/words.js"
import { make, set } from "../../dom.js"

/** What stands in a control: an answer, a reason why it is none, or neither while it is empty. */
export type Read = { answer: Omit<QuestionAnswer, "questionId"> } | { fault: string } | undefined

/** Takes the answer to a question. */
export interface Control {
  readonly element: HTMLElement
  /** What is marked when the answer is not right, the first of them to be focused. */
  readonly inputs: HTMLElement[]
  /** What to say while nothing is answered. */
  readonly missing: string
  read(): Read
}

type MakeControl = (question: ScreenQuestion, before: QuestionAnswer | undefined, context: Context) => Control

export interface Context {
  words: SessionWords
  locale: string
  /** Attributes for the language of one of the question's texts. */
  tongue(part: string): { lang?: string, dir?: string }
  /** Names the question for its only field. */
  labelledBy: string
}

export const controls: Partial<Record<QuestionKind, MakeControl>> = {
  QUESTION_KIND_SINGLE: (question, before, context) => choices("radio", question, before, context),
  QUESTION_KIND_MULTIPLE: (question, before, context) => choices("checkbox", question, before, context),
  QUESTION_KIND_TEXT: text,
  QUESTION_KIND_DATE: date,
  QUESTION_KIND_BIRTH_DATE: date,
  QUESTION_KIND_BOOLEAN: boolean,
  QUESTION_KIND_NUMBER: number,
  QUESTION_KIND_SCALE: scale,
  QUESTION_KIND_TIME_OF_DAY: time,
}

interface Option {
  value: string
  title: string
  tongue?: { lang?: string, dir?: string }
}

/** Options to choose one of, or several. Nothing is chosen beforehand. */
export function picks(
  type: "radio" | "checkbox", name: string, options: Option[], chosen: string[],
): HTMLInputElement[] {
  return options.map(({ value, title, tongue }) => {
    const input = make("input", { type, name, value })
    input.checked = chosen.includes(value)
    make("label", { class: "pick", part: "choice" }, input, make("span", { ...tongue }, title))
    return input
  })
}

/** The boxes around options. */
export const labels = (inputs: HTMLInputElement[]): HTMLElement[] => inputs.map((input) => input.parentElement!)

export const chosen = (inputs: HTMLInputElement[]): string[] =>
  inputs.filter((input) => input.checked).map((input) => input.value)

function choices(
  type: "radio" | "checkbox", question: ScreenQuestion, before: QuestionAnswer | undefined, context: Context,
): Control {
  const options = (question.choices ?? []).map(({ id, text }) =>
    ({ value: id ?? "", title: text ?? "", tongue: context.tongue(`choices[${id}]`) }))
  const inputs = picks(type, question.id ?? "", options, before?.choiceIds ?? [])
  return {
    element: make("div", { class: "stack" }, ...labels(inputs)), inputs, missing: context.words.choose,
    read: () => {
      const choiceIds = chosen(inputs)
      return choiceIds.length > 0 ? { answer: { choiceIds } } : undefined
    },
  }
}

function boolean(question: ScreenQuestion, before: QuestionAnswer | undefined, context: Context): Control {
  const options = [
    { value: "BOOLEAN_ANSWER_YES", title: question.yesTitle ?? "", tongue: context.tongue("yes_title") },
    { value: "BOOLEAN_ANSWER_NO", title: question.noTitle ?? "", tongue: context.tongue("no_title") },
  ] as const
  const inputs = picks("radio", question.id ?? "", [...options], before?.boolean ? [before.boolean] : [])
  return {
    element: make("div", { class: "yesno" }, ...labels(inputs)), inputs, missing: context.words.choose,
    read: () => {
      const boolean = options[inputs.findIndex((input) => input.checked)]?.value
      return boolean && { answer: { boolean } }
    },
  }
}

function scale(question: ScreenQuestion, before: QuestionAnswer | undefined, context: Context): Control {
  const { minimum = 0, maximum = 0, step } = question.scale ?? {}
  const places: number[] = []
  for (let place = minimum; place <= maximum; place += step || 1) places.push(place)
  const shown = new Intl.NumberFormat(context.locale)
  const options = places.map((place) => ({ value: `${place}`, title: shown.format(place) }))
  const inputs = picks("radio", question.id ?? "", options, before?.number ? [`${before.number.value ?? 0}`] : [])
  // What the ends mean belongs to them.
  const ends = [["minimum_label", question.minimumLabel], ["maximum_label", question.maximumLabel]] as const
  const meanings = ends.map(([part, meaning], at) => {
    const id = `${question.id}-${part}`
    if (meaning) set(inputs.at(-at)!, { "aria-describedby": id })
    return make("span", { id, ...context.tongue(part) }, meaning ?? "")
  })
  const row = make("div", { class: "scale" }, ...labels(inputs))
  return {
    element: make("div", {}, row, make("div", { class: "ends" }, ...meanings)), inputs, missing: context.words.choose,
    read: () => {
      const value = chosen(inputs)[0]
      return value === undefined ? undefined : { answer: { number: { value: Number(value) } } }
    },
  }
}

function field(context: Context, attributes: Record<string, string>, value: string): HTMLInputElement {
  const input = make("input", { class: "in", part: "field", "aria-labelledby": context.labelledBy, ...attributes })
  input.value = value
  return input
}

function text(_: ScreenQuestion, before: QuestionAnswer | undefined, context: Context): Control {
  const input = field(context, { type: "text", maxlength: "2000", dir: "auto" }, before?.text ?? "")
  return {
    element: input, inputs: [input], missing: context.words.write,
    read: () => input.value.trim() ? { answer: { text: input.value.trim() } } : undefined,
  }
}

function number(question: ScreenQuestion, before: QuestionAnswer | undefined, context: Context): Control {
  const { words, locale } = context
  const { minimum, maximum, decimals = 0 } = question.number ?? {}
  const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: 6, useGrouping: false })
  const input = field(context, { type: "text", inputmode: decimals ? "decimal" : "numeric", maxlength: "30" },
    before?.number ? shown.format(before.number.value ?? 0) : "")
  const bounds = {
    minimum: minimum ? shown.format(minimum.value ?? 0) : "", maximum: maximum ? shown.format(maximum.value ?? 0) : "",
  }
  const sentence = minimum && maximum ? words.numberBetween : minimum ? words.numberFrom
    : maximum ? words.numberTo : words.number
  const missing = filled(sentence, bounds)
  const unit = question.unit ? [make("span", { class: "unit", ...context.tongue("unit") }, question.unit)] : []
  return {
    element: make("div", { class: "row" }, input, ...unit), inputs: [input], missing,
    read: () => {
      if (!input.value.trim()) return undefined
      const value = numberOf(input.value, locale)
      if (value === undefined || value < (minimum?.value ?? (minimum ? 0 : -Infinity))
        || value > (maximum?.value ?? (maximum ? 0 : Infinity))) return { fault: missing }
      const places = `${value}`.split(".")[1]?.length ?? 0
      if (places > decimals) return { fault: filled(words.decimals, { count: `${decimals}` }) }
      return { answer: { number: { value } } }
    },
  }
}

/** A number as people write it: with a comma or a point, and in the digits of their language. */
export function numberOf(text: string, locale: string): number | undefined {
  const digits = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210)].reverse()
  const arabic = [..."٠١٢٣٤٥٦٧٨٩"], persian = [..."۰۱۲۳۴۵۶۷۸۹"]
  const plain = [...text.trim()].map((letter) => {
    const at = [digits, arabic, persian].map((each) => each.indexOf(letter)).find((found) => found >= 0)
    return at === undefined ? letter : `${at}`
  }).join("").replace(/[,٫]/, ".").replace("−", "-")
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined
}

/** A day in three fields, in the order of the language: nothing to scroll through, and it can be pasted and filled. */
function date(question: ScreenQuestion, before: QuestionAnswer | undefined, context: Context): Control {
  const { words, locale } = context
  const names = new Intl.DisplayNames(locale, { type: "dateTimeField" })
  const isBirth = question.kind === "QUESTION_KIND_BIRTH_DATE"
  const day = before?.date
  // The Gregorian calendar, whatever the language is used to: the contract's days are of that one.
  const order = new Intl.DateTimeFormat(`${locale}-u-ca-gregory`).formatToParts().map(({ type }) => type)
    .filter((type): type is "day" | "month" | "year" => type === "day" || type === "month" || type === "year")
  const inputs = order.map((part) => {
    const label = `${question.id}-${part}`
    const input = make("input", {
      class: "in", part: "field", inputmode: "numeric", maxlength: part === "year" ? "4" : "2", name: part,
      id: label, "data-part": part, autocomplete: isBirth ? `bday-${part}` : "off",
    })
    input.value = day?.[part] ? `${day[part]}` : ""
    make("label", { class: `field ${part}` }, make("span", {}, names.of(part) ?? part), input)
    return input
  })
  return {
    element: make("div", { class: "date" }, ...labels(inputs)), inputs, missing: words.day,
    read: () => {
      const parts = Object.fromEntries(order.map((part, at) => [part, numberOf(inputs[at]!.value, locale) ?? 0]))
      if (inputs.every((input) => !input.value.trim())) return undefined
      const date = parts as Required<CalendarDate>
      if (!exists(date)) return { fault: words.day }
      if (isBirth && Date.UTC(date.year, date.month - 1, date.day) > Date.now()) return { fault: words.dayToCome }
      return { answer: { date } }
    },
  }
}

function exists({ year, month, day }: Required<CalendarDate>): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 1000 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function time(_: ScreenQuestion, before: QuestionAnswer | undefined, context: Context): Control {
  const two = (value = 0) => `${value}`.padStart(2, "0")
  const told = before?.timeOfDay
  const input = field(context, { type: "time" }, told ? `${two(told.hour)}:${two(told.minute)}` : "")
  return {
    element: input, inputs: [input], missing: context.words.time,
    read: () => {
      const [hour, minute] = input.value.split(":").map(Number)
      return hour === undefined || minute === undefined ? undefined : { answer: { timeOfDay: { hour, minute } } }
    },
  }
}
