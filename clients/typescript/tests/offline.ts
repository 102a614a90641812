// Visits without a connection, as clients/vectors/offline.json has them, which is the argument as text. It throws at
// the first thing that differs.

import { notice, OfflineQueue, OfflineWalk, queuedRequest } from "../src/index.js"
import type { ItemOutcome, QueueItem } from "../src/contract/account_v1.js"
import type { ChosenRecord, FlowAction, OfflineBundle } from "../src/contract/consent_v1.js"

declare const process: { argv: string[] }
declare const console: { log(text: string): void }

interface WalkVector {
  name: string
  bundle: OfflineBundle
  session_id: string
  subject_id: string
  steps: { does: FlowAction; shows?: string; screen?: unknown; refused?: boolean; place?: unknown; ended?: boolean }[]
  record_ids: ChosenRecord[]
  submits: unknown
}

interface QueueVector {
  name: string
  grants: Record<string, string>
  steps: {
    notes?: QueueItem[]
    begins?: boolean
    sends?: { items: string[]; grants: string[] } | null
    gets?: ItemOutcome[]
    shows?: Record<string, string>
    keeps?: string[]
    signs_in?: Record<string, string>
  }[]
}

/** The same, whatever order its fields are in. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

function wanted(found: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(sorted(found)), JSON.stringify(sorted(expected))]
  if (one !== other) throw new Error(`${what}: ${one}, not ${other}`)
}

function names(items: readonly QueueItem[]): string[] { return items.map((item) => `${item.personId}/${item.itemId}`) }

interface RequestVector {
  method: string
  request: object
  binary: string
}

const { walks, queues, requests } = JSON.parse(process.argv[2] ?? "{}") as {
  walks: WalkVector[]; queues: QueueVector[]; requests: RequestVector[]
}
for (const vector of walks) {
  const walk = new OfflineWalk(vector.bundle, vector.session_id, vector.subject_id)
  for (const [index, step] of vector.steps.entries()) {
    const what = `${vector.name}, step ${index}`
    wanted(walk.act(step.does), !step.refused, `${what}: done`)
    if (step.shows !== undefined) wanted(walk.screen.id, step.shows, `${what}: screen`)
    if (step.screen !== undefined) wanted(walk.screen, step.screen, `${what}: the whole screen`)
    if (step.place !== undefined) wanted(walk.place, step.place, `${what}: place`)
    wanted(walk.hasEnded, step.ended === true, `${what}: ended`)
  }
  wanted(walk.submission(vector.record_ids), vector.submits, `${vector.name}: submission`)
}
for (const vector of queues) {
  const queue = new OfflineQueue()
  const grants = new Map(Object.entries(vector.grants))
  for (const [index, step] of vector.steps.entries()) {
    const what = `${vector.name}, step ${index}`
    for (const item of step.notes ?? []) queue.note(item)
    for (const [person, grant] of Object.entries(step.signs_in ?? {})) grants.set(person, grant)
    if (step.begins) queue.begin()
    if (step.sends !== undefined) {
      const part = queue.next(grants)
      wanted(part ? { items: names(part.items), grants: part.grants } : null, step.sends, `${what}: sends`)
    }
    const got = step.gets ?? []
    queue.take(got)
    if (step.shows) {
      const shown = got.map((outcome) => [`${outcome.personId}/${outcome.itemId}`, notice(outcome)])
      wanted(Object.fromEntries(shown), step.shows, `${what}: shows`)
    }
    if (step.keeps) wanted(names(queue.kept), step.keeps, `${what}: keeps`)
  }
}
for (const { method, request, binary } of requests) wanted(queuedRequest(method, request), binary, method)
wanted(walks.length > 0 && requests.length > 0 && queues.length > 3, true, "that there are vectors")
console.log("all visits are as they should be")
