import type { Languages } from "../language.js"
import type { FormWords } from "./en.js"

export type { FormWords }

/** What forms over documents and flows say. */
export const formWords: Languages<FormWords> = {
  ar: () => import("./ar.js"),
  de: () => import("./de.js"),
  en: () => import("./en.js"),
  es: () => import("./es.js"),
  fr: () => import("./fr.js"),
  ja: () => import("./ja.js"),
  zh: () => import("./zh.js"),
}
