import type {
  AccountAction, AccountItem, AccountView, AccountViewKind, GetAccountViewRequest,
} from "../../../clients/typescript/src/contract/account_v1.js"
import type { Device } from "../../device/device.js"
import { Person } from "../../device/person.js"
import type { Brought } from "../../device/provider.js"
import { browserLanguage, filled } from "../../words/language.js"
import { accounts, type AccountWords } from "../../words/accounts/words.js"
import { button, make, set, styled } from "../dom.js"
import controls from "../look/controls.css"
import pieces from "../look/pieces.css"
import tokens from "../look/tokens.css"
import moreTokens from "../session/tokens.css"
import { inherited, Speech } from "../speech.js"
import style from "./accounts.css"
import type { AccountEvents } from "./events.js"
import {
  type Acts, application, barButton, buttons, decision, field, isPolicy, judge, note, policy, progress, row, subject,
  wake,
} from "./parts.js"
import { AccountWalk, type SigningIn } from "./walk.js"

const look = styled(tokens, moreTokens, controls, pieces, style)
const outside: AccountAction = "ACCOUNT_ACTION_SIGN_IN_WITH_IDENTITY"
/** Notes of what went well. */
const calm: readonly (keyof AccountWords)[] = ["changed", "notAdded", "mustChange", "sayName"]

/** The screens of a device that people share. What they show the server says; docs/web.md tells how it is used. */
export class AssentAccounts extends HTMLElement {
  static readonly observedAttributes = ["lang"]

  /** The device, which is set before the element is put into the page. */
  device: Device | undefined
  /** Whoever is signed in, for what only they may see. */
  person: Person | undefined
  /** Signs somebody in, in place of `Person.signIn`; undefined: the page goes on by itself. */
  signIn: SigningIn["signIn"] | undefined
  /** What an OpenID provider has sent the browser back to the page with, which is set before the device is used. */
  brought: Brought | undefined
  /** Is told of a passcode before another one takes its place. */
  changing: SigningIn["changing"] | undefined

  private readonly root = make("div", { class: "root", part: "root" })
  private readonly status = make("p", { class: "sr", role: "status" })
  private readonly speech: Speech<AccountWords> = new Speech(accounts, this, this.root, () => this.spoken())
  private walk: AccountWalk | undefined
  private readonly acts: Acts = {
    act: (action, about) => void this.press(action, about),
    search: (query) => {
      if (!this.root.ariaBusy) void this.walk?.search(query)
    },
  }
  private values: Record<string, string> = {}
  private searching: ReturnType<typeof setTimeout> | undefined
  private locale = ""

  constructor() {
    super()
    const shadow = this.attachShadow({ mode: "open" })
    shadow.adoptedStyleSheets = [look]
    shadow.append(this.root)
    this.root.append(this.status)
    this.root.addEventListener("submit", (event) => {
      event.preventDefault()
      const go = this.root.querySelector<HTMLButtonElement>("[part=go]:enabled")
      const issuer = go?.dataset["issuer"]
      if (go) void this.press(go.dataset["action"] as AccountAction, issuer ? { issuer } : {})
    })
    this.root.addEventListener("input", (event) => this.typed(event.target as HTMLInputElement))
  }

  connectedCallback(): void {
    const { device } = this
    if (!device) return
    this.walk = new AccountWalk(device, () => this.tag, {
      shown: (view, about, isNew) => this.shown(view, about, isNew),
      waits: (sentence) => this.root.querySelector("[part=text]")?.replaceChildren(sentence),
      refused: (about) => this.refused(about),
      consent: (sessionId) => void this.consent(sessionId).catch((problem: unknown) => this.lost(problem)),
      signedIn: (person) => this.tell("assent-signed-in", { person }),
      act: (action, issuer) => this.tell("assent-account-act", { action, ...issuer ? { issuer } : {} }),
      trouble: (kind, problem) => this.tell("assent-account-error", { kind, problem }),
    }, () => this.person, {
      signIn: (personId, passcode) =>
        this.signIn ? this.signIn(personId, passcode) : Person.signIn(device, personId, passcode),
      changing: async (personId, passcode) => this.changing?.(personId, passcode),
    })
    this.speech.connect()
  }

  disconnectedCallback(): void {
    this.speech.disconnect()
    this.walk?.end()
  }

  attributeChangedCallback(): void {
    if (this.isConnected) void this.speech.listen()
  }

  // MARK: what a page uses

  /** What the server answered last. */
  get view(): AccountView | undefined {
    return this.walk?.view
  }

