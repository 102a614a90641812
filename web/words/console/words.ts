import type { Languages } from "../language.js"
import type { Words } from "./en.js"

export type { Words }

/** What the console says. */
export const consoleWords: Languages<Words> = {
  ar: () => import("./ar.js"),
  de: () => import("./de.js"),
  en: () => import("./en.js"),
  es: () => import("./es.js"),
  fr: () => import("./fr.js"),
  ja: () => import("./ja.js"),
  zh: () => import("./zh.js"),
}
