import type {
  ActionKind, ConsentScreen, ScreenButton,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make, set } from "../dom.js"
import type { Body, Host } from "./host.js"
import { icon } from "./icons.js"
import { tongue } from "./texts.js"

/** Answers of a decision look alike, and none of them is filled: filled means onward. */
const decisions: readonly ActionKind[] = [
  "ACTION_KIND_ALLOW", "ACTION_KIND_DENY", "ACTION_KIND_NOT_NOW", "ACTION_KIND_AGREE", "ACTION_KIND_DISAGREE",
]
/** They need nothing from the body. */
const ways: readonly ActionKind[] = ["ACTION_KIND_BACK", "ACTION_KIND_CANCEL", "ACTION_KIND_DISAGREE"]

/** One screen: a bar, a body, and tools at its end. */
export class Frame {
  readonly element: HTMLElement
  readonly bar = make("div", { class: "bar", part: "bar" })
  /** Scrolls, unless the screen is too low for that. */
  readonly scroller = make("div", { class: "body", part: "body" })
  /** What is said above the body: that the server is away, or why the screen is there. */
  readonly notices = make("div", { class: "notices" })
  private readonly tools = make("div", { class: "tools", part: "toolbar" })
  private readonly reason = make("p", { class: "reason", id: "reason" }, icon("info"), make("span"))
  /** What the bar shows: it is made anew only where that changes. */
  private shownBar = ""
  private isMeasured = false
  private readonly meter = make(
    "p", { class: "meter", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100" }, make("i"))

  constructor(public screen: ConsentScreen, readonly body: Body, private readonly host: Host) {
    this.element = make(
      "section", { class: "screen", part: "screen", "data-kind": kind(screen), lang: screen.locale,
        dir: screen.rightToLeft ? "rtl" : "ltr" },
      this.bar, this.scroller, this.tools)
    this.scroller.append(this.notices, ...body.content)
    const title = this.title
    if (title) {
      title.id ||= "title"
      set(this.element, { "aria-labelledby": "title" })
    }
    this.element.addEventListener("scroll", () => this.scrolled(), { capture: true, passive: true })
    const layout = screen.layout
    if (layout) {
      this.element.style.setProperty("--below", `${layout.learnMorePadding ?? 0}px`)
      this.element.style.setProperty("--landscape", `${layout.regularLandscapeMargin ?? 0}px`)
      this.element.style.setProperty("--portrait", `${layout.regularPortraitMargin ?? 0}px`)
    }
    this.show(undefined)
  }

  get title(): HTMLElement | null {
    return this.scroller.querySelector("h1")
  }

  focus(): void {
    this.title?.focus({ preventScroll: true })
  }

  /** The same screen in another state. */
  update(screen: ConsentScreen): void {
    this.screen = screen
    this.body.update?.(screen)
    this.shownBar = ""
  }

  /** @param pending - what is being done: its button is busy, and no other does anything */
  show(pending: ActionKind | undefined): void {
    const { navigationBar: bar, toolbar } = this.screen
    this.showBar(pending)
    const buttons = toolbar?.buttons ?? []
    const wait = this.body.waits?.()
    const read = this.body.read?.()
    if (read !== undefined) {
      const percent = Math.round(read * 100);
      (this.meter.firstElementChild as HTMLElement).style.inlineSize = `${percent}%`
      set(this.meter, { "aria-valuenow": `${percent}`, "aria-label": this.host.words.readSoFar })
    }
    this.reason.lastElementChild!.textContent = wait ?? ""
    // A button that has the focus stays the same one.
    const kept = new Map([...this.tools.querySelectorAll<HTMLButtonElement>("button")].map((each) =>
      [each.dataset["action"], each]))
    const shown = buttons.map((each) => this.tool(each, kept.get(each.action), pending, wait))
    const content = [...read === undefined ? [] : [this.meter], ...wait ? [this.reason] : [], ...shown]
    const stands = [...this.tools.children]
    const isOther = content.length !== stands.length || content.some((each, at) => each !== stands[at])
    if (isOther) this.tools.replaceChildren(...content)
    const isDecision = buttons.some(({ action }) => decisions.includes(action!))
    set(this.tools, { "data-bare": !isDecision, hidden: content.length === 0 })
    set(this.element, { "aria-busy": pending ? "true" : undefined, "data-page": bar?.page ? `${bar.page}` : undefined })
    // With the layout of the next frame, which is made in any case: asked for now, it would be made once more.
    if (pending || this.isMeasured) return
    this.isMeasured = true
    requestAnimationFrame(() => {
      this.isMeasured = false
      this.scrolled()
    })
  }

  private tool(
    shown: ScreenButton, before: HTMLButtonElement | undefined, pending: ActionKind | undefined,
    wait: string | undefined,
  ): HTMLButtonElement {
    const action = shown.action!, isDecision = decisions.includes(action)
    const element: HTMLButtonElement = before
      ?? button({ "data-action": action }, () => void this.press(element, action))
    const isWaiting = !!wait && !ways.includes(action)
    const isOff = (!shown.enabled && !this.screen.alert) || isWaiting
    if (element.textContent !== shown.title) element.textContent = shown.title ?? ""
    set(element, {
      class: `btn ${isDecision ? "say" : "go"}`, part: part(action), "aria-disabled": isOff ? "true" : undefined,
      "aria-describedby": isOff && wait ? "reason" : undefined, "aria-busy": pending === action ? "true" : undefined,
      ...tongue(this.screen, `toolbar.buttons[${word(action)}]`),
    })
    return element
  }

  private async press(element: HTMLButtonElement, action: ActionKind): Promise<void> {
    if (element.getAttribute("aria-disabled")) return this.body.point?.()
    const asks = !ways.includes(action) && this.body.given
    const given = asks ? await this.body.given!(action) : {}
    if (given) this.host.act({ kind: action, ...given })
  }

  private showBar(pending: ActionKind | undefined): void {
    const { screen } = this
    const bar = screen.navigationBar ?? {}
    const isBusy = !!pending && [bar.leading?.action, bar.trailing?.action].includes(pending)
    const shownBar = JSON.stringify([bar, !!screen.alert, isBusy && pending])
    if (shownBar === this.shownBar) return
    this.shownBar = shownBar
    const ends = (["leading", "trailing"] as const).map((end) => {
      const shown = bar[end]
      // Under an alert nothing is offered, but all stays where it is.
      if (!shown || !(shown.enabled || screen.alert)) return make("span", { class: end })
      const isBack = shown.action === "ACTION_KIND_BACK"
      const element = button(
        { class: `btn bare ${end}`, part: part(shown.action!), "data-action": shown.action,
          "aria-busy": pending === shown.action ? "true" : undefined, ...tongue(screen, `navigation_bar.${end}`) },
        () => void this.press(element, shown.action!),
        ...isBack ? [icon("back")] : [], make("span", {}, shown.title ?? ""))
      return element
    })
    const isCount = !!bar.pageLabel && bar.title === bar.pageLabel
    const language = tongue(screen, "navigation_bar.page_label")
    const counted = bar.pageLabel ? [make("small", { id: "page", part: "page", ...language }, bar.pageLabel)] : []
    // What the heading says as well is said here only when the heading has gone out of sight.
    const repeats = [...this.scroller.querySelectorAll("h1, h2")].some((heading) => heading.textContent === bar.title)
    const title = bar.title && !isCount && !(counted.length && repeats)
      ? [make("span", { class: "name", "data-repeats": repeats, "aria-hidden": repeats ? "true" : undefined,
        ...tongue(screen, "navigation_bar.title") }, bar.title)] : []
    const focused = this.bar.querySelector(":focus")?.getAttribute("data-action")
    this.bar.replaceChildren(ends[0]!, make("div", { class: "middle" }, ...title, ...counted), ends[1]!)
    if (focused) this.bar.querySelector<HTMLElement>(`[data-action=${focused}]`)?.focus()
    set(this.bar, { hidden: !bar.leading && !bar.trailing && !bar.title && !bar.pageLabel })
    if (this.title && counted.length) set(this.title, { "aria-describedby": "page" })
  }

  private scrolled(): void {
    const top = Math.max(this.scroller.scrollTop, this.element.scrollTop)
    this.bar.toggleAttribute("data-scrolled", top > 0 && !!this.screen.navigationBar?.shadowWhileScrolled)
    const { scrollHeight, scrollTop, clientHeight } = this.scroller
    this.tools.toggleAttribute("data-under", scrollHeight - scrollTop - clientHeight > 1)
    const title = this.title
    const isGone = !!title && title.getBoundingClientRect().bottom < this.bar.getBoundingClientRect().bottom
    this.bar.toggleAttribute("data-past-title", isGone)
    if (this.body.read) {
      const percent = Math.round(this.body.read() * 100);
      (this.meter.firstElementChild as HTMLElement).style.inlineSize = `${percent}%`
      set(this.meter, { "aria-valuenow": `${percent}` })
    }
  }
}

/** ACTION_KIND_NOT_NOW as the names of texts have it: not_now. */
export function word(action: ActionKind): string {
  return action.slice("ACTION_KIND_".length).toLowerCase()
}

/** ... and as parts have it: not-now. */
export function part(action: ActionKind): string {
  return word(action).replaceAll("_", "-")
}

function kind(screen: ConsentScreen): string {
  return (screen.kind ?? "").slice("SCREEN_KIND_".length).toLowerCase()
}
