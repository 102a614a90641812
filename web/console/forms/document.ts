import type { FormWords } from "../../words/forms/words.js"
import { check, inTexts, line, type Part } from "./part.js"
import type { Message } from "./spot.js"

/** What there is in a document beside its sections: each topic is one form over its settings and texts. */
export type Topic = keyof FormWords["topics"] & (
  "document" | "purposes" | "signatures" | "questions" | "sharing" | "age" | "time" | "ethics" | "receipts")

const isKind = (...kinds: string[]) => ({ kind }: Message) => kinds.includes(String(kind).replace("QUESTION_KIND_", ""))

export const topics: Readonly<Record<Topic, readonly Part[]>> = {
  document: [
    ...inTexts(line("title"), { key: "reviewText", kind: "text" },
      { key: "reasonForConsent", kind: "text", help: "reasonForConsent" }, line("signaturePageTitle"),
      { key: "signaturePageContent", kind: "text" }),
    ...inTexts({ key: "file", kind: "group", parts: inTexts({
      key: "asset", kind: "asset", label: "file", help: "file", accept: "application/pdf" }) }),
    check("withoutScrollGate"), check("recap"), check("namesOnPages"),
  ],
  purposes: [{
    key: "purposes", kind: "items", id: "code", texts: ["purposes", "purposeCode"], fresh: () => ({ code: "purpose" }),
    help: "purposes", parts: [
      line("code", { help: "code" }), check("optional", { label: "optionalPurpose", help: "optionalPurpose" }),
      ...inTexts(line("title", { label: "purposeTitle" }), { key: "description", kind: "text" },
        { key: "dataCategories", kind: "lines" }, { key: "recipients", kind: "lines" }, line("retention")),
    ],
  }],
  signatures: [
    {
      key: "signatures", kind: "items", id: "id", texts: ["signatures", "signatureId"],
      fresh: () => ({
        id: "signature", role: "SIGNER_ROLE_PARTICIPANT", order: 1, requiresName: true, requiresImage: true }), parts: [
        { key: "role", kind: "choice", prefix: "SIGNER_ROLE_",
          values: ["participant", "guardian", "witness", "investigator"] },
        ...inTexts(line("title", { label: "signerTitle" }), { key: "meaning", kind: "text", help: "meaning" }),
        { key: "order", kind: "whole", help: "order" }, check("requiresName"), check("requiresImage"),
        check("refusesTyped", { when: ({ requiresImage }) => !!requiresImage }),
        check("allowsUploaded", { when: ({ requiresImage }) => !!requiresImage }),
        check("initials"), check("requiresReauthentication", { help: "requiresReauthentication" }),
        check("allowsReused", { when: ({ requiresReauthentication }) => !!requiresReauthentication }),
      ],
    },
    check("signersMayCoincide"),
    { key: "inForceFrom", kind: "choice", prefix: "IN_FORCE_FROM_",
      values: ["participant_signature", "last_signature"] },
    { key: "signaturesWithinDays", kind: "whole", help: "never" },
  ],
  questions: [
    {
      key: "comprehension", kind: "group", parts: [
        {
          key: "questions", kind: "items", id: "id", texts: ["questions", "questionId"],
          fresh: () => ({ id: "question", kind: "QUESTION_KIND_SINGLE" }), parts: [
            { key: "kind", kind: "choice", label: "questionKind", prefix: "QUESTION_KIND_",
              values: ["single", "multiple", "boolean", "text"] },
            ...inTexts({ key: "prompt", kind: "text" }, { key: "detail", kind: "text" }),
            {
              key: "choices", kind: "items", id: "id", texts: ["choices", "choiceId"],
              fresh: () => ({ id: "choice" }), when: isKind("SINGLE", "MULTIPLE"),
              parts: [...inTexts(line("text", { label: "choiceText" })), check("correct")],
            },
            { key: "acceptedAnswers", kind: "lines", when: isKind("TEXT") },
            { key: "rightAnswer", kind: "choice", prefix: "BOOLEAN_ANSWER_", values: ["unspecified", "yes", "no"],
              when: isKind("BOOLEAN") },
            check("onCopy"),
          ],
        },
        { key: "passMark", kind: "whole", help: "passMark" }, { key: "attempts", kind: "whole", help: "attempts" },
        { key: "afterFailedAttempt", kind: "choice", prefix: "AFTER_FAILED_ATTEMPT_",
          values: ["retry", "restudy", "end"] },
        { key: "renewedAfter", kind: "days", help: "never" },
        { key: "renewedBy", kind: "choice", prefix: "ATTEMPT_RENEWAL_",
          values: [["unspecified", "staff"], "investigator", "nobody"] },
      ],
    },
    ...inTexts({ key: "failedText", kind: "text" }),
  ],
  sharing: [
    check("offersSharing"),
    ...inTexts({
      key: "sharing", kind: "group", when: ({ offersSharing }) => !!offersSharing,
      parts: inTexts(line("investigatorShort"), line("investigatorLong"), { key: "learnMoreHtml", kind: "text" }),
    }),
  ],
  age: [
    { key: "age", kind: "group", parts: [
      { key: "minimumAge", kind: "whole", help: "minimumAge" },
      { key: "majorityAge", kind: "whole", help: "majorityAge" },
      { key: "assentAge", kind: "whole", help: "assentAge" }] },
    ...inTexts({ key: "guardianAuthority", kind: "text" }),
  ],
  time: [
    { key: "validity", kind: "group", parts: [
      { key: "offeredFrom", kind: "day" }, { key: "offeredUntil", kind: "day" },
      { key: "lastsDays", kind: "whole", help: "never" }] },
    { key: "reconsent", kind: "choice", prefix: "RECONSENT_POLICY_",
      values: ["unspecified", "no_action", "notify", "by_date"] },
    { key: "reconsentBy", kind: "day", when: ({ reconsent }) => reconsent === "RECONSENT_POLICY_BY_DATE" },
    { key: "declineEffect", kind: "choice", prefix: "DECLINE_EFFECT_",
      values: [["unspecified", "byPolicy"], "keeps", "ends"] },
  ],
  ethics: [{ key: "ethics", kind: "group", parts: [
    line("number"), line("committee"), { key: "validFrom", kind: "day" }, { key: "validUntil", kind: "day" }] }],
  receipts: [
    { key: "controller", kind: "group", parts: [
      line("name"), line("address"), line("email"), line("phone"), line("url"), line("contact")] },
    ...inTexts({ key: "rights", kind: "lines", help: "rights" }, { key: "withdrawal", kind: "text" }),
    line("withdrawalUrl"),
  ],
}

