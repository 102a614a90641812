import { Client } from "../../../clients/typescript/src/client.js"
import {
  type AccountAction, type AccountItem, type AccountView, type ItemOutcome, SyncService, ViewService,
} from "../../../clients/typescript/src/contract/account_v1.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import { type Person, settings } from "../../device/person.js"
import type { SyncWords } from "../../words/sync/words.js"

/** Whoever is at the device: whose calls these are. */
export type Caller = Pick<Person, "personId" | "access">

/** What a choice has come to, and what is said about it. */
export interface Decided {
  readonly outcome: ItemOutcome
  readonly said: keyof SyncWords
}

/** The items about which somebody decides: read page by page, those that came first before the others. */
export class Items {
  /** What the server answered last; its items are those of all pages that were read. */
  view: AccountView | undefined
  #pages = 1
  readonly #views
  readonly #sync

  constructor(caller: Caller, private readonly locale: () => string) {
    const client = new Client(settings(caller.access))
    this.#views = client.service(ViewService)
    this.#sync = client.service(SyncService)
  }

  get all(): readonly AccountItem[] {
    return this.view?.items ?? []
  }

  get hasMore(): boolean {
    return !!this.view?.nextPageToken
  }

  /** Reads as many pages as are shown, anew: what is decided moves up what comes behind it. */
  async read(): Promise<void> {
    let view = await this.#page("")
    for (let page = 1; page < this.#pages && view.nextPageToken; page += 1) {
      const next = await this.#page(view.nextPageToken)
      view = { ...next, items: [...view.items ?? [], ...next.items ?? []] }
    }
    this.view = view
  }

  /** Reads one page more. */
  async more(): Promise<void> {
    this.#pages += 1
    await this.read()
  }

  /** Whether it still waits for a decision, as far as is shown. */
  find({ deviceId = "", itemId = "" }: ItemOutcome): AccountItem | undefined {
    return this.all.find(({ outcome }) => outcome?.deviceId === deviceId && outcome.itemId === itemId)
  }

  /** Makes a choice, and reads what is left. */
  async decide(action: AccountAction, { deviceId = "", itemId = "" }: ItemOutcome): Promise<Decided> {
    const name = { deviceId, itemId }
    const isAgain = action === "ACCOUNT_ACTION_RETRY_ITEM" || action === "ACCOUNT_ACTION_TAKE_MINE"
    const isKept = action === "ACCOUNT_ACTION_TAKE_THEIRS"
    let outcome: ItemOutcome = name, said: keyof SyncWords = isAgain ? "done" : isKept ? "stands" : "discarded"
    try {
      const answer = isAgain ? await this.#sync.retryItem(name) : await this.#sync.discardItem(name)
      outcome = answer.outcome ?? name
      if (outcome.state === "ITEM_STATE_WAITING") said = "waits"
      else if (isAgain && outcome.state !== "ITEM_STATE_DONE") said = "still"
    } catch (problem) {
      if (!(problem instanceof StatusError) || !isOfTheItem(problem)) throw problem
      // It was decided about at another place, or fits nothing any more.
      said = "gone"
    }
    await this.read()
    if (said === "gone" && this.find(name)) said = "still"
    return { outcome, said }
  }

  async #page(pageToken: string): Promise<AccountView> {
    const { view } = await this.#views.getAccountView(
      { kind: "ACCOUNT_VIEW_KIND_FAILED_ITEMS", locale: this.locale(), pageToken })
    return view ?? {}
  }
}

function isOfTheItem({ code }: StatusError): boolean {
  return code === "not_found" || code === "failed_precondition"
}
