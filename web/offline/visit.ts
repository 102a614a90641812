import type { ItemName, QueueItem } from "../../clients/typescript/src/contract/account_v1.js"
import type {
  ChosenRecord, ConsentScreen, FlowAction, OfflineBundle, SessionOutcome, SessionView, StartSessionRequest,
} from "../../clients/typescript/src/contract/consent_v1.js"
import { OfflineWalk } from "../../clients/typescript/src/offline.js"
import { deviceTime } from "../session/device-time.js"
import { clientSchema } from "../session/walk.js"
import { type Answer, answering, type Asked, refusal } from "./answers.js"
import type { Change } from "./database.js"
import { changed, type FieldChange, type FieldRequest, type KeptField, newField, viewOf } from "./field.js"
import { item, sessions, signatures } from "./items.js"
import { pictureOf } from "./picture.js"
import type { Drawer } from "./sealing.js"
import type { PreparedFlow } from "./prepared.js"
import { type SignedRecord, toBeSigned } from "./signing.js"
import { stored, type Troubled } from "./trouble.js"
import { uuid7 } from "./uuid.js"

/** A visit that has not ended, as it is kept in its person's store. */
export interface KeptVisit {
  readonly sessionId: string
  readonly flow: Omit<PreparedFlow, "bundle">
  readonly startedAt: string
  readonly actions: readonly FlowAction[]
  readonly fields: readonly KeptField[]
  /** What is handed in at the end. */
  readonly items: readonly QueueItem[]
}

/** A visit that is handed in up to a signature which needs a connection. */
export interface LaterVisit {
  readonly name: string
  readonly study: string
  readonly startedAt: string
  /** The last of what is handed in. */
  readonly after: ItemName
}

/**
 * A session that is walked without a connection. Its `fetch` answers the calls of `<assent-session>` as the server
 * would: by the table of screens, each after what was done is on the disk. At the end all of it goes into the queue; or
 * before a signature that asks for a fresh passcode, which the server has to check.
 */
export class Visit {
  private work: Promise<unknown> = Promise.resolve()
  private hasEnded = false
  private letGo: (() => void) | undefined

  private constructor(
    private readonly drawer: Drawer, private readonly browser: Drawer, private kept: KeptVisit,
    private readonly bundle: OfflineBundle, private readonly troubled: Troubled,
  ) {}

  /** Begins one, for the person whose store it is. */
  static async begin(
    drawer: Drawer, browser: Drawer, { bundle, ...flow }: PreparedFlow, troubled: Troubled,
  ): Promise<Visit> {
    const sessionId = uuid7()
    const start: StartSessionRequest = {
      ...flow.begin, sessionId, deviceTime: deviceTime(), ...bundle.prepared ? { prepared: bundle.prepared } : {},
    }
    const visit = new Visit(drawer, browser, {
      sessionId, flow, startedAt: new Date().toISOString(), actions: [], fields: [],
      items: [item(drawer.owner, `${sessions}/StartSession`, start)],
    }, bundle, troubled)
    await visit.hold()
    await visit.keep(visit.kept, await drawer.put(`table/${sessionId}`, bundle))
    return visit
  }

  /** Goes on with one; undefined where another tab has it. */
  static async resume(
    drawer: Drawer, browser: Drawer, sessionId: string, troubled: Troubled,
  ): Promise<Visit | undefined> {
    const kept = await drawer.get<KeptVisit>(`visit/${sessionId}`)
    const bundle = await drawer.get<OfflineBundle>(`table/${sessionId}`)
    if (!kept || !bundle) return undefined
    const visit = new Visit(drawer, browser, kept, bundle, troubled)
    return await visit.hold() ? visit : undefined
  }

  get sessionId(): string {
    return this.kept.sessionId
  }

  /** Whether it has ended here, and goes on with a connection. */
  get needsConnection(): boolean {
    return this.hasEnded && signsLater(this.walk(this.kept.actions))
  }

  /** Lets another tab have it. */
  end(): void {
    this.letGo?.()
  }

  /** One call after the other. */
  readonly fetch: typeof fetch = answering((asked) => {
    const answer = this.work.then(() => this.answer(asked))
    this.work = answer.catch(() => undefined)
    return answer
  })

  private async answer({ method, request }: Asked<Record<string, unknown>>): Promise<Answer> {
    const name = method.split("/")[1]!
    switch (name) {
      case "GetSession":
      case "ResumeSession": return { session: this.view }
      case "ActOnSession":
        await this.act(request["action"] as FlowAction, request["expectedVersion"] as number)
        return { session: this.view }
      case "ListFields": return { views: this.kept.fields.map((field) => this.shown(field)) }
      case "CreateField": {
        const field = newField(uuid7(), request["reference"]!, request["settings"]!)
        await this.note(field, `${signatures}/CreateField`, { ...request, fieldId: field.fieldId })
        return { view: this.shown(field) }
      }
      case "TapField":
      case "UndoStroke":
      case "ClearField":
      case "ResizeField":
      case "CancelField":
      case "SaveField":
      case "SaveUploadedImage":
      case "ReEnterField": return { view: await this.change(name, request) }
      case "AppendStrokes": return [{ view: await this.change(name, request) }]
      case "WatchField": return [{ pieces: this.field(request["fieldId"] as string).pieces }]
      case "Render": return pictureOf(this.field(request["signatureId"] as string))
      case "GetAsset": {
        const asset = await this.browser.get<object>(`asset/${request["hash"] as string}`)
        if (!asset) throw refusal("not_found", "unknown_asset")
        return { asset }
      }
      default: throw refusal("failed_precondition", "connection_needed")
    }
  }

