import { button, make } from "../../elements/dom.js"
import { all } from "../access/calls.js"
import type { Context } from "../context.js"
import { files } from "./files.js"
import { refused } from "./refused.js"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => Node | string
  /** What is left out on a phone. */
  readonly isMinor?: boolean
  /** Buttons, which are in no file. */
  readonly isActs?: boolean
}

/** Rows under titles. The box scrolls sideways by itself, and can be reached by Tab to do so. */
export function table<Row>(label: string, columns: readonly Column<Row>[], rows: readonly Row[]): HTMLElement {
  const cell = (name: "td" | "th", column: Column<Row>, ...content: (Node | string)[]) =>
    make(name, { class: column.isMinor ? "minor" : undefined, scope: name === "th" ? "col" : undefined }, ...content)
  return make("div", { class: "panel flush", tabindex: "0", role: "region", "aria-label": label },
    make("table", { class: "grid num" },
      make("thead", {}, make("tr", {}, ...columns.map((column) => cell("th", column, column.title)))),
      make("tbody", {}, ...rows.map((row) => make("tr", {},
        ...columns.map((column) => cell("td", column, column.cell(row))))))))
}

export interface Listing<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly page: (pageToken: string, pageSize: number) => Promise<{ rows: Row[], next: string }>
  /** In place of a list without rows. */
  readonly empty: () => Node
}

const shownAtOnce = 50

/** A list page by page, so ten thousand rows are no more than fifty. */
export class Paged<Row> {
  readonly element = make("div", { class: "stack" })
  /** The tokens of the pages before and of this one. */
  private readonly tokens = [""]
  private isTurning = false

  constructor(private readonly context: Context, private readonly listing: Listing<Row>) {}

  /** Reads the page, and shows it if it has changed. */
  readonly refresh = async (): Promise<void> => {
    const token = this.tokens.at(-1)!
    const { rows, next } = await this.filled(token)
    // Meanwhile somebody may have turned the page.
    if (token !== this.tokens.at(-1)) return
    const { words } = this.context
    const { label, columns } = this.listing
    const isFirst = this.tokens.length === 1
    const content = rows.length === 0 && isFirst ? [this.listing.empty()] : [table(label, columns, rows)]
    if (!isFirst || next) {
      const before = button({ class: "btn s", disabled: isFirst }, () => this.turn(undefined), words.list.before)
      const after = button({ class: "btn s", disabled: !next }, () => this.turn(next), words.list.after)
      content.push(make("div", { class: "row" }, make("span", { class: "grow" }), before,
        make("span", { class: "dim num" }, String(this.tokens.length)), after))
    }
    show(this.element, content, this)
  }

  /** The whole list as a file. */
  readonly files = (name: string): HTMLElement => files(this.context, name, this.listing.columns, () =>
    all(async (token) => {
      const { rows, next } = await this.listing.page(token, 1000)
      return { items: rows, next }
    }, Infinity))

  /** Pages may have no rows, with more to come. */
  private async filled(from: string): Promise<{ rows: Row[], next: string }> {
    const rows: Row[] = []
    for (let token = from; ;) {
      const page = await this.listing.page(token, shownAtOnce)
      rows.push(...page.rows)
      if (rows.length > 0 || !page.next || page.next === token) {
        return { rows, next: page.next === token ? "" : page.next }
      }
      token = page.next
    }
  }

  private turn(next: string | undefined): void {
    if (this.isTurning) return
    this.isTurning = true
    if (next === undefined) this.tokens.pop()
    else this.tokens.push(next)
    void this.shown().finally(() => { this.isTurning = false })
  }

  /** Shows the page that was turned to, or why it is not there. */
  private async shown(): Promise<void> {
    try {
      await this.refresh()
      this.element.querySelector<HTMLElement>("[role=region]")?.focus()
    } catch (problem) {
      show(this.element, [refused(problem, this.context.words, () => void this.shown())], this)
    }
  }
}

const states = new WeakMap<object, string>()

/** Replaces content if it looks otherwise than before, and leaves the focus where it was. */
export function show(element: HTMLElement, content: readonly Node[], owner: object = element): void {
  const box = make("div", {}, ...content)
  const looks = new XMLSerializer().serializeToString(box)
  if (states.get(owner) === looks) return
  states.set(owner, looks)
  const focused = document.activeElement
  const key = focused && element.contains(focused) ? keyOf(focused) : undefined
  element.replaceChildren(...content)
  if (focused?.tagName === "H1" && key) element.querySelector<HTMLElement>("h1")?.focus()
  else if (key) [...element.querySelectorAll<HTMLElement>("a, button")].find((each) => keyOf(each) === key)?.focus()
}

function keyOf(element: Element): string {
  return `${element.tagName} ${element.getAttribute("href") ?? ""} ${element.textContent}`
}
