import type { ItemName, QueueItem } from "../../clients/typescript/src/contract/account_v1.js"
import { queuedRequest } from "../../clients/typescript/src/binary.js"
import { uuid7 } from "./uuid.js"

export const sessions = "assent.consent.v1.SessionService", signatures = "assent.signature.v1.SignatureService"

/** Something that somebody did, as it goes into the queue. */
export function item(personId: string, method: string, request: object, after?: ItemName): QueueItem {
  return {
    itemId: uuid7(), personId, method, request: queuedRequest(method, request), deviceTime: new Date().toISOString(),
    ...after ? { after } : {},
  }
}
