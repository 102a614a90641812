import type { FormWords } from "../../words/forms/words.js"
import { filled } from "../../words/language.js"
import type { Part } from "./part.js"
import { at, entries, entry, nameOf, within, type Spot } from "./spot.js"

/** A text that there is in every language. */
export interface Leaf {
  /** What it belongs to, such as "Purpose 1". */
  readonly where: string
  readonly label: string
  readonly part: Part
  readonly source: Spot
  readonly target: Spot
}

/** Where texts stand in two languages, and what does not depend on the language. */
export interface Pair {
  readonly spot: Spot
  readonly source: Spot
  readonly target: Spot
}

/** The texts of a form, one after the other, as they stand in two languages. */
export function leaves(words: FormWords, parts: readonly Part[], pair: Pair, where: string): Leaf[] {
  const { spot, source, target } = pair
  return parts.filter(({ when }) => !when || when(spot.get())).flatMap((part): Leaf[] => {
    const { key } = part
    if (part.kind === "group") {
      const inner = { ...pair, spot: within(part.isText ? source : spot, key) }
      if (part.isText) Object.assign(inner, { source: within(source, key), target: within(target, key) })
      return leaves(words, part.parts ?? [], inner, where)
    }
    if (part.kind === "items") {
      const [list, id] = part.texts ?? []
      if (!list || !id || !part.id) return []
      return entries(spot, key).flatMap((each, index) => {
        const name = nameOf(each, part.id!)
        return leaves(words, part.parts ?? [], {
          spot: entry(spot, key, part.id!, name), source: entry(source, list, id, name),
          target: entry(target, list, id, name),
        }, filled(words.items[key as keyof FormWords["items"]], { number: String(index + 1) }))
      })
    }
    const label = words.fields[part.label ?? key as keyof FormWords["fields"]]
    // A file is chosen, and not translated.
    return part.isText && part.kind !== "asset" ? [{ where, label, part, source, target }] : []
  })
}

/** What stands there, as text. */
export function said({ get }: Spot, { key }: Part): string {
  const value = get()[key]
  return Array.isArray(value) ? value.join("\n") : String(value ?? "")
}

export function pathOf(spot: Spot, { key }: Part): string {
  return at(spot.path, key)
}
