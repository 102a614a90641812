import type { FormWords } from "../../words/forms/words.js"
import { check, inTexts, line, type Option, type Part } from "./part.js"
import type { Message } from "./spot.js"

/** What a step can be. */
export const kinds = ["instruction", "form", "question", "visual", "sharing", "review", "completion"] as const
export type StepKind = typeof kinds[number]

/** What steps can name. */
export interface Surroundings {
  readonly documents: readonly Option[]
  readonly sites: readonly Option[]
  readonly sectionsOf: (documentId: string) => readonly Option[]
  /** Earlier steps of questions of the flow's own, with those questions that conditions can name. */
  readonly before: readonly { readonly id: string, readonly title: string, readonly questions: readonly Asked[] }[]
}

/** A question of an earlier step. */
export interface Asked {
  readonly id: string
  readonly title: string
  readonly kind: string
  readonly choices: readonly Option[]
}

const isKind = (...wanted: string[]) => ({ kind }: Message) =>
  wanted.includes(String(kind).replace("QUESTION_KIND_", ""))

export function kindOf(step: Message): StepKind | undefined {
  return kinds.find((kind) => step[kind] !== undefined)
}

/** What a new step begins with. */
export function fresh(kind: StepKind, { documents }: Surroundings): Message {
  const documentId = documents[0]?.[0] ?? ""
  switch (kind) {
    case "form": return {
      arrangement: "FORM_ARRANGEMENT_SINGLE", condition: "FORM_CONDITION_OPTIONAL", pages: [{}] }
    case "visual": case "sharing": case "review": return { documentId }
    default: return {}
  }
}

/** The form of a step. */
export function stepParts(kind: StepKind, around: Surroundings, words: FormWords): Part[] {
  const document: Part = { key: "documentId", kind: "choice", options: () => around.documents }
  const worded = (key: string, more: Partial<Part> = {}): Part => ({ key, kind: "words", ...more })
  const long = (key: string, more: Partial<Part> = {}): Part => ({ key, kind: "longWords", ...more })
  const parts: Record<StepKind, Part[]> = {
    instruction: [worded("title"), long("text"), long("learnMoreHtml")],
    form: [
      { key: "arrangement", kind: "choice", prefix: "FORM_ARRANGEMENT_", values: [["single", "one"], "sequential"] },
      { key: "condition", kind: "choice", prefix: "FORM_CONDITION_", values: ["optional", "mandatory"] },
      line("purpose", { help: "formPurpose" }),
      { key: "pages", kind: "items", fresh: () => ({}), parts: [
        worded("title"), long("body"), long("learnMoreHtml"), worded("learnMoreTitle")] },
    ],
    question: [
      { ...document, options: () => [["", words.options.ownQuestions], ...around.documents] },
      worded("title"), check("together"),
      { key: "questions", kind: "items", id: "definition.id", when: ({ documentId }) => !documentId,
        fresh: () => ({ definition: { id: "question", kind: "QUESTION_KIND_SINGLE" } }), parts: question() },
    ],
    visual: [document, { key: "sectionIds", kind: "some",
      options: ({ documentId }) => around.sectionsOf(String(documentId ?? "")) }],
    sharing: [document],
    review: [document, check("optional", { label: "goesOn" })],
    completion: [
      worded("title", { label: "endTitle" }), long("text", { label: "endText" }), long("declinedText"),
      worded("contact", { label: "endContact", help: "contact" })],
  }
  return [{ key: kind, kind: "group", isKept: true, parts: parts[kind] }]
}

/** A question that stands in a flow: its definition, and its words beside it. */
function question(): Part[] {
  const isNumber = isKind("NUMBER"), isScale = isKind("SCALE")
  const of = (test: (message: Message) => boolean) => ({ definition }: Message) => test(definition as Message ?? {})
  return [
    {
      key: "definition", kind: "group", hasOwnTexts: true, parts: [
        { key: "kind", kind: "choice", label: "questionKind", prefix: "QUESTION_KIND_",
          values: ["single", "multiple", "boolean", "text", "number", "scale", "date", "time_of_day", "birth_date"] },
        ...inTexts({ key: "prompt", kind: "longWords" }, { key: "detail", kind: "longWords" }),
        check("optional", { label: "optionalQuestion" }), check("onCopy"),
        { key: "choices", kind: "items", id: "id", texts: ["choices", "choiceId"], fresh: () => ({ id: "choice" }),
          when: isKind("SINGLE", "MULTIPLE"), parts: inTexts({ key: "text", kind: "words", label: "choiceText" }) },
        { key: "number", kind: "group", when: isNumber, parts: [
          { key: "minimum", kind: "bound" }, { key: "maximum", kind: "bound" }, { key: "decimals", kind: "whole" }] },
        { key: "scale", kind: "group", when: isScale, parts: [
          { key: "minimum", kind: "whole" }, { key: "maximum", kind: "whole" }, { key: "step", kind: "whole" }] },
      ],
    },
    { key: "unit", kind: "words", when: of(isNumber) }, { key: "minimumLabel", kind: "words", when: of(isScale) },
    { key: "maximumLabel", kind: "words", when: of(isScale) },
  ]
}

/** When a step is shown. */
export function conditionParts(around: Surroundings): Part[] {
  const sites: Part[] = [{ key: "siteIds", kind: "some", options: () => around.sites }]
  const age: Part = {
    key: "age", kind: "group", parts: [{ key: "fromAge", kind: "whole" }, { key: "belowAge", kind: "whole" }] }
  return [{ key: "condition", kind: "group", parts: [
    ...around.sites.length > 0 ? sites : [], age, ...around.before[0] ? [answers(around)] : []] }]
}

/** What was answered before. */
function answers({ before }: Surroundings): Part {
  const questions = ({ stepId }: Message) => before.find(({ id }) => id === stepId)?.questions ?? []
  const asked = (message: Message) => questions(message).find(({ id }) => id === message["questionId"])
  const isOf = (...wanted: string[]) => (message: Message) => wanted.includes(asked(message)?.kind ?? "")
  const named = ({ id, title }: { readonly id: string, readonly title: string }): Option => [id, title]
  const [first] = before
  return {
    key: "answers", kind: "items",
    fresh: () => ({ stepId: first?.id ?? "", questionId: first?.questions[0]?.id ?? "" }), parts: [
      { key: "stepId", kind: "choice", options: () => before.map(named) },
      { key: "questionId", kind: "choice", options: (message) => questions(message).map(named) },
      { key: "choiceIds", kind: "some", when: isOf("SINGLE", "MULTIPLE"),
        options: (message) => asked(message)?.choices ?? [] },
      { key: "boolean", kind: "choice", prefix: "BOOLEAN_ANSWER_", values: ["unspecified", "yes", "no"],
        when: isOf("BOOLEAN") },
      { key: "atLeast", kind: "bound", when: isOf("NUMBER", "SCALE") },
      { key: "atMost", kind: "bound", when: isOf("NUMBER", "SCALE") }, check("negated"),
    ],
  }
}

/** What belongs to no step. */
export function flowParts({ documents }: Surroundings): Part[] {
  return [
    line("defaultLocale"), { key: "sessionLifetime", kind: "days", help: "sessionLifetime" },
    { key: "documents", kind: "items", fresh: () => ({ documentId: documents[0]?.[0] ?? "" }), parts: [
      { key: "documentId", kind: "choice", options: () => documents },
      { key: "version", kind: "whole", help: "version" }] },
  ]
}
