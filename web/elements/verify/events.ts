import type { Finding } from "../../evidence/judge.js"

/** What the element tells a page. */
export interface VerifyEvents {
  /** A file was judged. */
  "assent-verified": CustomEvent<Finding>
}
