import type { AnswerCondition, StepCondition } from "../../../clients/typescript/src/contract/consent_v1.js"
import type { FormWords } from "../../words/forms/words.js"
import { filled } from "../../words/language.js"
import type { Surroundings } from "./flow.js"

/** When a step is shown, as a sentence. */
export function conditionInWords(condition: StepCondition | undefined, around: Surroundings, words: FormWords,
  locale: string): string {
  const { conditions } = words
  const { answers = [], age = {}, siteIds = [] } = condition ?? {}
  const or = (list: readonly string[]) => new Intl.ListFormat(locale, { type: "disjunction" }).format(list)
  const all = [
    ...answers.map((answer) => answerInWords(answer, around, words, or)),
    ...age.fromAge ? [filled(conditions.fromAge, { age: String(age.fromAge) })] : [],
    ...age.belowAge ? [filled(conditions.belowAge, { age: String(age.belowAge) })] : [],
    ...siteIds.length > 0 ? [filled(conditions.atSites, {
      sites: or(siteIds.map((id) => around.sites.find(([each]) => each === id)?.[1] ?? id)) })] : [],
  ]
  if (all.length === 0) return conditions.always
  return filled(conditions.when, { all: new Intl.ListFormat(locale, { type: "conjunction" }).format(all) })
}

function answerInWords(answer: AnswerCondition, { before }: Surroundings, { conditions, options }: FormWords,
  or: (list: readonly string[]) => string): string {
  const { stepId, questionId = "", choiceIds = [], boolean, atLeast, atMost, negated } = answer
  const asked = before.find(({ id }) => id === stepId)?.questions.find(({ id }) => id === questionId)
  const bounds = [
    ...atLeast ? [filled(conditions.atLeast, { number: String(atLeast.value ?? 0) })] : [],
    ...atMost ? [filled(conditions.atMost, { number: String(atMost.value ?? 0) })] : []]
  const answers = choiceIds.length > 0
    ? or(choiceIds.map((id) => asked?.choices.find(([each]) => each === id)?.[1] ?? id))
    : boolean === "BOOLEAN_ANSWER_YES" ? options.yes : boolean === "BOOLEAN_ANSWER_NO" ? options.no : bounds.join(", ")
  return filled(negated ? conditions.notAnswered : conditions.answered, {
    question: asked?.title || questionId, answers: answers || "…" })
}
