import { dictionary } from "../language.js"
import { en, type SyncWords } from "./en.js"

export type { SyncWords }

/** What the element of a sync says. */
export const syncing = dictionary<SyncWords>(en, {
  ar: () => import("./ar.js"),
  de: () => import("./de.js"),
  es: () => import("./es.js"),
  fr: () => import("./fr.js"),
  ja: () => import("./ja.js"),
  zh: () => import("./zh.js"),
})
