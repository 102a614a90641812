import { dictionary } from "../language.js"
import { en, type FormWords } from "./en.js"

export type { FormWords }

/** What forms over documents and flows say. */
export const formWords = dictionary<FormWords>(en, {
  ar: () => import("./ar.js"),
  de: () => import("./de.js"),
  es: () => import("./es.js"),
  fr: () => import("./fr.js"),
  ja: () => import("./ja.js"),
  zh: () => import("./zh.js"),
})
