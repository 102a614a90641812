import { Client } from "../../../clients/typescript/src/client.js"
import { PeopleService } from "../../../clients/typescript/src/contract/account_v1.js"
import {
  type ConsentFlow, type ConsentRecord, type ConsentStudy, type DueConsent, FlowService,
  type ListDueConsentsResponse, RecordService, SessionService, type SessionSummary, type SessionView,
  type SigningTask, StudyService,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import type { Device } from "../../device/device.js"
import { type Person, settings } from "../../device/person.js"
import { button, make } from "../../elements/dom.js"
import "../../elements/session/assent-session.js"
import "../../elements/sync/assent-sync.js"
import { isAway } from "../../session/away.js"
import { deviceTime } from "../../session/device-time.js"
import type { Access } from "../../session/server.js"
import { clientSchema } from "../../session/walk.js"
import { commit } from "../../offline/database.js"
import type { Kept } from "../../offline/kept.js"
import { prepare } from "../../offline/prepared.js"
import { isQueued } from "../../offline/queue.js"
import type { Drawer } from "../../offline/sealing.js"
import type { KeptVisit, LaterVisit } from "../../offline/visit.js"
import { filled } from "../../words/language.js"
import { Passcode } from "./passcode.js"
import { signing } from "./sign.js"
import { StandingPanel } from "./standing.js"
import type { AppWords } from "./words.js"

/** More studies than a device is used for. */
const mostStudies = 20

/** What is kept for times without a connection. */
export interface ForAway {
  readonly kept: Kept
  /** The person's own, where it is open. */
  readonly drawer: Drawer | undefined
  /** The server cannot be reached; or a visit goes on that was begun so. */
  away(sessionId?: string): void
}

/** What somebody who is signed in has before them: what waits, what is due, what was decided, what can begin. */
export class Home {
  readonly element = make("div", { class: "pane" })
  private readonly own: Client
  private readonly shared: Client
  private readonly panel: StandingPanel | undefined
  private studies: ConsentStudy[] = []
  /** Counts what was last begun: a late answer replaces nothing newer. */
  private turn = 0
  /** Ends what tells the element of a sync how far it is. */
  private unfollow: () => void = () => undefined

  constructor(
    private readonly device: Device, private readonly person: Person, private readonly words: AppWords,
    private readonly locale: string, private readonly forAway: ForAway | undefined,
    private readonly setPasscode: () => void,
  ) {
    this.panel = forAway && new StandingPanel(forAway.kept, words, locale, false)
    this.own = new Client(settings(person.access))
    this.shared = new Client(settings(device.access))
    this.element.append(this.bar(words.home), make("p", { role: "status" }, words.opening))
  }

  /** The page goes on with something else. */
  end(): void {
    this.panel?.end()
    this.unfollow()
  }

  /** Looks anew. */
  async refresh(said = ""): Promise<void> {
    const { words } = this, turn = ++this.turn
    let content: Node[]
    try {
      content = await this.found()
    } catch (problem) {
      if (turn === this.turn && isAway(problem) && this.forAway?.drawer) return this.forAway.away()
      content = [
        this.bar(words.home), make("p", { role: "alert" }, isAway(problem) ? words.away : words.failed),
        button({}, () => void this.refresh(said), words.again)]
    }
    if (turn !== this.turn) return
    const [bar, ...rest] = content
    this.element.replaceChildren(bar!, ...said ? [make("p", { role: "status", class: "said" }, said)] : [], ...rest)
    this.element.querySelector<HTMLElement>("h1")!.focus()
  }

  /** The bar, and all that there is. */
  private async found(): Promise<Node[]> {
    const { words } = this
    // Before the server is asked for sessions: what has left the queue by now is among them.
    const handedIn = await this.handedIn()
    const sessions = this.own.service(SessionService), records = this.own.service(RecordService)
    const name = await allowed(this.own.service(PeopleService).getProfile({}), {})
    const studies = await allowed(this.shared.service(StudyService).listStudies({ pageSize: 1000 }), {})
    this.studies = (studies.studies ?? []).slice(0, mostStudies)
    const { records: own = [] } = await allowed(records.getSubjectHistory({ subjectId: this.person.personId }), {})
    // What somebody may not ask is not asked: it would be on record as an attempt.
    const waiting = this.has("", "witness", "investigator") ? [{}] : own.filter(isWaiting)
    const asking = this.studies.filter(({ studyId = "" }) =>
      this.has(studyId, "coordinator", "investigator", "inspector"))
    const [tasks, due, flows, begun] = await Promise.all([
      Promise.all(waiting.map(({ recordId = "" }: ConsentRecord) =>
        allowed(sessions.listSigningTasks({ recordId }), {}))),
      Promise.all(asking.map(({ studyId = "" }) => this.dueIn(studyId))),
      Promise.all(this.studies.map(({ studyId = "" }) =>
        allowed(this.shared.service(FlowService).listFlows({ studyId }), {}))),
      Promise.all(this.studies.map(({ studyId = "" }) => this.sessionsIn(studyId))),
    ])
    const published = flows.flatMap(({ flows: all }) => all ?? []).filter(({ publishedVersion }) => publishedVersion)
    void this.prepare(name.profile?.title ?? "", published)
    const people = due.some((each) => each.length) ? await this.people() : new Map<string, string>()
    const waits = [
      ...tasks.flatMap((answer) => answer.tasks ?? []).map((task) => this.task(task)),
      ...due.flat().map((each) => this.due(each, people))]
    return [
      this.bar(name.profile?.title ?? words.home),
      ...this.person.maySetPasscode ? [button({ class: "quiet" }, this.setPasscode, words.setPasscode)] : [],
      this.undone(),
      ...this.listed(words.unfinished, [
        ...await this.unfinished(), ...handedIn.values(), ...begun.flat().filter(isRunning)
          .filter(({ sessionId = "" }) => !handedIn.has(sessionId)).map((each) => this.running(each, published))]),
      make("h2", {}, words.waiting), ...waits.length ? [make("ul", {}, ...waits)] : [make("p", {}, words.nothing)],
      ...this.listed(words.done, own.map((each) => this.record(each)).reverse()),
      ...this.listed(words.start, published.map((flow) => this.flow(flow))),
      this.invited(), ...this.panel ? [this.panel.element] : []]
  }

  /** What was begun without a connection, and goes on without one. */
  private async unfinished(): Promise<HTMLElement[]> {
    const visits = await this.forAway?.drawer?.all<KeptVisit>("visit/") ?? []
    return visits.map(([, { sessionId, flow, startedAt }]) =>
      this.begun(flow.name, flow.study, startedAt, () => this.forAway?.away(sessionId)))
  }

  /**
   * What was begun without a connection, and goes on with one, as long as something of it is in the queue. What is not
   * any more is no longer noted here: the server lists it, or the queue's own list says why it failed.
   */
  private async handedIn(): Promise<Map<string, HTMLElement>> {
    const { kept, drawer } = this.forAway ?? {}, rows = new Map<string, HTMLElement>()
    for (const [name, visit] of await drawer?.all<LaterVisit>("later/") ?? []) {
      const sessionId = name.slice("later/".length)
      if (await isQueued(kept!.browser, visit.after))
        rows.set(sessionId, this.begun(visit.name, visit.study, visit.startedAt, () => void this.goOn(sessionId)))
      else await commit(drawer!.drop(name))
    }
    return rows
  }

  /** The person's own sessions, the newest first. */
  private async sessionsIn(studyId: string): Promise<SessionSummary[]> {
    const found: SessionSummary[] = []
    for (let pageToken = ""; ;) {
      const { sessions = [], nextPageToken = "" } = await allowed(
        this.own.service(SessionService).listConsentSessions({ studyId, pageSize: 1000, pageToken }), {})
      found.push(...sessions)
      if (!nextPageToken) return found.reverse()
      pageToken = nextPageToken
    }
  }

  private running({ sessionId = "", studyId, flowId = "", startedAt }: SessionSummary, flows: ConsentFlow[]) {
    const name = flows.find((flow) => flow.flowId === flowId)?.name || flowId
    return this.begun(name, this.study(studyId), startedAt, () => void this.goOn(sessionId))
  }

  private begun(name: string, study: string, startedAt: string | undefined, goOn: () => void): HTMLElement {
    return item(
      name, filled(this.words.since, { study, date: this.date(startedAt) }), button({}, goOn, this.words.goOn))
  }

  /** Goes on with a session of the person's own, after what was done in it without a connection is sent. */
  goOn(sessionId: string): Promise<void> {
    return this.once(async () => {
      const { kept, drawer } = this.forAway ?? {}
      const later = await drawer?.get<LaterVisit>(`later/${sessionId}`)
      if (later && !await kept!.sendNow(this.device, later.after))
        return this.refresh(kept!.sync.isLost || !navigator.onLine ? this.words.away : this.words.failed)
      this.walk({ sessionId }, this.person.access)
    })
  }

  /** Fetches what is needed without a connection, beside all else. What fails is fetched with the next look. */
  private async prepare(title: string, flows: ConsentFlow[]): Promise<void> {
    const { kept, drawer } = this.forAway ?? {}
    if (!kept || !drawer) return
    const wanted = flows.map((flow) => ({ flow, study: this.study(flow.studyId) }))
    await prepare(this.device, this.person, drawer, kept.browser, this.locale, title, wanted).catch(() => undefined)
    this.element.dataset["prepared"] = ""
  }

  /** Whose the pane is. Signing out needs nothing that the server says. */
  private bar(title: string): HTMLElement {
    const { words } = this
    return make(
      "header", {}, make("h1", { tabindex: "-1" }, title),
      button({ class: "quiet" }, () => void this.leave(false), words.switchPerson),
      button({ class: "quiet" }, () => void this.leave(true), words.everywhere))
  }

  /** How this device's work gets to the server, and what of the person's was not done; nothing where there is none. */
  private undone(): HTMLElement {
    const sync = make("assent-sync", { lang: this.locale }), kept = this.forAway?.kept
    sync.person = this.person
    this.unfollow()
    if (!kept) return sync
    // What has ended before needs no word any more, but for those who have to act.
    const { progress, blockedBy = [] } = kept.sync
    sync.state = progress?.phase === "SYNC_PHASE_DONE" ? { blockedBy } : kept.sync
    let told = kept.sync
    const follow = () => {
      if (kept.sync !== told) sync.state = told = kept.sync
    }
    kept.addEventListener("change", follow)
    this.unfollow = () => kept.removeEventListener("change", follow)
    sync.addEventListener("assent-sync-act", ({ detail }) => {
      if (detail.action === "ACCOUNT_ACTION_TRY_AGAIN") void kept.send(this.device)
      else if (detail.action === "ACCOUNT_ACTION_RETURN_TO_SIGN_IN") void this.leave(false)
    })
    return sync
  }

  /** Whether the person has one of the roles in the whole of a study; of any study, where none is named. */
  private has(studyId: string, ...roles: string[]): boolean {
    return this.person.roles.some((granted) => {
      const [role = "", place = ""] = granted.split("@")
      return roles.includes(role) && (!studyId || place === "*" || place === studyId)
    })
  }

  private listed(heading: string, rows: HTMLElement[]): Node[] {
    return rows.length ? [make("h2", {}, heading), make("ul", {}, ...rows)] : []
  }

  private task(task: SigningTask): HTMLElement {
    const open = () => this.once(async () => {
      const prove = (challenge: string) => new Passcode(this.words).prove(this.person, challenge)
      const cell = await signing(
        task, this.person.access, prove, this.words, this.locale, (said) => void this.refresh(said))
      this.show(cell.element, () => cell.end())
    })
    const since = filled(this.words.since, { study: this.study(task.studyId), date: this.date(task.since) })
    return item(
      task.meaning || this.study(task.studyId), since, button({}, () => void open(), this.words.sign))
  }

  private due({ subjectId = "", documentId = "", dueBy }: DueConsent, people: Map<string, string>): HTMLElement {
    const what = [people.get(subjectId) || subjectId, documentId, this.date(dueBy)].filter(Boolean).join(", ")
    return item(this.words.due, what)
  }

  private async dueIn(studyId: string): Promise<DueConsent[]> {
    const due: DueConsent[] = []
    for (let pageToken: string | undefined = ""; pageToken !== undefined;) {
      const page: ListDueConsentsResponse = await allowed(
        this.own.service(RecordService).listDueConsents({ studyId, pageSize: 1000, pageToken }), {})
      due.push(...page.dueConsents ?? [])
      pageToken = page.nextPageToken || undefined
    }
    return due
  }

  /** The names of those whom the device lists: of others only an identifier is known here. */
  private async people(): Promise<Map<string, string>> {
    const people = this.shared.service(PeopleService)
    const { current, others = [] } = await allowed(people.listPeople({ pageSize: 1000 }), {})
    return new Map([...current ? [current] : [], ...others]
      .map(({ personId = "", profile }) => [personId, profile?.title ?? ""]))
  }

  private record({ studyId, state, decidedAt }: ConsentRecord): HTMLElement {
    const { words } = this
    const said = state === "RECORD_STATE_IN_FORCE" ? words.inForce : state === "RECORD_STATE_AWAITING_SIGNATURES"
      ? words.awaiting : state === "RECORD_STATE_WITHDRAWN" ? words.withdrawn : state === "RECORD_STATE_DECLINED"
        ? words.declined : words.past
    return item(this.study(studyId), `${said}, ${this.date(decidedAt)}`)
  }

  private flow(flow: ConsentFlow): HTMLElement {
    const { flowId = "" } = flow
    const begin = (client: Client, access: Access) => () => void this.begin(client, access, { flowId })
    return item(
      flow.name ?? "", this.study(flow.studyId), button({}, begin(this.own, this.person.access), this.words.forMe),
      button({}, begin(this.shared, this.device.access), this.words.forOther))
  }

  /** Begins by an invitation's code. */
  private invited(): HTMLElement {
    const field = make("input", {
      id: "invitation", required: true, maxlength: "64", autocomplete: "one-time-code", autocapitalize: "characters",
      dir: "ltr", spellcheck: "false",
    })
    const label = make("label", { for: "invitation" }, this.words.invitation)
    const form = make("form", {}, label, field, make("button", {}, this.words.begin))
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      void this.begin(this.shared, this.device.access, { invitationCode: field.value.trim() })
    })
    return form
  }

  private begin(
    client: Client, access: Access, what: { flowId?: string, invitationCode?: string },
  ): Promise<void> {
    return this.once(async () => {
      const { session = {} } = await client.service(SessionService).startSession({
        ...what, locale: this.locale, deviceId: this.device.deviceId, deviceTime: deviceTime(), clientSchema })
      this.walk(session, access)
    })
  }

  /** Begins something in place of all else, and nothing besides it until it has begun, or has not. */
  private async once(work: () => Promise<void>): Promise<void> {
    if (this.element.ariaBusy) return
    this.element.ariaBusy = "true"
    this.turn += 1
    try {
      await work()
    } catch (problem) {
      const { words } = this, isUnknown = problem instanceof StatusError && problem.code === "not_found"
      void this.refresh(isUnknown ? words.unknown : isAway(problem) ? words.away : words.cannotBegin)
    } finally {
      this.element.ariaBusy = null
    }
  }

  /** A session, in place of all else. */
  private walk(view: SessionView, access: Access): void {
    const session = make("assent-session", { session: view.sessionId ?? "", lang: this.locale })
    session.view = view
    session.token = access.token
    session.fetch = access.fetch
    session.authenticate = (challenge) => new Passcode(this.words).prove(this.person, challenge)
    session.addEventListener("assent-way", () => void this.refresh())
    this.show(session)
  }

  private show(content: HTMLElement, end: () => void = () => undefined): void {
    const back = button({ class: "quiet" }, () => {
      end()
      void this.refresh()
    }, this.words.back)
    this.element.replaceChildren(content, make("footer", {}, back))
  }

  private async leave(everywhere: boolean): Promise<void> {
    await this.person.signOut({ everywhere }).catch(() => undefined)
  }

  private study(id = ""): string {
    const study = this.studies.find(({ studyId }) => studyId === id)
    const translated = study?.names?.translations?.find(({ locale }) => locale === this.locale)
    return translated?.text || study?.name || id
  }

  private date(time = ""): string {
    return time ? new Intl.DateTimeFormat(this.locale, { dateStyle: "long" }).format(new Date(time)) : ""
  }
}

function isRunning({ outcome = "SESSION_OUTCOME_UNSPECIFIED", expiresAt = "", test }: SessionSummary): boolean {
  return outcome === "SESSION_OUTCOME_UNSPECIFIED" && Date.parse(expiresAt) > Date.now() && !test
}

function isWaiting({ state }: ConsentRecord): boolean {
  return state === "RECORD_STATE_AWAITING_SIGNATURES"
}

/** A row of a list. */
function item(name: string, more: string, ...ways: Node[]): HTMLElement {
  return make("li", {}, make("p", {}, make("b", {}, name), make("small", {}, more)), ...ways)
}

/** What a call answers, or this where the person may not ask. */
async function allowed<Answer>(call: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  try {
    return await call
  } catch (problem) {
    if (problem instanceof StatusError && ["permission_denied", "not_found"].includes(problem.code)) return otherwise
    throw problem
  }
}
