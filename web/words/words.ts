import { en, type Words } from "./en.js"
import { dictionary } from "./language.js"

export { filled, language, type Language } from "./language.js"
export type { Words }

/** What a cell for signatures says. */
export const signing = dictionary<Words>(en, {
  ar: () => import("./ar.js"),
  de: () => import("./de.js"),
  es: () => import("./es.js"),
  fr: () => import("./fr.js"),
  ja: () => import("./ja.js"),
  zh: () => import("./zh.js"),
})
