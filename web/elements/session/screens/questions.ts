import type { QuestionAnswer } from "../../../../clients/typescript/src/contract/consent_v1.js"
import { filled } from "../../../words/language.js"
import { make } from "../../dom.js"
import type { ShowBody } from "../host.js"
import { heading, learnMore, paragraphs, tongue } from "../texts.js"
import { controls, type Control } from "./answers.js"
import { Fault } from "./fault.js"
import { remark } from "./remark.js"

/** Questions of all kinds. A wrong answer to one is for the explanation to do better: its notice says so. */
export const showQuestions: ShowBody = (screen, host) => {
  const { words, locale } = host
  const notices = make("div", {}, ...remark(screen.entries?.notice))
  const asked = (screen.questions ?? []).flatMap((question) => {
    const make = question.kind && controls[question.kind]
    if (!make) return []
    const at = `questions[${question.id}]`
    const before = screen.entries?.answers?.find(({ questionId }) => questionId === question.id)
    const labelledBy = `q-${question.id}`
    const control = make(question, before, {
      words, locale, labelledBy, tongue: (part) => tongue(screen, `${at}.${part}`),
    })
    const fault = new Fault(() => control.inputs)
    return [{ question, control, fault, element: fieldset(question.id!, control, fault) }]
  })

  function fieldset(id: string, control: Control, fault: Fault): HTMLElement {
    const question = screen.questions!.find((each) => each.id === id)!, at = `questions[${id}]`
    const mark = question.optional ? [make("span", { class: "dim" }, ` (${words.optional})`)] : []
    const detail = question.detail
      ? [make("span", { class: "help", ...tongue(screen, `${at}.detail`) }, question.detail)] : []
    const prompt = make("span", { id: `q-${id}`, ...tongue(screen, `${at}.prompt`) }, question.prompt ?? "")
    const box = make("fieldset", { part: "question" }, make("legend", {}, prompt, ...mark, ...detail), control.element,
      fault.element)
    box.addEventListener("input", () => {
      fault.say(undefined)
      host.changed()
    })
    return box
  }

  const missing = () => asked.filter(({ question, control }) => !question.optional && !control.read())
  const point = () => {
    const wrong = asked.map((each) => {
      const read = each.control.read()
      const sentence = read && "fault" in read ? read.fault
        : !read && !each.question.optional ? each.control.missing : undefined
      each.fault.say(sentence)
      return sentence ? each : undefined
    }).find((each) => each)
    wrong?.control.inputs[0]?.focus()
    return !!wrong
  }
  return {
    content: [heading(screen), notices, ...paragraphs(screen), ...asked.map(({ element }) => element),
      ...learnMore(screen, host)],
    waits: () => {
      const count = missing().length
      return count ? filled(words.answersMissing, { count: new Intl.NumberFormat(locale).format(count) }) : undefined
    },
    point,
    given: () => {
      if (point()) return undefined
      const answers = asked.flatMap(({ question, control }): QuestionAnswer[] => {
        const read = control.read()
        return read && "answer" in read ? [{ questionId: question.id!, ...read.answer }] : []
      })
      return { answers }
    },
    update: ({ entries }) => {
      notices.replaceChildren(...remark(entries?.notice))
      if (entries?.notice) host.say(entries.notice)
    },
    refused: (rule) => {
      const birth = asked.find(({ question }) => question.kind === "QUESTION_KIND_BIRTH_DATE") ?? asked[0]
      birth?.fault.say(rule.startsWith("birth_date_") && rule !== "birth_date_out_of_bounds"
        ? words.birthDateOther : words.notTaken)
      birth?.control.inputs[0]?.focus()
      return !!birth
    },
  }
}
