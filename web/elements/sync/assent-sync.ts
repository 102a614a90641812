import { Client } from "../../../clients/typescript/src/client.js"
import {
  type AccountAction, type AffectedPerson, type GetOfflineViewsResponse, type ItemOutcome, type SyncProgress,
  ViewService,
} from "../../../clients/typescript/src/contract/account_v1.js"
import { settings } from "../../device/person.js"
import { isAway } from "../../session/away.js"
import { browserLanguage, filled } from "../../words/language.js"
import { syncing, type SyncWords } from "../../words/sync/words.js"
import { note } from "../accounts/parts.js"
import { button, make, set, styled } from "../dom.js"
import controls from "../look/controls.css"
import pieces from "../look/pieces.css"
import tokens from "../look/tokens.css"
import moreTokens from "../session/tokens.css"
import { inherited, Speech } from "../speech.js"
import { Asking } from "./asking.js"
import type { SyncEvents } from "./events.js"
import { type Caller, Items } from "./items.js"
import { type Acts, blocked, card, going, key, list, lost, went } from "./parts.js"
import style from "./sync.css"

const look = styled(tokens, moreTokens, controls, pieces, style)

/** What a page knows of a sync that it makes. */
export interface SyncState {
  /** What it told last. */
  readonly progress?: SyncProgress
  /** It has lost its connection. */
  readonly isLost?: boolean
  /** Everybody without whom something is not done, from its last answer. */
  readonly blockedBy?: readonly AffectedPerson[]
}

/** How a device's work gets to the server, and what did not: who must act, and what somebody decides about. */
export class AssentSync extends HTMLElement {
  static readonly observedAttributes = ["lang"]

  /** Whoever is signed in, who is set before the element is put into the page. */
  person: Caller | undefined
  /** The screens for a time without a connection, where the page has kept them; otherwise the server is asked. */
  views: GetOfflineViewsResponse | undefined

  private readonly root = make("div", { class: "root", part: "root" })
  private readonly status = make("p", { class: "sr", role: "status" })
  private readonly sync = make("div", { class: "parts" })
  private readonly decisions = make("div", { class: "parts" })
  private readonly asking = new Asking()
  private readonly speech: Speech<SyncWords> = new Speech(syncing, this, this.root, () => this.spoken())
  private readonly acts: Acts = {
    page: (action, personId = "") => this.tell("assent-sync-act", { action, personId }),
    decide: (action, outcome) => void this.decide(action, outcome),
    lead: () => this.decisions.querySelector<HTMLElement>("h2")?.focus(),
  }
  private items: Items | undefined
  private now: SyncState = {}
  private asked: Promise<GetOfflineViewsResponse> | undefined
  private locale = ""
  /** What was said of the sync. */
  private said = ""

  constructor() {
    super()
    const shadow = this.attachShadow({ mode: "open" })
    shadow.adoptedStyleSheets = [look]
    this.root.append(this.status, this.sync, this.decisions, this.asking.element)
    shadow.append(this.root)
  }

  connectedCallback(): void {
    if (!this.person) return
    this.items = new Items(this.person, () => this.tag)
    this.speech.connect()
  }

  disconnectedCallback(): void {
    this.speech.disconnect()
    this.locale = ""
  }

  attributeChangedCallback(): void {
    if (this.isConnected) void this.speech.listen()
  }

  // MARK: what a page uses

  /** How far the page's sync is. */
  get state(): SyncState {
    return this.now
  }

  set state(state: SyncState) {
    const hasEnded = state.progress?.phase === "SYNC_PHASE_DONE" && this.now.progress?.phase !== "SYNC_PHASE_DONE"
    this.now = state
    void this.attempt(() => this.showSync())
    // What failed in it is on the server from now on.
    if (hasEnded && this.locale) void this.refresh()
  }

  /** Reads anew what there is to decide about. */
  async refresh(): Promise<void> {
    await this.attempt(async () => {
      await this.items?.read()
      this.showItems()
    })
  }

  // MARK: what is shown

  private get tag(): string {
    return inherited(this, "lang") ?? browserLanguage()
  }

  /** There are words, or others than before. */
  private spoken(): void {
    if (this.tag === this.locale) return
    // Views that a page has kept are in the language in which it got them.
    if (this.locale) this.views = undefined
    this.locale = this.tag
    void this.attempt(() => this.showSync())
    void this.refresh()
  }

  private async showSync(): Promise<void> {
    const state = this.now, { progress, isLost = false, blockedBy = [] } = state
    if (!this.locale || !this.person) return
    if (!progress && !isLost && blockedBy.length === 0) return this.sync.replaceChildren()
    const views = this.views ?? await this.offlineViews(this.person)
    // Another state may have come meanwhile.
    if (state !== this.now) return
    const shown = progress && !isLost ? this.progressing(progress, views) : undefined
    const isAsBefore = shown && blockedBy.length === 0 && this.sync.childElementCount === 1
    if (isAsBefore && went(this.sync.firstElementChild!, shown)) return
    const people = blockedBy.map((each) =>
      blocked(each, views, each.person?.personId === this.person?.personId, this.acts))
    const hadFocus = this.sync.contains(this.shadowRoot?.activeElement ?? null)
    this.sync.replaceChildren(
      ...isLost ? [lost(views.connectionError ?? {}, this.acts)] : [], ...shown ? [going(shown)] : [],
      ...people.length > 0 ? [make("ul", { class: "list", part: "people" }, ...people)] : [])
    if (hadFocus) this.sync.querySelector<HTMLElement>("button, h2")?.focus()
    const said = [...this.sync.querySelectorAll("h2, h3")].map((title) => title.textContent).join(". ")
    if (said !== this.said) this.status.textContent = this.said = said
  }

