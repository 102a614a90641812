import { dictionary } from "../language.js"
import { en, type AccountWords } from "./en.js"

export type { AccountWords }

/** What the element of accounts says. */
export const accounts = dictionary<AccountWords>(en, {
  ar: () => import("./ar.js"),
  de: () => import("./de.js"),
  es: () => import("./es.js"),
  fr: () => import("./fr.js"),
  ja: () => import("./ja.js"),
  zh: () => import("./zh.js"),
})
