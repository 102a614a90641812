import { dictionary } from "../language.js"
import { en, type Words } from "./en.js"

export type { Words }

/** What the console says. */
export const consoleWords = dictionary<Words>(en, {
  ar: () => import("./ar.js"),
  de: () => import("./de.js"),
  es: () => import("./es.js"),
  fr: () => import("./fr.js"),
  ja: () => import("./ja.js"),
  zh: () => import("./zh.js"),
})
