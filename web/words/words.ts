import { en, type Words } from "./en.js"

export type { Words }

/** The languages beside English. Each is fetched when a page needs it. */
const others: Record<string, () => Promise<{ words: Words }>> = {
  ar: () => import("./ar.js"),
  de: () => import("./de.js"),
  es: () => import("./es.js"),
  fr: () => import("./fr.js"),
  ja: () => import("./ja.js"),
  zh: () => import("./zh.js"),
}

export interface Language {
  /** The language of the words: that of the tag, or English. */
  tag: string
  direction: "ltr" | "rtl"
  words: Words
}

export const english: Language = { tag: "en", direction: "ltr", words: en }

/** The words in a language by its tag (de-AT: German); in English where there are none or they cannot be fetched. */
export async function language(tag: string): Promise<Language> {
  const primary = tag.toLowerCase().split("-")[0]!
  const fetching = others[primary]?.()
  if (!fetching) return english
  const module = await fetching.catch(() => undefined)
  return module ? { tag: primary, direction: primary === "ar" ? "rtl" : "ltr", words: module.words } : english
}

/** A sentence with what belongs in its braces. */
export function filled(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
