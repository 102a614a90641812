import { button, make } from "../../elements/dom.js"
import type { Words } from "../../words/console/words.js"
import { icon } from "../icons.js"
import { chip } from "./marks.js"

export interface Card {
  readonly id: string
  readonly title: string
  readonly isWrong: boolean
  /** A sentence below the title. */
  readonly note?: string
}

/** A list of cards in an order that can be changed: by dragging, and by Alt with the arrows. */
export class Sections {
  private readonly list = make("ol", { class: "plain cards" })
  private dragged: number | undefined

  constructor(private readonly words: Words, private readonly acts: {
    readonly choose: (id: string) => void, readonly move: (from: number, to: number) => void,
  }) {}

  draw(cards: readonly Card[], current: string): HTMLElement {
    this.list.replaceChildren(...cards.map((card, at) => this.item(card, at, card.id === current)))
    return this.list
  }

  focus(): void {
    this.list.querySelector<HTMLElement>("[aria-current]")?.focus()
  }

  private item({ id, title, isWrong, note }: Card, at: number, isCurrent: boolean): HTMLElement {
    const { words, acts } = this
    const card = button({
      class: "sec", draggable: "true", "aria-current": isCurrent ? "true" : undefined, title: words.edit.moving,
      "aria-keyshortcuts": "Alt+ArrowUp Alt+ArrowDown",
    }, () => acts.choose(id), icon("grip"),
    make("span", { class: "grow" }, title, ...note ? [make("span", { class: "dim small block" }, note)] : []),
    ...isWrong ? [chip("", "warn", "warn")] : [])
    card.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      if (!event.altKey || by === undefined) return
      event.preventDefault()
      acts.move(at, at + by)
    })
    card.addEventListener("dragstart", (event) => {
      this.dragged = at
      event.dataTransfer!.effectAllowed = "move"
      event.dataTransfer!.setData("text/plain", title)
    })
    const item = make("li", {}, card)
    item.addEventListener("dragover", (event) => {
      if (this.dragged === undefined) return
      event.preventDefault()
      item.toggleAttribute("data-over", true)
    })
    item.addEventListener("dragleave", () => item.removeAttribute("data-over"))
    item.addEventListener("drop", (event) => {
      event.preventDefault()
      const from = this.dragged
      this.dragged = undefined
      item.removeAttribute("data-over")
      if (from !== undefined && from !== at) acts.move(from, at)
    })
    card.addEventListener("dragend", () => { this.dragged = undefined })
    return item
  }
}
