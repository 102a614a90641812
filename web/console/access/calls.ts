import { Client } from "../../../clients/typescript/src/client.js"
import { newIdempotencyKey } from "../../../clients/typescript/src/idempotency-key.js"
import type { UnaryMethod } from "../../../clients/typescript/src/method.js"
import type { Access } from "../../session/server.js"
import { StatusError } from "../../../clients/typescript/src/status.js"

/** The public API with the rights of whoever is signed in. There is no other way to anything. */
export class Calls {
  /**
   * @param access - how calls of whoever is signed in reach the server
   * @param signInAgain - the session has ended: settles once somebody is signed in again
   */
  constructor(readonly access: () => Access, private readonly signInAgain: () => Promise<void>) {}

  /**
   * Makes a call, and makes it again, under the same key, when the session has ended and somebody signed in.
   *
   * @param key - of an earlier attempt whose answer may have been lost
   */
  async make<Request, Answer>(method: UnaryMethod<Request, Answer>, request: Request, key?: string): Promise<Answer> {
    const options = method.idempotency === "none" ? { idempotencyKey: key ?? await newIdempotencyKey() } : {}
    for (;;) {
      const { url, token, fetch: send } = this.access()
      const client = new Client({ url, ...token ? { key: token } : {}, ...send ? { fetch: send } : {} })
      try {
        return await client.service({ method }).method(request, options) as Answer
      } catch (problem) {
        if (!(problem instanceof StatusError && problem.code === "unauthenticated")) throw problem
        await this.signInAgain()
      }
    }
  }
}

/** All that a list has, or as much as somebody can want to see. Pages may be empty with more to come. */
export async function all<Item>(
  page: (pageToken: string) => Promise<{ items: Item[] | undefined, next: string | undefined }>, atMost = 10_000,
): Promise<Item[]> {
  const found: Item[] = []
  for (let token = ""; ;) {
    const { items, next } = await page(token)
    found.push(...items ?? [])
    if (!next || found.length >= atMost) return found
    token = next
  }
}