  /** Shows a screen, such as those of a sync. */
  async show(kind: AccountViewKind, more: Omit<GetAccountViewRequest, "kind" | "locale"> = {}): Promise<void> {
    try {
      await this.walk?.show(kind, more)
    } catch (problem) {
      this.lost(problem)
    }
  }

  /** Says a sentence above the screen, such as why the person is signed out. */
  say(sentence: string): void {
    this.root.querySelector("#note")?.replaceWith(note(sentence, false))
  }

  // MARK: the screens

  private get tag(): string {
    return inherited(this, "lang") ?? browserLanguage()
  }

  /** There are words, or others than before. */
  private spoken(): void {
    if (this.tag === this.locale || !this.walk) return
    this.locale = this.tag
    void this.walk.again().then(() => this.back(), (problem: unknown) => this.lost(problem))
  }

  /** Goes on with what a provider has sent, once there is a screen on which something can be said of it. */
  private async back(): Promise<void> {
    const { brought } = this
    if (!brought) return
    this.brought = undefined
    this.root.ariaBusy = "true"
    try {
      await this.walk?.finish(brought)
    } finally {
      this.root.ariaBusy = null
    }
  }

  private async press(
    action: AccountAction, about: { personId?: string, item?: AccountItem, issuer?: string } = {},
  ): Promise<void> {
    if (action === "ACCOUNT_ACTION_SEARCH") return this.root.querySelector<HTMLElement>("#query")?.focus()
    if (this.root.ariaBusy) return
    this.root.ariaBusy = "true"
    clearTimeout(this.searching)
    const { item, ...rest } = about
    try {
      if (action === outside && this.getAttribute("identity") === "pages") await this.walk?.leave(about.issuer ?? "")
      else await this.walk?.act(action, this.values, { ...rest, ...item?.outcome ? { item: item.outcome } : {} })
    } finally {
      this.root.ariaBusy = null
    }
  }

  private typed(input: HTMLInputElement): void {
    this.values[input.id] = input.value
    wake(this.root, this.values)
    if (input.getAttribute("aria-describedby")?.endsWith("rules")) judge(this.root, input.value)
    if (input.id !== "query") return
    clearTimeout(this.searching)
    this.searching = setTimeout(() => this.acts.search(input.value), 200)
  }

  private shown(answer: AccountView, about: keyof AccountWords | undefined, isNew: boolean): void {
    // An outside identity is the page's matter: a page that knows none shows no button for it. The gateway's own pages
    // are led to the providers that know them.
    const ways = this.getAttribute("identity")
    const view = { ...answer, buttons: answer.buttons?.filter(({ action, onPages }) =>
      action !== outside || ways !== null && (ways !== "pages" || onPages)) ?? [] }
    const before = this.root.querySelector("section"), focused = this.shadowRoot?.activeElement?.id
    if (isNew) this.values = { code: this.values["code"] ?? "" }
    for (const { id, secure } of view.fields ?? []) if (secure && isNew) delete this.values[id ?? ""]
    const screen = this.screen(view, about)
    if (before) before.replaceWith(screen)
    else this.root.append(screen)
    wake(screen, this.values)
    if (isNew && before) screen.querySelector<HTMLElement>("h1")?.focus()
    else if (focused) this.root.querySelector<HTMLElement>(`[id="${focused}"]`)?.focus()
    if (view.kind === "ACCOUNT_VIEW_KIND_SWITCH" && this.values["query"]) {
      this.status.textContent = view.people?.length
        ? filled(this.speech.words.found, { count: `${view.people.length}` }) : view.emptyText ?? ""
    }
    if (isNew) this.tell("assent-account-view", { kind: view.kind ?? "ACCOUNT_VIEW_KIND_UNSPECIFIED" })
  }

