import { button, make } from "./dom.js"

/** A dialog that rises from below: a bar with Cancel, a title and an act, and what it is about. */
export class Sheet {
  readonly element: HTMLDialogElement
  readonly title: HTMLElement
  readonly cancel: HTMLButtonElement
  /** Says what changes while the dialog is open; the page behind it is silent. */
  readonly status = make("p", { class: "sr", role: "status" })
  private isClosing = false
  private readonly body = make("div", { class: "body" })

  /** @param givenUp - Cancel, or Escape, was pressed */
  constructor(part: string, givenUp: () => void, act?: HTMLButtonElement) {
    const id = `${part}-title`
    this.title = make("h2", { id, tabindex: "-1" })
    this.cancel = button({ class: "btn bare", part: "cancel" }, givenUp)
    const bar = make("div", { class: "bar" }, this.cancel, this.title, ...act ? [act] : [])
    this.element = make("dialog", { class: "sheet", part, "aria-labelledby": id }, this.status, bar, this.body)
    this.element.addEventListener("close", () => {
      window.visualViewport?.removeEventListener("resize", this.makeRoom)
      // A browser may close a dialog by itself: when Escape is pressed again and again.
      if (!this.isClosing) givenUp()
      this.isClosing = false
    })
    this.element.addEventListener("cancel", (event) => {
      // A file chooser inside sends the same event when nothing is chosen.
      if (event.target !== this.element) return
      event.preventDefault()
      givenUp()
    })
  }

  fill(...content: Node[]): void {
    this.body.replaceChildren(...content)
  }

  get isOpen(): boolean {
    return this.element.open
  }

  open(focus: HTMLElement): void {
    this.element.showModal()
    focus.focus()
    window.visualViewport?.addEventListener("resize", this.makeRoom)
    this.makeRoom()
  }

  /** Makes room for another dialog at once. */
  step(): void {
    if (!this.isOpen) return
    this.isClosing = true
    this.element.close()
  }

  /** Closes when it has sunk. */
  async close(): Promise<void> {
    if (!this.isOpen) return
    this.element.toggleAttribute("data-leaving", true)
    await Promise.allSettled(this.element.getAnimations().map((animation) => animation.finished))
    this.element.toggleAttribute("data-leaving", false)
    this.step()
  }

  /** An on-screen keyboard covers the lower part of the page: the sheet stands on it. */
  private readonly makeRoom = (): void => {
    const view = window.visualViewport
    const covered = view ? Math.max(0, window.innerHeight - view.height - view.offsetTop) : 0
    this.element.style.marginBlockEnd = covered > 0 ? `${covered}px` : ""
  }
}
