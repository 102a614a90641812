import type { Problem, SanitizerRemoval } from "../../../clients/typescript/src/contract/consent_v1.js"
import { newIdempotencyKey } from "../../../clients/typescript/src/idempotency-key.js"
import { button, make } from "../../elements/dom.js"
import { Patience } from "../../session/patience.js"
import { refusalOf, type Refusal } from "../access/refusal.js"
import type { Context } from "../context.js"
import { note } from "./marks.js"
import { explained } from "./refused.js"

const pauseMs = 800

/** What the server says once a draft is stored. */
export interface Stored {
  readonly version?: { readonly revision?: number }
  readonly problems?: readonly Problem[]
  readonly removed?: readonly SanitizerRemoval[]
}

/** A draft that is stored by itself after each pause, and what came of that. Nothing that was typed is lost. */
export class Draft {
  readonly status = make("span", { class: "dim", role: "status" })
  readonly fault = make("div", { role: "alert" })
  /** Something is typed that no storing has begun with, or the last one was refused. */
  private isTyped = false
  private isLeft = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private storing: Promise<void> | undefined
  private readonly patience: Patience = new Patience(() => {
    if (this.patience.absence) this.status.textContent = this.context.words.failed.away
  })

  /**
   * @param begin - what is stored as it is now, to be sent once or, while the server is away, again
   * @param stored - it is stored, and has these problems
   */
  constructor(
    private readonly context: Context, public revision: number,
    private readonly begin: (expectedRevision: number) => (key: string) => Promise<Stored>,
    private readonly stored: (problems: readonly Problem[]) => void,
  ) {}

  readonly changed = (): void => {
    this.isTyped = true
    this.status.textContent = this.context.words.edit.typing
    addEventListener("beforeunload", stay)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.store(), pauseMs)
  }

  /** Another page is shown: what is typed is stored without a pause, however long the server is away. */
  readonly leave = (): void => {
    this.isLeft = true
    void this.store().finally(() => {
      this.patience.end()
      removeEventListener("beforeunload", stay)
    })
  }

  /** Stores what is typed, now. Storing goes one after the other: each names the revision of the one before. */
  store(): Promise<void> {
    clearTimeout(this.timer)
    this.storing ??= this.storeAll().finally(() => { this.storing = undefined })
    return this.storing
  }

  private async storeAll(): Promise<void> {
    const { words, tell } = this.context
    while (this.isTyped) {
      this.isTyped = false
      const send = this.begin(this.revision)
      const key = await newIdempotencyKey()
      try {
        const { version, problems = [], removed = [] } = await this.patience.until(() => send(key))
        this.revision = version?.revision ?? this.revision
        this.fault.replaceChildren(...removed.map(({ field, what }) =>
          note("warn", `${words.edit.removed} ${field}: ${what}`)))
        this.stored(problems)
        this.status.textContent = words.edit.stored
      } catch (problem) {
        this.isTyped = true
        this.status.textContent = words.edit.notStored
        if (this.isLeft) tell(words.edit.notStored)
        return this.refuse(refusalOf(problem))
      }
    }
    removeEventListener("beforeunload", stay)
  }

  private refuse(refusal: Refusal): void {
    const { words, again } = this.context
    const theirs = () => {
      this.isTyped = false
      void again()
    }
    this.fault.replaceChildren(refusal.rule === "stale_version"
      ? note("bad", words.edit.stale, button({ class: "btn s" }, theirs, words.edit.theirs))
      : note("bad", ...explained(refusal, words)))
  }
}

/** Asks before the browser leaves what is not stored. */
function stay(event: Event): void {
  event.preventDefault()
}
