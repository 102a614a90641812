import type { AccountAction, AccountViewKind } from "../../../clients/typescript/src/contract/account_v1.js"
import type { Person } from "../../device/person.js"

export interface ViewShown {
  kind: AccountViewKind
}

export interface SignedIn {
  person: Person
}

export interface AccountAct {
  /** What the page does: an action of a sync, or DONE. */
  action: AccountAction
  /** For SIGN_IN_WITH_IDENTITY: the issuer that signs the person in. */
  issuer?: string
}

export interface AccountTrouble {
  kind: "away" | "wiped" | "broken"
  problem: unknown
}

export interface AccountEvents {
  "assent-account-view": CustomEvent<ViewShown>
  "assent-signed-in": CustomEvent<SignedIn>
  "assent-account-act": CustomEvent<AccountAct>
  "assent-account-error": CustomEvent<AccountTrouble>
}
