import type { FormWords } from "../../words/forms/words.js"
import { languageName } from "../parts/marks.js"
import { bodies, sectionParts, topicOf, topics } from "./document.js"
import type { Part } from "./part.js"

/** A field as whoever writes a document knows it. */
export interface Named {
  /** Its label; that of the nearest thing around it where no form shows it. */
  readonly label: string
  /** Which entry of a list, and which language, it belongs to. */
  readonly of: readonly string[]
  /** Where it is found. */
  readonly topic: string
}

/** The label of a field that a problem names, such as "texts[en].purposes[walking].title". */
export function labelOf(field: string, words: FormWords, locale: string): Named | undefined {
  const steps = [...field.matchAll(/([a-z_]+)(?:\[([^\]]*)\])?/g)].map(([, name = "", entry]) =>
    ({ key: name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), entry }))
  const first = steps.shift()
  const isSection = steps[0]?.key === "sections"
  const topic = isSection ? "sections" : topicOf(field)
  const language = first?.entry && languageName(first.entry, locale)
  if (!topic) return language ? { label: language, of: [], topic: words.topics.document } : undefined
  const of = [...steps.map(({ entry }) => entry), language].flatMap((each) => each ? [each] : [])
  let parts: readonly Part[] = isSection ? bodies.flatMap((body) => sectionParts({}, body)) : topics[topic as never]
  let label = words.topics[topic]
  for (const { key } of isSection ? steps.slice(1) : steps) {
    const part = find(parts, key)
    if (!part) break
    label = words.fields[(part.label ?? part.key) as keyof FormWords["fields"]] ?? label
    parts = part.parts ?? []
  }
  return { label, of, topic: words.topics[topic] }
}

/** The part of this name, also in a group whose texts stand beside it. */
function find(parts: readonly Part[], key: string): Part | undefined {
  for (const part of parts) {
    const found = part.key === key || part.texts?.[0] === key ? part
      : part.kind === "group" ? find(part.parts ?? [], key) : undefined
    if (found) return found
  }
  return undefined
}
