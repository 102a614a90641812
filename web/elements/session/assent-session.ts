import type {
  ActionKind, ConsentScreen, FlowAction, LearnMore, SessionView,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { Patience } from "../../session/patience.js"
import { Server, type Access } from "../../session/server.js"
import { Walk, type Halt, type Remark } from "../../session/walk.js"
import { browserLanguage, language, type Language } from "../../words/language.js"
import { session as dictionary, type SessionWords } from "../../words/session/words.js"
import { button, make, set } from "../dom.js"
import { Sheet } from "../sheet.js"
import { inherited } from "../speech.js"
import { Alert } from "./alert.js"
import { Assets } from "./assets.js"
import type { Authenticate, SessionEvents } from "./events.js"
import { Frame } from "./frame.js"
import { BackButton } from "./back-button.js"
import type { Body, Host } from "./host.js"
import { Illustration } from "./illustration.js"
import { look } from "./look.js"
import { fragment } from "./markup.js"
import { Notice } from "./notice.js"
import { pictures } from "./pictures.js"
import { screens } from "./screens/screens.js"
import { Stage } from "./stage.js"
import { heading, lines, paragraphs, tongue } from "./texts.js"

/** A consent session, from its first screen to its last. The server decides; docs/web.md tells how it is used. */
export class AssentSession extends HTMLElement {
  static readonly observedAttributes = ["history", "lang", "server", "session"]

  /** A token in place of the browser's cookie, or what gives one for each call. */
  token: Access["token"]
  /** Headers of every call. */
  headers: Readonly<Record<string, string>> = {}
  /** What sends calls, in place of the browser's fetch. */
  fetch: typeof fetch | undefined
  /** Whether `fetch` answers in the server's place. */
  isAway = false
  /** Proves that the signer has just authenticated, for signatures that ask for that. */
  authenticate: Authenticate | undefined

  private readonly stage = new Stage()
  private readonly alert = new Alert()
  private readonly more = new Sheet("more", () => this.closeMore())
  private readonly status = make("p", { class: "sr", role: "status" })
  private readonly alertStatus = make("p", { class: "sr", role: "status" })
  private readonly notice = new Notice(() => this.patience?.retry())
  private readonly root = make("div", { class: "root", part: "root" })
  private readonly backButton = new BackButton((wanted) => this.goBack(wanted))
  private spoken: Language<SessionWords> = dictionary.english
  private locale = "en"
  private patience: Patience | undefined
  private walk: Walk | undefined
  private host: Host | undefined
  private doing: { action: ActionKind, screen: ConsentScreen } | undefined
  private given: SessionView | undefined
  private hasEnded = false
  private wasAway = false
  private moreLink: HTMLElement | undefined

  constructor() {
    super()
    const shadow = this.attachShadow({ mode: "open" })
    shadow.adoptedStyleSheets = [look]
    this.alert.element.append(this.alertStatus)
    this.root.append(
      make("slot", { name: "brand" }), this.stage.element, this.status, this.alert.element, this.more.element)
    shadow.append(this.root)
  }

  connectedCallback(): void {
    this.backButton.connect()
    this.begin()
  }

  disconnectedCallback(): void {
    this.backButton.disconnect()
    this.stop()
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (this.isConnected && before !== after && (name === "session" || name === "server")) this.begin()
  }

  // MARK: what a page uses

  /** What the server answered last. A page that has just had an answer sets it before it names the session. */
  get view(): SessionView | undefined {
    return this.walk?.view ?? this.given
  }

  set view(view: SessionView | undefined) {
    this.given = view
  }

  /** Asks the server where the session is. */
  async refresh(): Promise<void> {
    await this.walk?.begin()
  }

  /** Goes on in another language; a session that another browser has taken over goes on here. */
  async resume(locale = ""): Promise<void> {
    await this.walk?.resume(locale)
  }

  /** Does something that the screen offers, as its button would. */
  async act(action: FlowAction): Promise<void> {
    if (!this.walk?.view?.screen?.offered?.includes(action.kind!)) return
    this.doing = { action: action.kind!, screen: this.walk.view.screen }
    await this.walk.act(action)
  }

  // MARK: the session

  private begin(): void {
    this.stop()
    const sessionId = this.getAttribute("session")
    if (!sessionId) return
    const patience = this.patience = new Patience(() => this.show())
    const server = new Server({
      url: this.getAttribute("server") ?? "", headers: this.headers, isAway: this.isAway,
      ...this.token === undefined ? {} : { token: this.token }, ...this.fetch ? { fetch: this.fetch } : {},
    })
    const walk = this.walk = new Walk(server, sessionId, patience, {
      shown: (view, remark) => void this.shown(view, remark),
      refused: (rule) => this.refused(rule),
      halted: (halt, problem) => this.halted(halt, problem),
      changed: () => this.show(),
    })
    this.host = this.hosting(server, patience, walk)
    this.hasEnded = false
    this.backButton.sessionId = this.hasAttribute("history") ? sessionId : undefined
    const { given } = this
    this.given = undefined
    void this.speak(inherited(this, "lang") ?? browserLanguage()).then(
      () => given?.screen && given.sessionId === sessionId ? walk.take(given) : walk.begin())
  }

  private stop(): void {
    this.patience?.end()
    this.host?.assets.end()
    this.stage.frame?.body.ended?.()
    this.alert.close()
    this.more.step()
    this.notice.hide()
  }

  private hosting(server: Server, patience: Patience, walk: Walk): Host {
    const element = this, assets = new Assets(server, patience), memory = {}
    return {
      server, patience, assets, memory,
      get words() { return element.spoken.words },
      get locale() { return element.locale },
      get view() { return walk.view ?? {} },
      get authenticate() { return element.authenticate },
      act: (action) => void this.act(action),
      say: (sentence) => this.say(sentence),
      changed: () => this.show(),
      open: (more, from) => this.open(more, from),
      resume: () => void this.resume(),
      leave: (way) => this.tell("assent-way", { way }),
    }
  }

  private async speak(tag: string): Promise<void> {
    if (tag !== this.locale || this.spoken === dictionary.english) this.spoken = await language(tag, dictionary)
    this.locale = tag
    set(this.root, { lang: this.spoken.tag, dir: this.spoken.direction })
  }

  private async shown(view: SessionView, remark: Remark | undefined): Promise<void> {
    const screen = view.screen!, doing = this.doing
    this.doing = undefined
    await this.speak(screen.requestedLocale || this.locale)
    const frame = this.stage.frame
    if (frame && isSame(frame.screen, screen)) frame.update(screen)
    else this.arrive(screen)
    this.show()
    if (remark) this.say(this.spoken.words[remark])
    this.backButton.offer(screen.offered ?? [])
    this.tell("assent-screen", { screen })
    const action = doing && decided(doing.action, doing.screen, screen)
    if (action) this.tell("assent-decision", { action, stepId: doing.screen.stepId ?? "" })
    const { outcome } = view
    const isEnd = !!outcome && outcome !== "SESSION_OUTCOME_UNSPECIFIED"
    if (isEnd && !this.hasEnded) this.tell("assent-complete", { outcome, recordIds: view.recordIds ?? [] })
    // One that was quit may go on, and ends once more.
    this.hasEnded = isEnd
  }

  /** A new screen comes; the title takes the focus, but not from the page when the session opens. */
  private arrive(screen: ConsentScreen, body?: Body): void {
    const before = this.stage.frame
    this.more.step()
    const show = screens[screen.kind!] ?? screens.SCREEN_KIND_PLAIN!
    const frame = new Frame(screen, body ?? show(screen, this.host!), this.host!)
    const [from, to] = [before?.body.illustration, frame.body.illustration]
    if (from && to && screen.transition === "SCREEN_TRANSITION_SECTION") {
      // Before the frame is there, so that style and layout of all of it are made once.
      const { pace } = from
      to.element.replaceWith(from.element)
      from.show(to.picture, to.alt, pace)
      frame.body.illustration = from
    }
    void this.stage.show(frame, screen.transition)
    frame.body.arrived?.()
    if (!screen.alert) this.alert.close()
    if (before) frame.focus()
  }

  private refused(rule: string): void {
    this.alert.close()
    const isSaid = this.stage.frame?.body.refused?.(rule)
    if (!isSaid) this.say(this.spoken.words.notTaken)
  }

  private halted(kind: Halt, problem: unknown): void {
    const { words } = this.spoken
    this.tell("assent-error", { kind, problem })
    if (kind === "elsewhere") {
      this.alert.ask({
        title: words.elsewhereTitle, message: words.elsewhere,
        answers: [
          { title: words.close, act: () => this.tell("assent-way", { way: "close" }) },
          { title: words.useHere, act: () => void this.resume() },
        ],
      })
      return
    }
    const again = button({ class: "btn", part: "try-again" }, () => void this.walk?.begin(), words.tryAgain)
    this.pause(kind === "gone" ? words.goneTitle : words.brokenTitle, words[kind], [again])
  }

  /** A screen of the element's own, where the server has none. */
  private pause(title: string, text: string, more: Node[]): void {
    const { tag, direction } = this.spoken
    const screen: ConsentScreen = {
      id: `own/${title}`, kind: "SCREEN_KIND_PLAIN", title, text, locale: tag, rightToLeft: direction === "rtl",
      navigationBar: { shadowWhileScrolled: true },
    }
    if (this.stage.frame?.screen.id === screen.id) return
    const illustration = new Illustration(pictures.away!, "")
    this.arrive(screen, { content: [illustration.element, heading(screen), ...paragraphs(screen), ...more] })
  }

  private goBack(wanted: ActionKind): void {
    if (this.more.isOpen) this.closeMore()
    else void this.act({ kind: wanted })
  }

  // MARK: what is seen and heard

  /** Shows what is under way: busy buttons, and that the server is away. */
  private show(): void {
    // Calls that end with the element have nothing to show.
    if (!this.isConnected) return
    const pending = this.walk?.pending?.kind, view = this.walk?.view, absence = this.patience?.absence
    if (view?.screen) this.alertOf(view.screen, pending)
    const { words } = this.spoken
    if (absence && !view) this.pause(words.away, words.waiting, [])
    const frame = this.stage.frame
    frame?.show(pending)
    if (absence) {
      const sentence = !view ? words.waiting
        : frame?.screen.kind === "SCREEN_KIND_SIGNATURE" ? words.inkKept : words.kept
      this.notice.show(absence, sentence, words, this.locale)
      const place = this.alert.isOpen ? this.alert.notices : frame?.notices
      if (place && this.notice.element.parentElement !== place) place.append(this.notice.element)
      if (!this.wasAway) {
        this.say(`${words.away}. ${sentence}`)
        this.tell("assent-error", { kind: "away", problem: undefined })
      }
    } else if (this.wasAway) {
      this.notice.hide()
      this.say(words.backAgain)
    }
    this.wasAway = !!absence
  }

  private alertOf(screen: ConsentScreen, pending: ActionKind | undefined): void {
    // While an action of the screen itself is under way, the answer decides whether there is an alert.
    if (this.stage.frame?.screen.id === screen.id) this.alert.show(screen, (action) => void this.act(action), pending)
  }

  private open(more: LearnMore, from: HTMLElement): void {
    const screen = this.walk?.view?.screen ?? {}, { words } = this.spoken
    this.moreLink = from
    set(this.more.element, { lang: screen.locale, dir: screen.rightToLeft ? "rtl" : "ltr" })
    this.more.cancel.textContent = words.done
    set(this.more.cancel, { part: "done", lang: this.spoken.tag })
    this.more.title.textContent = more.title ?? ""
    const text = make("div", { class: "read markup", ...tongue(screen, "learn_more.html") })
    if (more.html) text.append(fragment(more.html, this.host!.assets.load))
    else text.append(...lines(more.text ?? ""))
    this.more.fill(text)
    this.more.open(this.more.title)
  }

  private closeMore(): void {
    void this.more.close().then(() => this.moreLink?.focus())
  }

  private say(sentence: string): void {
    this.status.textContent = this.alert.isOpen ? "" : sentence
    this.alertStatus.textContent = this.alert.isOpen ? sentence : ""
  }

  private tell<Name extends keyof SessionEvents>(name: Name, detail: SessionEvents[Name]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

/** Whether it is the same screen, perhaps in another state: read to its end, or under an alert. */
function isSame(one: ConsentScreen, other: ConsentScreen): boolean {
  const place = ({ id }: ConsentScreen) => (id ?? "").replace(/!(?!closed).*$/, "").replace(/\+read$/, "")
  return place(one) === place(other) && one.kind === other.kind && one.locale === other.locale
    && one.requestedLocale === other.requestedLocale && one.title === other.title
}

/** What the person has decided by an action, which led to the next screen; undefined for all that decides nothing. */
function decided(action: ActionKind, screen: ConsentScreen, next: ConsentScreen): ActionKind | undefined {
  switch (action) {
    case "ACTION_KIND_ALLOW":
    case "ACTION_KIND_SHARE":
    case "ACTION_KIND_SIGN": return action
    case "ACTION_KIND_NOT_NOW":
    case "ACTION_KIND_DISAGREE":
      // What an earlier consent is to become is asked first.
      return next.alert?.kind === "ALERT_KIND_EARLIER_CONSENT" ? undefined : action
    case "ACTION_KIND_CONFIRM":
      switch (screen.alert?.kind) {
        case "ALERT_KIND_CONFIRM_AGREEMENT": return "ACTION_KIND_AGREE"
        case "ALERT_KIND_CONSENT_NEEDED": return "ACTION_KIND_DENY"
        case "ALERT_KIND_EARLIER_CONSENT":
          return screen.kind === "SCREEN_KIND_FORM" ? "ACTION_KIND_NOT_NOW" : "ACTION_KIND_DISAGREE"
        default: return undefined
      }
    default: return undefined
  }
}

customElements.define("assent-session", AssentSession)

declare global {
  interface HTMLElementTagNameMap {
    "assent-session": AssentSession
  }
  interface HTMLElementEventMap extends SessionEvents {}
}