  private offlineViews(person: Caller): Promise<GetOfflineViewsResponse> {
    this.asked ??= new Client(settings(person.access)).service(ViewService).getOfflineViews({ locale: this.tag })
      .finally(() => (this.asked = undefined))
    return this.asked.then((views) => (this.views = views))
  }

  private progressing(progress: SyncProgress, views: GetOfflineViewsResponse) {
    const view = progress.phase === "SYNC_PHASE_DONE" ? views.syncDone
      : progress.phase === "SYNC_PHASE_DOWNLOADING" ? views.downloading : views.uploading
    const numbers = { completed: `${progress.completed ?? 0}`, total: `${progress.total ?? 0}` }
    const counted = !view?.description?.includes("{total}") || Number(progress.total ?? 0) > 0
    return { ...view, progress, description: counted ? filled(view?.description ?? "", numbers) : "" }
  }

  private showItems(): void {
    const { view } = this.items ?? {}, all = this.items?.all ?? []
    // Whoever never had anything to decide need not hear that there is nothing.
    if (all.length === 0 && !this.decisions.hasChildNodes()) return this.listed()
    const cards = all.map((each) => card(each, this.speech.words, this.tag, this.acts))
    if (!this.decisions.hasChildNodes()) this.status.textContent = view?.barTitle ?? ""
    this.decisions.replaceChildren(list(view ?? {}, cards, () => void this.more()))
    set(this.decisions, { lang: view?.locale, dir: view?.rightToLeft ? "rtl" : "ltr" })
    this.listed()
  }

  private listed(): void {
    this.tell("assent-sync-items", { count: this.items?.all.length ?? 0, hasMore: this.items?.hasMore ?? false })
  }

  // MARK: what people do

  private async more(): Promise<void> {
    const before = this.items?.all.length ?? 0
    await this.busy("[part=more]", async () => {
      await this.items?.more()
      this.showItems()
      const first = this.items?.all[before]?.outcome
      if (first) this.focusOn(first)
    })
  }

  private async decide(action: AccountAction, outcome: ItemOutcome): Promise<void> {
    const { words } = this.speech, { items } = this
    if (!items || this.root.ariaBusy) return
    const isGivenUp = action === "ACCOUNT_ACTION_DISCARD_ITEM"
    if (isGivenUp && !await this.asking.ask(words.askTitle, words.askText, words.keep, words.discard)) return
    const at = items.all.findIndex((each) => each.outcome === outcome)
    await this.busy(`#${CSS.escape(key(outcome))} [data-action=${action}]`, async () => {
      const decided = await items.decide(action, outcome)
      this.showItems()
      this.status.textContent = filled(words[decided.said], { what: outcome.title ?? "" })
      const isLeft = items.find(outcome)
      if (isLeft) this.remark(outcome, words[decided.said])
      this.focusOn(isLeft ? outcome : (items.all[at] ?? items.all.at(-1))?.outcome)
      this.tell("assent-sync-item", { action, outcome: decided.outcome })
    })
  }

  /** Says at an item that is still there why it is. */
  private remark(outcome: ItemOutcome, sentence: string): void {
    const words = filled(sentence, { what: outcome.title ?? "" })
    this.cardOf(outcome)?.querySelector(".choices")?.before(make("p", { class: "err", part: "note" }, words))
  }

  private cardOf(outcome: ItemOutcome): HTMLElement | null {
    return this.decisions.querySelector<HTMLElement>(`#${CSS.escape(key(outcome))}`)
  }

  private focusOn(outcome: ItemOutcome | undefined): void {
    const card = outcome && this.cardOf(outcome)
    ;(card ?? this.decisions).querySelector<HTMLElement>("[tabindex]")?.focus()
  }

  /** Does one thing at a time; its button shows that. */
  private async busy(selector: string, work: () => Promise<void>): Promise<void> {
    if (this.root.ariaBusy) return
    this.root.ariaBusy = "true"
    const pressed = this.root.querySelector(selector)
    if (pressed) set(pressed, { "aria-busy": "true" })
    try {
      await this.attempt(work)
    } finally {
      this.root.ariaBusy = null
      if (pressed) set(pressed, { "aria-busy": undefined })
    }
  }

  /** Does it, and says in words if it fails: what is shown stays. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    const { words } = this.speech
    try {
      await work()
      this.root.querySelector(".failure")?.remove()
    } catch (problem) {
      const isOut = isAway(problem)
      const again = button({ class: "btn", part: "try-again" }, () => void this.again(), words.tryAgain)
      this.root.querySelector(".failure")?.remove()
      this.root.append(make("div", { class: "failure" }, note(isOut ? words.away : words.failed, true), again))
      this.tell("assent-sync-error", { kind: isOut ? "away" : "broken", problem })
    }
  }

  private async again(): Promise<void> {
    await this.attempt(() => this.showSync())
    await this.refresh()
    this.acts.lead()
  }

  private tell<Name extends keyof SyncEvents>(name: Name, detail: SyncEvents[Name]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

customElements.define("assent-sync", AssentSync)

declare global {
  interface HTMLElementTagNameMap {
    "assent-sync": AssentSync
  }
  interface HTMLElementEventMap extends SyncEvents {}
}
