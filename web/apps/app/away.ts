import { button, make } from "../../elements/dom.js"
import "../../elements/session/assent-session.js"
import type { Kept } from "../../offline/kept.js"
import type { FlowForLater, PreparedFlow, PreparedPerson } from "../../offline/prepared.js"
import type { Drawer } from "../../offline/sealing.js"
import { Countersigning, taskOf, type WaitingRecord, type WaitingTask } from "../../offline/signing.js"
import type { Troubled } from "../../offline/trouble.js"
import { clockLagMs } from "../../offline/unlocking.js"
import { type KeptVisit, type LaterVisit, Visit } from "../../offline/visit.js"
import { filled } from "../../words/language.js"
import { signing } from "./sign.js"
import { StandingPanel } from "./standing.js"
import type { AppWords } from "./words.js"

/** A clock may differ so much without being called wrong. */
const mostLagMs = 300_000

/** What the page does for somebody without a connection. */
export interface Ways {
  leave(): void
  /** Looks whether the server can be reached again. */
  again(): Promise<void>
  /** Goes on with a visit that needs a connection, where there is one. */
  goOn?(sessionId: string): void
}

/** What somebody has before them without a connection: what they began, what they may sign, what can begin. */
export class AwayHome {
  readonly element = make("div", { class: "pane" })
  private readonly panel: StandingPanel
  private visit: Visit | undefined
  private turn = 0
  /** Where the way back leads, if not to what is here. */
  private back: (() => void) | undefined

  constructor(
    private readonly kept: Kept, private readonly drawer: Drawer, private readonly words: AppWords,
    private readonly locale: string, private readonly ways: Ways,
  ) {
    this.panel = new StandingPanel(kept, words, locale, true)
  }

  /** The page goes on with something else. */
  end(): void {
    this.visit?.end()
    this.visit = undefined
    this.panel.end()
  }

  /** Goes on with a visit, and then back to where that was asked for. */
  resume(sessionId: string, back: () => void): void {
    this.back = back
    this.goOn(sessionId)
  }

  async refresh(said = ""): Promise<void> {
    const { words, drawer } = this, turn = ++this.turn
    this.visit?.end()
    this.visit = undefined
    const { title = "", roles = [] } = await drawer.get<PreparedPerson>("person") ?? {}
    const visits = await drawer.all<KeptVisit>("visit/"), begun = visits.map(([, { flow }]) => flow.flowId)
    // One table is for one visit of a person: the next one would not be what it says any more.
    const flows = (await drawer.all<PreparedFlow>("flow/")).filter(([, { flowId }]) => !begun.includes(flowId))
    const flowsForLater = await drawer.all<FlowForLater>("later-flow/")
    const handedIn = await drawer.all<LaterVisit>("later/")
    const records = await this.kept.browser.all<WaitingRecord>("signing/")
    const tasks = records.flatMap(([, record]) => {
      const task = taskOf(record, drawer.owner, roles)
      return task ? [this.task(record, task)] : []
    })
    const isWrong = await clockLagMs() > mostLagMs
    if (turn !== this.turn) return
    this.element.replaceChildren(
      make("header", {}, make("h1", { tabindex: "-1" }, title || words.home),
        button({ class: "quiet" }, () => this.ways.leave(), words.switchPerson)),
      ...said ? [make("p", { role: "status", class: "said" }, said)] : [], make("p", {}, words.noConnection),
      ...isWrong ? [make("p", { role: "alert" }, words.clockWrong)] : [],
      ...listed(words.waiting, tasks), ...listed(words.unfinished, [
        ...visits.map(([, visit]) => this.begun(visit)), ...handedIn.map(([, visit]) => this.handedIn(visit))]),
      ...listed(words.start, [
        ...flows.map(([, flow]) => this.flow(flow)),
        ...flowsForLater.map(([, { name, study }]) => row(name, [study, words.needsConnection]))]),
      make("p", {}, flows.length || visits.length ? words.onlyOwn : words.notPrepared),
      this.panel.element, button({}, () => void this.ways.again(), words.again))
    this.element.querySelector<HTMLElement>("h1")!.focus()
  }

  private begun({ sessionId, flow, startedAt }: KeptVisit): HTMLElement {
    return row(
      flow.name, [this.since(flow.study, startedAt)], button({}, () => this.goOn(sessionId), this.words.goOn))
  }

  private handedIn({ name, study, startedAt }: LaterVisit): HTMLElement {
    return row(name, [this.since(study, startedAt), this.words.signWithConnection])
  }

