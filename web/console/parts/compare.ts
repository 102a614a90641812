import type { DocumentContent } from "../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../../elements/dom.js"
import { fragment } from "../../elements/session/markup.js"

/** Longer texts are compared as a whole: nobody waits for a comparison. */
const mostWords = 2000
const names = [
  "id", "locale", "sectionId", "signatureId", "purposeCode", "questionId", "choiceId", "code", "documentId"]

/** What has become of a text, word by word. */
export function compared(before: string, after: string, locale = "en"): (Node | string)[] {
  const [old, now] = [before, after].map((text) =>
    [...new Intl.Segmenter(locale, { granularity: "word" }).segment(text)].map(({ segment }) => segment)) as
    [string[], string[]]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const pieces = steps(old.slice(start, old.length - end), now.slice(start, now.length - end))
  const joined: (Node | string)[] = [old.slice(0, start).join("")]
  for (const { kind, text } of pieces) joined.push(kind === "same" ? text : make(kind, {}, text))
  return [...joined, end > 0 ? old.slice(-end).join("") : ""].filter((each) => each !== "")
}

interface Piece {
  readonly kind: "same" | "del" | "ins"
  readonly text: string
}

/** By the longest words in common that keep their order; words of a kind that follow each other are one piece. */
function steps(old: readonly string[], now: readonly string[]): Piece[] {
  if (old.length > mostWords || now.length > mostWords) return [
    { kind: "del", text: old.join("") }, { kind: "ins", text: now.join("") }]
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  for (let one = old.length - 1; one >= 0; one -= 1) {
    for (let other = now.length - 1; other >= 0; other -= 1) {
      common[one * width + other] = old[one] === now[other] ? common[(one + 1) * width + other + 1]! + 1
        : Math.max(common[(one + 1) * width + other]!, common[one * width + other + 1]!)
    }
  }
  const found: { kind: Piece["kind"], text: string }[] = []
  const add = (kind: Piece["kind"], text: string) => {
    const last = found.at(-1)
    if (last?.kind === kind) last.text += text
    else found.push({ kind, text })
  }
  let one = 0, other = 0
  while (one < old.length || other < now.length) {
    if (one < old.length && other < now.length && old[one] === now[other]) {
      add("same", old[one]!)
      one += 1
      other += 1
    } else if (other >= now.length || (one < old.length
      && common[(one + 1) * width + other]! >= common[one * width + other + 1]!)) {
      add("del", old[one]!)
      one += 1
    } else {
      add("ins", now[other]!)
      other += 1
    }
  }
  return found
}

/** What markup says, without its marks. */
export function plain(markup: string): string {
  return [...fragment(markup, (image) => image.remove()).childNodes].map(({ textContent }) => textContent).join("\n")
}

/** What stands in a content at a path such as "texts[de].sections[privacy].summary", in words. */
export function textAt(content: DocumentContent, path: string): string | undefined {
  let value: unknown = content
  for (const [, key = "", name] of path.matchAll(/([a-z_]+)(?:\[([^\]]*)\])?/g)) {
    value = (value as Record<string, unknown> | undefined)?.[key.replace(/_([a-z])/g, (_, letter: string) =>
      letter.toUpperCase())]
    if (name === undefined) continue
    const list = value as Record<string, unknown>[] | undefined
    value = list?.find((each) => names.some((of) => each[of] === name)) ?? list?.[Number(name)]
  }
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join("\n")
  if (typeof value === "object") return undefined
  return /html_(review_)?content$|_html$/.test(path) ? plain(String(value)) : String(value)
}
