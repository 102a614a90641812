import type { ConsentScreen, QuestionAnswer } from "../../../../clients/typescript/src/contract/consent_v1.js"
import { filled } from "../../../words/language.js"
import { make } from "../../dom.js"
import type { Host } from "../host.js"
import { tongue } from "../texts.js"
import { controls, type Control } from "./answers.js"
import { Fault } from "./fault.js"

/** The questions of a screen, with what was answered to them. */
export class Asked {
  private readonly all: { question: NonNullable<ConsentScreen["questions"]>[number], control: Control, fault: Fault }[]
  readonly elements: HTMLElement[]

  constructor(screen: ConsentScreen, private readonly host: Host) {
    const { words, locale } = host
    this.all = (screen.questions ?? []).flatMap((question) => {
      const ask = question.kind && controls[question.kind]
      if (!ask) return []
      const before = screen.entries?.answers?.find(({ questionId }) => questionId === question.id)
      const control = ask(question, before, {
        words, locale, labelledBy: `q-${question.id}`,
        tongue: (part) => tongue(screen, `questions[${question.id}].${part}`),
      })
      return [{ question, control, fault: new Fault(() => control.inputs) }]
    })
    this.elements = this.all.map(({ question, control, fault }) => {
      const at = `questions[${question.id}]`
      const mark = question.optional ? [make("span", { class: "dim" }, ` (${words.optional})`)] : []
      const detail = question.detail
        ? [make("span", { class: "help", ...tongue(screen, `${at}.detail`) }, question.detail)] : []
      const prompt = make("span", { id: `q-${question.id}`, ...tongue(screen, `${at}.prompt`) }, question.prompt ?? "")
      const box = make("fieldset", { part: "question" }, make("legend", {}, prompt, ...mark, ...detail),
        control.element, fault.element)
      box.addEventListener("input", () => {
        fault.say(undefined)
        host.changed()
      })
      return box
    })
  }

  /** Why the screen cannot go on; undefined when all is answered. */
  waits(): string | undefined {
    const { words, locale } = this.host
    const count = this.all.filter(({ question, control }) => !question.optional && !control.read()).length
    return count ? filled(words.answersMissing, { count: new Intl.NumberFormat(locale).format(count) }) : undefined
  }

  /** Says what is wrong or missing, and leads to the first of it; whether there is any. */
  point(): boolean {
    const wrong = this.all.filter(({ question, control, fault }) => {
      const read = control.read()
      const sentence = read && "fault" in read ? read.fault : !read && !question.optional ? control.missing : undefined
      fault.say(sentence)
      return !!sentence
    })
    wrong[0]?.control.inputs[0]?.focus()
    return wrong.length > 0
  }

  /** The answers; undefined when one is wrong or missing, which is said. */
  answers(): QuestionAnswer[] | undefined {
    if (this.point()) return undefined
    return this.all.flatMap(({ question, control }): QuestionAnswer[] => {
      const read = control.read()
      return read && "answer" in read ? [{ questionId: question.id!, ...read.answer }] : []
    })
  }

  /** Says why an answer was refused, at the one for a birth date if there is one. */
  refused(sentence: string): boolean {
    const birth = this.all.find(({ question }) => question.kind === "QUESTION_KIND_BIRTH_DATE") ?? this.all[0]
    birth?.fault.say(sentence)
    birth?.control.inputs[0]?.focus()
    return !!birth
  }
}