  private since(study: string, time: string): string {
    const date = new Intl.DateTimeFormat(this.locale, { dateStyle: "long", timeStyle: "short" })
    return filled(this.words.since, { study, date: date.format(new Date(time)) })
  }

  private goOn(sessionId: string): void {
    this.once(() => Visit.resume(this.drawer, this.kept.browser, sessionId, this.troubled))
  }

  private leave(said = ""): void {
    if (this.back) this.back()
    else void this.refresh(said)
  }

  private flow(flow: PreparedFlow): HTMLElement {
    const begin = () => this.once(() => Visit.begin(this.drawer, this.kept.browser, flow, this.troubled))
    const { study, signsLater } = flow
    return row(
      flow.name, [study, ...signsLater ? [this.words.signsLater] : []], button({}, begin, this.words.forMe))
  }

  private task(record: WaitingRecord, task: WaitingTask): HTMLElement {
    const date = new Intl.DateTimeFormat(this.locale, { dateStyle: "long" }).format(new Date(record.since))
    const name = task.meaning || record.study, since = filled(this.words.since, { study: record.study, date })
    if (task.needsConnection) return row(name, [since, this.words.signWithConnection])
    const open = async () => {
      const { fetch } = new Countersigning(this.drawer, this.kept.browser, record, task, this.troubled)
      const prove = () => Promise.reject(new Error("a fresh passcode needs a connection"))
      const cell = await signing(
        task, { url: "", headers: {}, fetch, isAway: true }, prove, this.words, this.locale, () => {
          this.kept.changed()
          void this.refresh(this.words.savedHere)
        })
      this.show(cell.element, () => cell.end())
    }
    return row(name, [since], button({}, () => void open(), this.words.sign))
  }

  /** Begins or resumes a visit, and nothing besides it until it has begun, or has not. */
  private once(work: () => Promise<Visit | undefined>): void {
    if (this.element.ariaBusy) return
    this.element.ariaBusy = "true"
    void work().then((visit) => {
      if (visit) this.walk(visit)
      else this.leave(this.words.elsewhere)
    }, () => undefined).finally(() => { this.element.ariaBusy = null })
  }

  private walk(visit: Visit): void {
    this.visit = visit
    const session = make("assent-session", { session: visit.sessionId, lang: this.locale })
    session.fetch = visit.fetch
    session.isAway = true
    session.addEventListener("assent-complete", () => {
      this.kept.changed()
      this.element.querySelector("footer")?.prepend(make("p", { role: "status" }, this.words.savedHere))
    })
    session.addEventListener("assent-way", () => this.leave())
    session.addEventListener("assent-screen", () => {
      if (visit.needsConnection) this.later(visit.sessionId)
    })
    this.show(session)
  }

  /** Here a visit needs a connection: what was done is kept, and it goes on once there is one. */
  private later(sessionId: string): void {
    const { words } = this
    this.kept.changed()
    if (this.ways.goOn) return this.ways.goOn(sessionId)
    const title = make("h1", { tabindex: "-1" }, words.laterTitle)
    this.show(make(
      "div", {}, title, make("p", {}, words.laterText), make("p", {}, words.savedHere),
      make("p", {}, filled(words.laterWay, { list: words.unfinished, button: words.goOn }))))
    title.focus()
  }

  /** What could not be kept is said, and nothing that was kept is lost. */
  private readonly troubled: Troubled = (trouble) => {
    const place = this.element.querySelector("footer") ?? this.element
    const sentence = trouble && this.words[trouble === "storage_full" ? "storageFull" : "storageFailed"]
    const before = place.querySelector(".trouble")
    if (before?.textContent === sentence) return
    before?.remove()
    if (sentence) place.prepend(make("p", { role: "alert", class: "trouble" }, sentence))
  }

  private show(content: HTMLElement, end: () => void = () => undefined): void {
    this.turn += 1
    const back = button({ class: "quiet" }, () => {
      end()
      this.leave()
    }, this.words.back)
    this.element.replaceChildren(content, make("footer", {}, back))
  }
}

function listed(heading: string, rows: HTMLElement[]): Node[] {
  return rows.length ? [make("h2", {}, heading), make("ul", {}, ...rows)] : []
}

function row(name: string, more: readonly string[], ...ways: Node[]): HTMLElement {
  return make("li", {}, make("p", {}, make("b", {}, name), ...more.map((each) => make("small", {}, each))), ...ways)
}
