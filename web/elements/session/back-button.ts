import type { ActionKind } from "../../../clients/typescript/src/contract/consent_v1.js"

/** What the browser's Back button does, the first that the screen offers. */
const wanted: readonly ActionKind[] = ["ACTION_KIND_DISMISS", "ACTION_KIND_BACK", "ACTION_KIND_CANCEL"]

/**
 * Makes the browser's Back button the screen's own: one entry of the page's history stands for "there is a way back".
 * It survives a reload, so that entries do not pile up.
 */
export class BackButton {
  /** The session whose way back it is; undefined: the history is the page's alone. */
  sessionId: string | undefined
  private offered: readonly ActionKind[] = []
  private readonly popped = () => this.press()

  constructor(private readonly go: (action: ActionKind) => void) {}

  connect(): void {
    addEventListener("popstate", this.popped)
  }

  disconnect(): void {
    removeEventListener("popstate", this.popped)
  }

  offer(offered: readonly ActionKind[]): void {
    this.offered = offered
    if (this.sessionId && offered.includes("ACTION_KIND_BACK") && !this.isGuarded) {
      history.pushState({ ...history.state, assentSession: this.sessionId }, "")
    }
  }

  private get isGuarded(): boolean {
    return history.state?.assentSession === this.sessionId
  }

  private press(): void {
    if (!this.sessionId || this.isGuarded) return
    const action = wanted.find((each) => this.offered.includes(each))
    if (action) this.go(action)
  }
}
