import { dictionary } from "../language.js"
import { en, type SessionWords } from "./en.js"

export type { SessionWords }

/** What the screens of a session say beside the server's words. */
export const session = dictionary<SessionWords>(en, {
  ar: () => import("./ar.js"),
  de: () => import("./de.js"),
  es: () => import("./es.js"),
  fr: () => import("./fr.js"),
  ja: () => import("./ja.js"),
  zh: () => import("./zh.js"),
})
