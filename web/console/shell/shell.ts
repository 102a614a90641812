import { PeopleService } from "../../../clients/typescript/src/contract/account_v1.js"
import { StudyService, type ConsentStudy } from "../../../clients/typescript/src/contract/consent_v1.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import { button, make, set } from "../../elements/dom.js"
import type { Words } from "../../words/console/words.js"
import type { Language } from "../../words/language.js"
import { all, Calls } from "../access/calls.js"
import { personOf, type Credentials, type Person } from "../access/person.js"
import { Rights } from "../access/rights.js"
import type { Context, Page } from "../context.js"
import { icon } from "../icons.js"
import { code, heading } from "../parts/marks.js"
import { refused } from "../parts/refused.js"
import { parsed, written, type Address } from "./address.js"
import { Palette } from "./palette.js"
import { open, places, things, type PlaceName } from "./pages.js"

const tickMs = 5000, quietMs = 400
const questions = "dialog[open]:not(.locked)"

/** Everything around the pages: the ways to them, who is signed in, what is live. */
export class Shell {
  private readonly calls: Calls
  private person: Person
  private readonly words: Words
  /** The language of the words. */
  private readonly locale: string
  private studies: ConsentStudy[] = []
  /** How the person is called, where there is a profile. */
  private name = ""
  private address: Address
  private page: Page | undefined
  /** The page that is being refreshed. */
  private refreshing: Page | undefined
  /** When the page is to be refreshed again. */
  private dueAt = 0
  /** Counts the pages that were asked for: one that comes late is not shown. */
  private turn = 0
  private readonly menu = make("nav", { id: "menu" })
  private readonly bar = make("header", { class: "hd" })
  private readonly main = make("main", { class: "page", id: "main" })
  private readonly status = make("p", { class: "toast", role: "status" })
  private readonly live = make("span", { class: "chip ok" })
  private readonly palette: Palette

  constructor(
    private readonly root: HTMLElement, private readonly credentials: Credentials, token: string,
    spoken: Language<Words>, signInAgain: () => Promise<void>,
  ) {
    this.calls = new Calls(() => credentials.access(), signInAgain)
    this.person = personOf(token)
    this.words = spoken.words
    this.locale = spoken.tag
    this.address = parsed(location.hash)
    this.palette = new Palette(() => this.context, () => this.finds)
  }

  async start(): Promise<void> {
    this.root.className = "app"
    this.root.replaceChildren(
      make("a", { href: "#main", class: "skip" }, this.words.shell.skip), this.menu, this.bar, this.main, this.status)
    this.root.querySelector(".skip")!.addEventListener("click", (event) => {
      event.preventDefault()
      this.focus()
    })
    const { profile } = await this.calls.make(PeopleService.getProfile, {}).catch(() => ({ profile: undefined }))
    this.name = profile?.title ?? ""
    addEventListener("hashchange", () => void this.open())
    setInterval(() => Date.now() >= this.dueAt && void this.refresh(), tickMs)
    document.addEventListener("visibilitychange", () => void this.refresh())
    await this.open()
  }

  private get study(): ConsentStudy | undefined {
    return this.studies.find(({ studyId }) => studyId === this.address.query["study"]) ?? this.studies[0]
  }

  private get context(): Context {
    const { calls, person, credentials, words, locale, address, studies, study } = this
    return {
      calls, person, credentials, words, locale, address, studies, study, rights: new Rights(person.grants),
      go: (page, id = "", query = {}) => { location.hash = written(page, id, { study: study?.studyId, ...query }) },
      again: () => this.open(),
      tell: (sentence) => this.tell(sentence), acts: new Map(),
    }
  }

  private get finds() {
    const query = { study: this.study?.studyId }
    return open(this.context.rights, query.study).map((name) => (
      { icon: places[name].icon, text: this.words.nav[name], href: written(name, "", query) }))
  }

  private tell(sentence: string): void {
    this.status.textContent = sentence
    this.status.toggleAttribute("data-on", true)
    setTimeout(() => this.status.toggleAttribute("data-on", false), 4000)
  }

  /** Opens what the address says. */
  private async open(): Promise<void> {
    const before = this.address
    const turn = ++this.turn
    this.address = parsed(location.hash)
    const isSame = before.page === this.address.page && before.id === this.address.id
    // What an earlier page asked is not about this one.
    if (!isSame) for (const dialog of document.querySelectorAll<HTMLDialogElement>(questions)) dialog.close()
    const slow = setTimeout(() => this.main.toggleAttribute("data-busy", true), quietMs)
    const place = places[this.address.page as PlaceName] ?? things[this.address.page] ?? places.home
    const loading = place.load().catch(() => undefined)
    try {
      this.person = personOf(await this.credentials.token())
      // Whoever has no role would be refused even the list of studies.
      const studies = this.person.grants.length === 0 ? [] : await all(async (pageToken) => {
        const { studies, nextPageToken } = await this.calls.make(StudyService.listStudies,
          { pageSize: 1000, pageToken })
        return { items: studies, next: nextPageToken }
      })
      if (turn !== this.turn) return
      this.studies = studies
      this.around()
      if (this.person.grants.length === 0) {
        const { noRole, noRoleWhy } = this.words.shell
        return this.show(undefined,
          heading(noRole), make("p", {}, code(this.person.id)), make("p", { class: "dim" }, noRoleWhy))
      }
      const module = await loading
      if (!module) throw new StatusError("unavailable", "the page was not loaded")
      if (turn !== this.turn) return
      const page = await module.open(this.context)
      if (turn !== this.turn) return page.left?.()
      document.title = `${page.title} · Assent`
      this.show(page, ...page.content)
      if (!isSame) this.focus()
    } catch (problem) {
      if (turn === this.turn) this.show(undefined, refused(problem, this.words, () => void this.open()))
    } finally {
      clearTimeout(slow)
      if (turn === this.turn) this.main.toggleAttribute("data-busy", false)
    }
  }