  private screen(view: AccountView, about: keyof AccountWords | undefined): HTMLElement {
    const text = about ? this.speech.words[about] : ""
    const said = text ? note(text, !calm.includes(about!)) : make("p", { id: "note", hidden: true })
    const title = view.title || view.barTitle || view.applicationTitle || view.person?.profile?.title || ""
    const isSwitch = view.kind === "ACCOUNT_VIEW_KIND_SWITCH"
    const heading = (words: string) => make("h1", { tabindex: "-1" }, words)
    const app = application(view)
    if (app && title === view.applicationTitle) app.querySelector("p")!.replaceWith(heading(title))
    const form = make("form", { class: "body", part: "body", novalidate: true })
    const person = view.person && !isSwitch ? [subject(view.person, view.personDescription ?? "")] : []
    const story = view.description ? [make("p", { class: "story", part: "text" }, view.description)] : []
    form.append(
      ...app ? [app] : [], ...view.title ? [heading(view.title)] : [],
      // What is wrong comes before who can mend it.
      ...view.personDescription ? [...story, ...person] : [...person, ...story],
      ...view.code ? [make("p", { class: "code", part: "code", dir: "ltr" }, view.code)] : [],
      ...view.progress ? [progress(view)] : [],
      ...(view.fields ?? []).flatMap((each) => [
        field(each, view, this.values[each.id ?? ""] ?? ""), ...isPolicy(each, view) ? [policy(view.rules ?? [])] : [],
      ]), said,
      ...isSwitch ? this.lists(view) : [], ...(view.items ?? []).map((each) => decision(each, this.acts)),
      ...view.emptyText ? [make("p", { class: "dim story" }, view.emptyText)] : [],
      buttons(view, this.acts, () => this.values))
    const bar = view.barTitle || view.leading
      ? [make("div", { class: "bar", part: "bar" },
        view.leading ? barButton(view.leading, this.acts) : make("span"),
        title === view.barTitle ? heading(title) : make("p", { class: "name" }, view.barTitle ?? ""),
        make("div", { class: "trailing" }, ...(view.trailing ?? []).map((each) => barButton(each, this.acts))))]
      : []
    return make(
      "section", { class: "screen", part: "screen", "data-kind": (view.kind ?? "").replace("ACCOUNT_VIEW_KIND_", ""),
        lang: view.locale, dir: view.rightToLeft ? "rtl" : "ltr" }, ...bar, form)
  }

  /** The current person apart, and the others. */
  private lists(view: AccountView): Node[] {
    const list = (heading: string, id: string, ...rows: HTMLElement[]) => rows.length === 0 && !heading ? [] : [
      make("h2", { class: "eyebrow", id }, heading),
      ...rows.length > 0 ? [make("ul", { class: "list", "aria-labelledby": id }, ...rows)] : []]
    return [
      ...list(view.currentHeading ?? "", "current", ...view.person ? [row(view.person, this.acts, true)] : []),
      ...list(view.peopleHeading ?? "", "others", ...(view.people ?? []).map((each) => row(each, this.acts, false)))]
  }

  /** Says why something was refused; a passcode is typed anew. */
  private refused(about: keyof AccountWords): void {
    this.root.querySelector("#note")?.replaceWith(note(this.speech.words[about], !calm.includes(about)))
    const secret = this.root.querySelector<HTMLInputElement>("input[type=password]")
    if (!secret || about === "away" || about.startsWith("provider")) return
    for (const input of this.root.querySelectorAll<HTMLInputElement>("input[type=password]")) {
      input.value = ""
      delete this.values[input.id]
    }
    wake(this.root, this.values)
    set(secret, { "aria-invalid": "true" })
    secret.focus()
  }

  /** No screen came, so the element has to say by itself what is wrong. */
  private lost(problem: unknown): void {
    const { words } = this.speech
    const again = button({ class: "btn go", part: "go" }, () => {
      this.locale = ""
      this.spoken()
    }, words.tryAgain)
    const screen = make(
      "section", { class: "screen", "data-kind": "LOST" },
      make("div", { class: "body" }, note(words.away, true), make("div", { class: "buttons" }, again)))
    const before = this.root.querySelector("section")
    if (before) before.replaceWith(screen)
    else this.root.append(screen)
    this.tell("assent-account-error", { kind: "away", problem })
  }

  /** The consent flow of somebody new, in place of the screen. */
  private async consent(sessionId: string): Promise<void> {
    await import("../session/assent-session.js")
    const session = make("assent-session", { session: sessionId, lang: this.tag })
    session.token = this.device!.access.token
    session.fetch = this.device!.access.fetch
    const screen = make("section", { class: "screen consent", "data-kind": "CONSENT" }, session)
    let isGood = false
    const end = () => void this.walk?.consented(isGood)
    session.addEventListener("assent-complete", ({ detail }) => {
      isGood = detail.outcome === "SESSION_OUTCOME_COMPLETED"
      screen.querySelector("footer")?.remove()
      screen.append(make("footer", {}, button({ class: "btn go", part: "go-on" }, end, this.speech.words.goOn)))
    })
    session.addEventListener("assent-way", end)
    this.root.querySelector("section")?.replaceWith(screen)
  }

  private tell<Name extends keyof AccountEvents>(name: Name, detail: AccountEvents[Name]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

customElements.define("assent-accounts", AssentAccounts)

declare global {
  interface HTMLElementTagNameMap {
    "assent-accounts": AssentAccounts
  }
  interface HTMLElementEventMap extends AccountEvents {}
}
