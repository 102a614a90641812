import type { ScreenTransition } from "../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../dom.js"
import type { Frame } from "./frame.js"

/** Where screens come and go: modals slide up and down, and within them screens are pushed and popped. */
export class Stage {
  readonly element = make("div", { class: "stage", part: "stage" })
  private current: Frame | undefined
  private settle = (): void => {}

  get frame(): Frame | undefined {
    return this.current
  }

  /** Shows a frame in place of the one before, as it is to come. */
  async show(frame: Frame, transition: ScreenTransition | undefined): Promise<void> {
    // Whatever still moves arrives now.
    this.settle()
    const before = this.current
    this.current = frame
    before?.body.ended?.()
    switch (before ? transition : undefined) {
      case "SCREEN_TRANSITION_PUSH":
      case "SCREEN_TRANSITION_POP":
        return this.exchange(frame, before!, transition === "SCREEN_TRANSITION_POP" ? "pop" : "push")
      case "SCREEN_TRANSITION_SECTION":
        return this.exchange(frame, before!, "section")
      case "SCREEN_TRANSITION_SLIDE_UP":
        return this.rise(frame)
      case "SCREEN_TRANSITION_NEXT_MODAL":
        return this.sink(frame, true)
      case "SCREEN_TRANSITION_SLIDE_DOWN":
        return this.sink(frame, false)
      default:
        this.element.replaceChildren(make("div", { class: "modal" }, frame.element))
    }
  }

  private async exchange(frame: Frame, before: Frame, move: "push" | "pop" | "section"): Promise<void> {
    const modal = before.element.parentElement ?? this.element
    before.element.inert = true
    before.element.dataset["leaving"] = move
    frame.element.dataset["arriving"] = move
    modal.append(frame.element)
    await this.moved([before.element, frame.element], () => {
      before.element.remove()
      delete frame.element.dataset["arriving"]
    })
  }

  private async rise(frame: Frame): Promise<void> {
    const below = [...this.element.children] as HTMLElement[]
    const modal = make("div", { class: "modal", "data-arriving": "rise" }, frame.element)
    for (const each of below) each.inert = true
    this.element.append(modal)
    await this.moved([modal], () => {
      for (const each of below) each.remove()
      delete modal.dataset["arriving"]
    })
  }

  /** The modal slides down from what follows; a next modal slides up then. */
  private async sink(frame: Frame, rises: boolean): Promise<void> {
    const leaving = this.element.lastElementChild as HTMLElement
    const modal = make("div", { class: "modal" }, frame.element)
    if (rises) modal.dataset["arriving"] = "after"
    leaving.inert = true
    leaving.dataset["leaving"] = "sink"
    leaving.before(modal)
    await this.moved([leaving, modal], () => {
      leaving.remove()
      delete modal.dataset["arriving"]
    })
  }

  private async moved(elements: HTMLElement[], done: () => void): Promise<void> {
    let isDone = false
    this.settle = () => {
      if (isDone) return
      isDone = true
      done()
    }
    const settle = this.settle
    const animations = elements.flatMap((element) => element.getAnimations())
    await Promise.allSettled(animations.map((animation) => animation.finished))
    settle()
  }
}
