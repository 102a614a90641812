// A visit without a connection: the walk along a table of screens, and the queue that a device sends later.
// docs/offline.md explains both; clients/vectors/offline.json has examples.

import type { ItemName, ItemOutcome, QueueItem } from "./contract/account_v1.js"
import type {
  ChosenRecord, ConsentScreen, FlowAction, NameForm, OfflineBundle, OfflineScreen, PersonName, SessionOutcome,
  SignaturePlace, SubmitOfflineWalkRequest,
} from "./contract/consent_v1.js"

/** Walks a session along its table. */
export class OfflineWalk {
  private row = 0
  private readonly actions: FlowAction[] = []
  /** The names that were entered, as they are printed, by step and signature. */
  private readonly names = new Map<string, string>()

  /**
   * @param sessionId the session's identifier: the device's choice, where the table names none
   * @param subjectId whose session it is; for the fields in which that person signs
   */
  constructor(
    private readonly bundle: OfflineBundle, private readonly sessionId: string, private readonly subjectId: string) {}

  private get here(): OfflineScreen { return this.bundle.screens?.[this.row] ?? {} }

  /** What is to be shown, with the name in it that was entered on the way. */
  get screen(): ConsentScreen {
    const { screen = {}, names = [], nameBefore = "" } = this.here
    if (names.length === 0) return screen
    const entered = names.map((place) => this.names.get(`${place.stepId}/${place.signatureId}`))
    return filled(screen, entered.find((name) => name !== undefined) ?? nameBefore)
  }

  /** Whether nothing more is offered. */
  get hasEnded(): boolean { return (this.here.edges ?? []).length === 0 }

  /** How the session has ended, where it has. */
  get outcome(): SessionOutcome | undefined { return this.here.outcome }

  /** What a field must be made for to be signed with on this screen. */
  get place(): SignaturePlace | undefined {
    const place = this.screen.signatureForm?.place
    return place && { ...place, sessionId: this.sessionId, subjectId: this.subjectId }
  }

  /** Does what the screen offers, and goes on to the next one; false where the screen does not offer it. */
  act(action: FlowAction): boolean {
    const edge = this.here.edges?.find((edge) => edge.action === action.kind)
    if (!edge) return false
    const { stepId, nameForm } = this.here.screen ?? {}
    if (nameForm && action.name) this.names.set(`${stepId}/${nameForm.signatureId}`, printed(action.name, nameForm))
    this.actions.push(action)
    this.row = edge.successor ?? 0
    return true
  }

  /** What hands the walk in. It may be handed in before its end, and goes on with a connection then. */
  submission(recordIds: ChosenRecord[] = []): SubmitOfflineWalkRequest {
    const { sessionId, actions } = this
    return { sessionId, bundleHash: this.bundle.bundleHash ?? "", actions, recordIds }
  }
}

/** A name as it is printed: its parts with a no-break space between them. */
function printed(name: PersonName, form: NameForm): string {
  if (name.mononym) return name.mononym.trim()
  const parts = form.familyFirst ? [name.family, name.given] : [name.given, name.family]
  return parts.map((part = "") => part.trim()).filter((part) => part !== "").join("\u00a0")
}

const references: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

/** The name in all texts of a screen. In markup it is escaped. */
function filled<Value>(value: Value, name: string, field = ""): Value {
  if (typeof value === "string") {
    const words = field === "html" ? name.replace(/[&<>"']/g, (letter) => references[letter] ?? letter) : name
    return value.split("{participant.name}").join(words) as Value & string
  }
  if (Array.isArray(value)) return value.map((part) => filled(part as unknown, name, field)) as Value & unknown[]
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, filled(part, name, field)])) as Value
}

/** What a device shows of an item after an upload. */
export type ItemNotice =
  /** It is done. */
  | "nothing"
  /** It is sent again, without anybody doing anything. */
  | "later"
  /** Its person has to sign in. */
  | "sign_in"
  /** An administrator has to unlock its person. */
  | "unlock"
  /** An administrator has to invite its person. */
  | "invite"
  /** Its person decides, on the screen FAILED_ITEMS: the server keeps it. */
  | "decide"
  /** It is kept here, and somebody who looks after the device has to be told. */
  | "report"

export function notice(outcome: ItemOutcome): ItemNotice {
  const rule = outcome.rule ?? ""
  switch (outcome.state) {
    case "ITEM_STATE_DONE":
    case "ITEM_STATE_DISCARDED": return "nothing"
    case "ITEM_STATE_FAILED":
    case "ITEM_STATE_CONFLICT": return "decide"
    case "ITEM_STATE_REFUSED": return "report"
    default:
      if (rule.startsWith("grant_") || rule === "waits_for_person") return "sign_in"
      if (rule === "person_locked") return "unlock"
      return rule === "not_on_device" ? "invite" : "later"
  }
}

/** A part of a queue, as PushQueue takes it. */
export interface QueuePart {
  items: QueueItem[]
  grants: string[]
}

const mostItems = 1000
const mostBytes = 8 << 20

/**
 * The queue of a device that several people share, in the order in which they did things. It is to be stored with every
 * change, sealed under a key of the device and not of a person, since it goes up while others are signed in.
 */
export class OfflineQueue {
  private readonly refused = new Set<string>()
  private sent = new Set<string>()
  private held = new Set<string>()

  constructor(private items: QueueItem[] = []) {}

  /** What is kept, for storing it. */
  get kept(): readonly QueueItem[] { return this.items }

  note(item: QueueItem): void { this.items.push(item) }

  /** Begins a sync: what waited before is sent again. */
  begin(): void {
    this.sent = new Set()
    this.held = new Set()
  }

  /**
   * The next part; undefined where this sync has sent everything that may be sent.
   *
   * @param grants the newest upload grant of each person, by person
   */
  next(grants: ReadonlyMap<string, string>): QueuePart | undefined {
    const items: QueueItem[] = []
    let bytes = 0
    for (const item of this.items) {
      if (this.sent.has(name(item)) || this.refused.has(name(item)) || this.held.has(item.personId ?? "")) continue
      bytes += Math.ceil(((item.request ?? "").length * 3) / 4)
      if (items.length === mostItems || (bytes > mostBytes && items.length > 0)) break
      items.push(item)
    }
    if (items.length === 0) return undefined
    for (const item of items) this.sent.add(name(item))
    const people = new Set(items.map((item) => item.personId ?? ""))
    return { items, grants: [...people].flatMap((person) => grants.get(person) ?? []) }
  }

  /** Takes the answers to a part. Without an answer nothing changes: the next sync sends the part again. */
  take(outcomes: readonly ItemOutcome[]): void {
    for (const outcome of outcomes) {
      if (outcome.state === "ITEM_STATE_REFUSED") this.refused.add(name(outcome))
      const waits = outcome.state === undefined || outcome.state === "ITEM_STATE_WAITING"
      if (waits && outcome.rule !== "waits_for_item") this.held.add(outcome.personId ?? "")
      if (waits || outcome.state === "ITEM_STATE_REFUSED") continue
      this.items = this.items.filter((item) => name(item) !== name(outcome))
    }
  }
}

function name(item: ItemName): string { return `${item.personId}/${item.itemId}` }