  private walk(actions: readonly FlowAction[]): OfflineWalk {
    const walk = new OfflineWalk(this.bundle, this.kept.sessionId, this.drawer.owner)
    for (const action of actions) walk.act(action)
    return walk
  }

  private get view(): SessionView {
    const { sessionId, actions, flow } = this.kept, { screen, place, outcome } = this.walk(actions)
    const form = screen.signatureForm
    return {
      sessionId, version: actions.length + 1, flowId: flow.flowId, studyId: flow.studyId,
      screen: this.hasEnded ? ended(screen)
        : form && place ? { ...screen, signatureForm: { ...form, place } } : screen,
      ...isOutcome(outcome) ? { outcome } : {},
    }
  }

  private async act(action: FlowAction, version: number): Promise<void> {
    const { actions } = this.kept
    if (version !== actions.length + 1) throw refusal("aborted", "stale_version")
    const walk = this.walk(actions)
    if (!walk.act(action)) throw refusal("failed_precondition", "not_offered")
    const next = { ...this.kept, actions: [...actions, action] }
    // Whatever it may lead to then, as after quitting, needs a connection.
    if (walk.hasEnded || isOutcome(walk.outcome) || signsLater(walk)) await this.finish(walk, next)
    else await this.keep(next)
  }

  /** Moves all that was done into the queue, and notes what is to be gone on with. */
  private async finish(walk: OfflineWalk, next: KeptVisit): Promise<void> {
    const { sessionId, items, flow } = next, signed = this.signed(next.actions)
    const recordIds = signed.map(({ stepId, recordId }): ChosenRecord => ({ stepId, recordId }))
    const submission = { ...walk.submission(recordIds), clientSchema }
    const last = item(this.drawer.owner, `${sessions}/SubmitOfflineWalk`, submission)
    const after = { personId: this.drawer.owner, itemId: last.itemId! }
    // The table says what was decided before this visit: another one begins with another table.
    const changes: Change[] = [
      this.drawer.drop(`visit/${sessionId}`), this.drawer.drop(`table/${sessionId}`),
      this.drawer.drop(`flow/${flow.flowId}`)]
    for (const each of [...items, last]) changes.push(await this.browser.queued(each))
    for (const record of toBeSigned(signed, flow, after)) {
      changes.push(await this.browser.put(`signing/${record.recordId}`, record))
    }
    if (signsLater(walk)) {
      const later: LaterVisit = { name: flow.name, study: flow.study, startedAt: next.startedAt, after }
      changes.push(await this.drawer.put(`later/${sessionId}`, later))
    }
    await stored(this.troubled, ...changes)
    this.kept = next
    this.hasEnded = true
    this.letGo?.()
  }

  /** What was signed on the way, with an identifier for the record of each step. */
  private signed(actions: readonly FlowAction[]): SignedRecord[] {
    const walk = this.walk([]), found = new Map<string, SignedRecord>()
    let html = ""
    for (const action of actions) {
      if (walk.screen.kind === "SCREEN_KIND_REVIEW") html = walk.screen.html ?? ""
      const { screen, place } = walk, stepId = screen.stepId ?? ""
      if (action.kind === "ACTION_KIND_SIGN" && place) {
        const name = action.name ?? actions.find(({ name: entered }) => entered)?.name
        found.set(stepId, { stepId, recordId: uuid7(), place, html, ...name ? { name } : {} })
      }
      walk.act(action)
    }
    return [...found.values()]
  }

  private field(fieldId: string): KeptField {
    const field = this.kept.fields.find((each) => each.fieldId === fieldId)
    if (!field) throw refusal("not_found", "unknown_field")
    return field
  }

  private shown(field: KeptField) {
    const completed = this.kept.actions.some(({ signature }) => signature?.drawn?.fieldId === field.fieldId)
    return { ...viewOf(field), completed }
  }

  private async change(change: FieldChange, request: FieldRequest) {
    const field = changed(this.field(request.fieldId ?? ""), change, request)
    if (!field) throw refusal("aborted", "stale_version")
    await this.note(field, `${signatures}/${change}`, request)
    return this.shown(field)
  }

  private async note(field: KeptField, method: string, request: object): Promise<void> {
    const { fields, items } = this.kept
    const others = fields.filter(({ fieldId }) => fieldId !== field.fieldId)
    await this.keep({
      ...this.kept, fields: [...others, field], items: [...items, item(this.drawer.owner, method, request)] })
  }

  private async keep(next: KeptVisit, ...more: Change[]): Promise<void> {
    if (this.hasEnded) throw refusal("failed_precondition", "session_ended")
    await stored(this.troubled, await this.drawer.put(`visit/${next.sessionId}`, next), ...more)
    this.kept = next
  }

  /** Takes the visit for this tab. */
  private hold(): Promise<boolean> {
    return new Promise((resolve) => {
      void navigator.locks.request(`assent-offline/visit/${this.kept.sessionId}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null)
        return lock && new Promise<void>((done) => (this.letGo = done))
      })
    })
  }
}

/** Whether the signature that comes next needs the server: its challenge names a session that the server knows. */
function signsLater({ screen }: OfflineWalk): boolean {
  return screen.signatureForm?.requiresReauthentication ?? false
}

/** The last screen: what it would still offer the server does by itself, and the page goes on. */
function ended({ toolbar, ...screen }: ConsentScreen): ConsentScreen {
  const title = toolbar?.buttons?.find(({ prominent }) => prominent)?.title
  return { ...screen, offered: [], ...title ? { ways: [{ kind: "SCREEN_WAY_KIND_CLOSE", title }] } : {} }
}

function isOutcome(outcome: SessionOutcome | undefined): outcome is SessionOutcome {
  return outcome !== undefined && outcome !== "SESSION_OUTCOME_UNSPECIFIED"
}
