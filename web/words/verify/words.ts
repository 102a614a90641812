import { dictionary } from "../language.js"
import { en, type VerifyWords } from "./en.js"

export type { VerifyWords }

/** What the element that checks copies says. */
export const verifying = dictionary<VerifyWords>(en, {
  ar: () => import("./ar.js"),
  de: () => import("./de.js"),
  es: () => import("./es.js"),
  fr: () => import("./fr.js"),
  ja: () => import("./ja.js"),
  zh: () => import("./zh.js"),
})
