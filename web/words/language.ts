export interface Language<Words> {
  /** The language of the words: that of the tag, or English. */
  tag: string
  direction: "ltr" | "rtl"
  words: Words
}

/** The same words in several languages: English at once, each other one when a page needs it. */
export interface Dictionary<Words> {
  english: Language<Words>
  others: Record<string, () => Promise<{ words: Words }>>
}

export function dictionary<Words>(words: Words, others: Dictionary<Words>["others"]): Dictionary<Words> {
  return { english: { tag: "en", direction: "ltr", words }, others }
}

/** The browser's language; English where it names none: on a machine without a language, some say "C". */
export const browserLanguage = (): string => /^[a-z]{2,3}\b/.test(navigator.language) ? navigator.language : "en"

/** The words in a language by its tag (de-AT: German); in English where there are none or they cannot be fetched. */
export async function language<Words>(
  tag: string, { english, others }: Dictionary<Words>,
): Promise<Language<Words>> {
  const primary = tag.toLowerCase().split("-")[0]!
  const fetching = others[primary]?.()
  if (!fetching) return english
  const module = await fetching.catch(() => undefined)
  return module ? { tag: primary, direction: primary === "ar" ? "rtl" : "ltr", words: module.words } : english
}

/** Words in several languages, of which a page fetches those of its reader alone. */
export type Languages<Words> = Readonly<Record<string, () => Promise<{ words: Words }>>>

/** The words in a language by its tag (de-AT: German); in English where there are none or they cannot be fetched. */
export async function fetched<Words>(tag: string, languages: Languages<Words>): Promise<Language<Words>> {
  const load = async (tag: string): Promise<Language<Words>> =>
    ({ tag, direction: tag === "ar" ? "rtl" : "ltr", words: (await languages[tag]!()).words })
  const primary = tag.toLowerCase().split("-")[0]!
  return languages[primary] && primary !== "en" ? load(primary).catch(() => load("en")) : load("en")
}

/** A sentence with what belongs in its braces. */
export function filled(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