  private show(page: Page | undefined, ...content: readonly Node[]): void {
    this.page?.left?.()
    this.page = page
    const held = this.main.contains(document.activeElement) ? document.activeElement : null
    this.main.replaceChildren(...content)
    if (held) this.hold(held)
    if (page?.refresh) return this.tellLive(true)
    // Nothing keeps it up to date.
    this.live.className = ""
    this.live.replaceChildren()
  }

  /** Who goes by the keyboard stays where they were: at what is called the same, or else at the title. */
  private hold(before: Element): void {
    const name = called(before)
    const same = [...this.main.querySelectorAll<HTMLElement>(before.tagName)].find((each) => called(each) === name)
    const wanted = same?.matches(":disabled") ? undefined : same
    ;(wanted ?? this.main.querySelector<HTMLElement>("h1"))?.focus({ preventScroll: true })
  }

  private focus(): void {
    this.main.scrollTo(0, 0)
    this.main.querySelector<HTMLElement>("h1")?.focus()
  }

  private async refresh(): Promise<void> {
    const { page } = this
    if (!page?.refresh || this.refreshing === page) return
    if (document.visibilityState === "hidden" || document.querySelector("dialog[open]")) return
    this.refreshing = page
    const start = performance.now()
    const isLive = await page.refresh().then(() => true, () => false)
    if (this.refreshing === page) this.refreshing = undefined
    if (page === this.page) this.tellLive(isLive, performance.now() - start)
  }

  private tellLive(isLive: boolean, tookMs = 0): void {
    // What takes long is asked for less often.
    this.dueAt = isLive ? Date.now() + Math.max(this.page?.refreshMs ?? 0, 10 * tookMs) : 0
    this.live.className = isLive ? "chip ok" : "chip warn"
    this.live.replaceChildren(icon(isLive ? "check" : "warn"), isLive ? this.words.shell.live : this.words.shell.stale)
  }

  /** The navigation and the bar, for who is signed in and for the study that is looked at. */
  private around(): void {
    const { words, person, study, studies, address } = this
    const current = things[address.page]?.of ?? address.page
    const choice = make("select", { class: "in s", "aria-label": words.shell.study },
      ...studies.map(({ studyId = "", name = "" }) => make("option", { value: studyId }, name || studyId)))
    choice.value = study?.studyId ?? ""
    choice.addEventListener("change", () => {
      const page = things[address.page]?.of ?? address.page
      location.hash = written(page, "", { study: choice.value })
    })
    set(this.menu, { "aria-label": words.shell.menu })
    this.menu.replaceChildren(
      make("div", { class: "row brand" }, make("span", { class: "mark" }, icon("logo")), make("b", {}, "Assent")),
      ...studies.length > 0 ? [choice] : [],
      ...this.finds.map(({ icon: name, text, href }, at) => {
        const place = open(this.context.rights, study?.studyId)[at]
        return make("a", { href, "aria-current": place === current ? "page" : undefined }, icon(name), text)
      }))
    // A handler that answers false would stop the link that was pressed.
    this.menu.onclick = () => void this.root.toggleAttribute("data-menu", false)
    const toggle = button({ class: "btn bare s menu", "aria-controls": "menu" }, () =>
      this.root.toggleAttribute("data-menu"), icon("menu"), words.shell.menu)
    const leave = button({ class: "btn bare s" }, () => void this.leave(), words.shell.signOut)
    this.bar.replaceChildren(toggle,
      button({ class: "find" }, () => this.palette.open(), icon("search"), make("span", {}, words.find.title),
        make("kbd", { "aria-hidden": "true" }, "⌘K")),
      make("span", { class: "grow" }), this.live,
      make("span", { class: "who", title: person.id }, make("b", {}, this.name || person.id), " ",
        make("span", { class: "dim" }, person.tenant)), leave)
  }

  private async leave(): Promise<void> {
    await this.credentials.signOut().catch(() => undefined)
    location.reload()
  }
}

/** How a control is called. */
function called(element: Element): string {
  const { labels } = element as HTMLInputElement
  return element.ariaLabel ?? labels?.[0]?.textContent ?? element.textContent ?? ""
}