/** The three ways in which a section can be written. */
export const bodies = ["markdownContent", "htmlContent", "content"] as const
export type Body = typeof bodies[number]

/** The way in which a section is written; undefined where it says nothing yet. */
export function bodyOf(text: Message): Body | undefined {
  return bodies.find((each) => text[each])
}

/** The texts of a section, written in this way. */
export function sectionParts(text: Message, body: Body = bodyOf(text) ?? "markdownContent"): Part[] {
  const markup = body === "htmlContent" ? "html" : body === "markdownContent" ? "markdown" : undefined
  return [
    ...inTexts(line("title", { label: "sectionTitle" }), line("formalTitle"), line("summary"),
      { key: body, kind: "text", ...markup ? { markup } : {} }),
    { key: "imageAsset", kind: "asset", help: "imageAsset", accept: "image/png,image/jpeg,image/svg+xml,image/webp" },
    ...inTexts(line("imageAlt"), line("learnMoreTitle")),
    check("omitFromDocument"),
  ]
}

/** The topic that a problem belongs to, by the field that has it; undefined for those of sections, and of the whole. */
export function topicOf(field: string): Topic | undefined {
  const [, text, name = ""] = /^(?:settings|(texts\[[^\]]*\]))\.([a-z_]+)/.exec(field) ?? []
  const key = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return (Object.keys(topics) as Topic[]).find((topic) =>
    topics[topic].some((part) => keys(part, !!text).includes(key)))
}

/** The fields of a part at the top of the settings, or of the texts. */
function keys(part: Part, ofTexts: boolean): string[] {
  const own = !!part.isText === ofTexts ? [part.key] : []
  return ofTexts ? [...own, ...lists(part)] : own
}

function lists({ texts, parts = [] }: Part): string[] {
  return [...texts ? [texts[0]] : [], ...parts.flatMap((part) => part.texts ? [part.texts[0]] : [])]
}
