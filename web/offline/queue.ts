import { Client } from "../../clients/typescript/src/client.js"
import {
  type AffectedPerson, type BlockedStep, type ItemName, type OfflineSignIn, type QueueItem, type SyncProgress, SyncService,
} from "../../clients/typescript/src/contract/account_v1.js"
import { notice, OfflineQueue } from "../../clients/typescript/src/offline.js"
import { settings } from "../device/person.js"
import type { Access } from "../session/server.js"
import { type Change, commit } from "./database.js"
import type { Drawer } from "./sealing.js"
import { revoked } from "./unlocking.js"

/** Something in the queue. */
interface Queued extends QueueItem {
  /** The server refuses to take it at all: it is kept, and sent no more. */
  readonly isRefused?: boolean
}

/** What became of one person's acts, as far as the server has said. */
export interface Sent {
  /** How many visits and signatures the server has acknowledged, and when last. */
  readonly count: number
  readonly at: string
  /** How many wait for the person's decision on the server. */
  readonly toDecide: number
  /** What has to be done before the others can be sent. */
  readonly step?: BlockedStep
}

export type SentByPerson = Readonly<Record<string, Sent>>

/** What waits here of one person: how many visits and signatures, and what the server did not take. */
export interface Waiting {
  readonly personId: string
  readonly count: number
  readonly refused: number
}

export async function waiting(browser: Drawer): Promise<Waiting[]> {
  const items = (await browser.queue<Queued>()).map(([, item]) => item)
  return [...new Set(items.map(({ personId = "" }) => personId))].map((personId) => {
    const mine = items.filter((item) => item.personId === personId)
    const refused = mine.filter(({ isRefused }) => isRefused)
    return { personId, count: counted(mine.filter(({ isRefused }) => !isRefused)), refused: counted(refused) }
  })
}

export async function isQueued(browser: Drawer, item: ItemName): Promise<boolean> {
  return (await browser.queue<Queued>()).some(([, each]) => nameOf(each) === nameOf(item))
}

/** Whether it is the last of a visit, or of a signature. */
function isEnd({ method = "" }: { method?: string }): boolean {
  return /\/(SubmitOfflineWalk|SignRecord)$/.test(method)
}

/** How many visits and signatures these belong to: one, where only a part of it is left. */
function counted(items: readonly { method?: string }[]): number {
  const ends = items.filter(isEnd).length
  return items.length > 0 ? Math.max(1, ends) : 0
}

const sending = "assent-offline/sending"

/** Waits until nothing is being sent. */
export async function sendingEnds(): Promise<void> {
  await navigator.locks.request(sending, () => undefined)
}

/**
 * Sends what is in the queue, in one tab at a time, with the newest grants of its people. It may be broken off at any
 * moment: what has no answer is sent again, and has its effect once.
 *
 * @param access - that of whoever is signed in, whose own work is sent in any case; of the device where nobody is
 * @param went - is told how far it is, and at the end without whom something waits
 */
export async function send(
  access: Access, browser: Drawer, changed: () => void,
  went: (state: { progress: SyncProgress, blockedBy?: readonly AffectedPerson[] }) => void,
): Promise<void> {
  await navigator.locks.request(sending, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    const kept = await browser.queue<Queued>(), keys = new Map(kept.map(([key, item]) => [nameOf(item), key]))
    const signIns = await browser.get<OfflineSignIn[]>("sign-ins") ?? []
    if (kept.length === 0 && signIns.length === 0) return
    const grants = new Map((await browser.all<string>("grant/")).map(([name, grant]) => [name.slice(6), grant]))
    const toSend = kept.map(([, item]) => item).filter(({ isRefused }) => !isRefused)
    const queue = new OfflineQueue(toSend), settled = new Set<string>()
    const sync = new Client(settings(access)).service(SyncService)
    queue.begin()
    let offlineSignIns = signIns
    for (let part = queue.next(grants) ?? { items: [], grants: [] }; ;) {
      const { outcomes = [], blockedBy = [], revokedVerifiers = [] } = await sync.pushQueue(
        { ...part, offlineSignIns }, { timeoutMs: 120_000 })
      queue.take(outcomes)
      const changes: Change[] = [], sent: Record<string, Sent> = { ...await browser.get<SentByPerson>("sent") }
      const items = new Map(kept.map(([, item]) => [nameOf(item), item]))
      for (const personId of new Set(outcomes.map((outcome) => outcome.personId ?? ""))) {
        const mine = outcomes.filter((outcome) => outcome.personId === personId), before = sent[personId]
        // A visit is sent once its last item is.
        const done = mine.filter((outcome) => outcome.state === "ITEM_STATE_DONE" && isEnd(outcome)).length
        const toDecide = counted(mine.filter((outcome) => notice(outcome) === "decide"))
        const step = blockedBy.find(({ person }) => person?.personId === personId)?.step
        sent[personId] = {
          count: (before?.count ?? 0) + done, at: done ? new Date().toISOString() : before?.at ?? "",
          toDecide: (before?.toDecide ?? 0) + toDecide, ...step ? { step } : {},
        }
      }
      const left = new Set(queue.kept.map(nameOf))
      for (const outcome of outcomes) {
        const name = nameOf(outcome), key = keys.get(name)
        if (key === undefined) continue
        if (!left.has(name)) changes.push({ part: "queue", key }, ...await followed(browser, name))
        else if (outcome.state === "ITEM_STATE_REFUSED") {
          changes.push(await browser.requeued(key, { ...items.get(name), isRefused: true }))
        }
      }
      await commit(...changes, await browser.put("sent", sent), browser.drop("sign-ins"))
      await revoked(revokedVerifiers)
      offlineSignIns = []
      changed()
      for (const outcome of outcomes) settled.add(nameOf(outcome))
      const next = queue.next(grants)
      if (toSend.length > 0) went({ progress: progress(settled.size, toSend.length, !next), blockedBy })
      if (!next) return
      part = next
    }
  })
}

/** Told after each answer: what takes one answer alone has ended by then. */
function progress(completed: number, total: number, isDone: boolean): SyncProgress {
  return {
    phase: isDone ? "SYNC_PHASE_DONE" : "SYNC_PHASE_UPLOADING", completed: `${completed}`, total: `${total}`,
    fraction: isDone ? 1 : Math.min(1, completed / total),
  }
}

/** What waited for a signature at this device waits at the server now. */
async function followed(browser: Drawer, name: string): Promise<Change[]> {
  const records = await browser.all<{ after: { personId?: string, itemId?: string } }>("signing/")
  return records.filter(([, { after }]) => nameOf(after) === name).map(([key]) => browser.drop(key))
}

function nameOf({ personId, itemId }: { personId?: string, itemId?: string }): string {
  return `${personId}/${itemId}`
}
