import type { AccountAction, ItemOutcome } from "../../../clients/typescript/src/contract/account_v1.js"

export interface ItemsListed {
  /** How many are shown. */
  count: number
  /** There are more on the server. */
  hasMore: boolean
}

export interface ItemDecided {
  action: AccountAction
  /** What the server has made of the item. */
  outcome: ItemOutcome
}

export interface SyncAct {
  /** What the page does: TRY_AGAIN, or RETURN_TO_SIGN_IN. */
  action: AccountAction
  /** Who has to sign in; empty where it is nobody in particular. */
  personId: string
}

export interface SyncTrouble {
  kind: "away" | "broken"
  problem: unknown
}

export interface SyncEvents {
  "assent-sync-items": CustomEvent<ItemsListed>
  "assent-sync-item": CustomEvent<ItemDecided>
  "assent-sync-act": CustomEvent<SyncAct>
  "assent-sync-error": CustomEvent<SyncTrouble>
}
