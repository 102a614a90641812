import type { ConsentScreen, SessionView } from "../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../../elements/dom.js"
import type { Context } from "../context.js"

/** The element in which people see screens: it comes with the first preview, and not with the page. */
export const load = () => import("../../elements/session/assent-session.js")

/** Screens as people see them, in the element that people see them in. There is no session: only Next and Back work. */
export class Preview {
  readonly element: HTMLElement
  private screens: readonly ConsentScreen[] = []
  private at = 0
  private version = 0
  private shown = ""

  constructor(private readonly context: Context) {
    this.element = make("div", {
      class: "phone", role: "region", "aria-label": context.words.document.preview, tabindex: "0" })
  }

  /** Shows these screens, and of them that of a section, or the "review"; or else the one that was shown. */
  show(screens: readonly ConsentScreen[], wanted = ""): void {
    const before = this.screens[this.at]?.id
    this.screens = screens
    const named = (name: string | undefined) => name ? screens.findIndex(({ id = "", kind }) => id === name
      || id.endsWith(`/section-${name}`) || (name === "review" && kind === "SCREEN_KIND_REVIEW")) : -1
    this.at = [named(wanted), named(before), 0].find((index) => index >= 0)!
    const looks = JSON.stringify(screens[this.at] ?? "")
    if (looks === this.shown) return
    this.shown = looks
    // A new element: one that goes on would take the focus from whoever types. It comes when it comes.
    if (screens.length === 0) this.element.replaceChildren()
    else void load().then(() => this.element.replaceChildren(this.session()), () => undefined)
  }

  private session(): HTMLElement {
    const { token, fetch: send = fetch } = this.context.calls.access()
    const session = make("assent-session", { session: "preview" })
    session.token = token
    session.fetch = (input, init) => /SessionService/.test(String(input)) ? this.answer(init) : send(input, init)
    return session
  }

  private answer(init: RequestInit | undefined): Promise<Response> {
    const asked = JSON.parse(String(init?.body ?? "{}")) as { action?: { kind?: string } }
    const by = { ACTION_KIND_NEXT: 1, ACTION_KIND_BACK: -1 }[asked.action?.kind ?? ""] ?? 0
    this.at = Math.min(this.screens.length - 1, Math.max(0, this.at + by))
    this.version += 1
    const screen = this.screens[this.at]
    const session: SessionView = { sessionId: "preview", version: this.version, ...screen ? { screen } : {} }
    return Promise.resolve(new Response(JSON.stringify({ session }), {
      headers: { "content-type": "application/json" } }))
  }
}
