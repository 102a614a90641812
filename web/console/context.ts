import type { ConsentStudy } from "../../clients/typescript/src/contract/consent_v1.js"
import type { Words } from "../words/console/words.js"
import type { Calls } from "./access/calls.js"
import type { Credentials, Person } from "./access/person.js"
import type { Rights } from "./access/rights.js"
import type { Address } from "./shell/address.js"

/** What a page is made from. */
export interface Context {
  readonly calls: Calls
  readonly person: Person
  readonly credentials: Credentials
  readonly rights: Rights
  readonly words: Words
  /** The language of the words. */
  readonly locale: string
  readonly address: Address
  /** The studies in which the person has a role. */
  readonly studies: readonly ConsentStudy[]
  /** The one that is looked at. */
  readonly study: ConsentStudy | undefined
  go(page: string, id?: string, query?: Record<string, string | undefined>): void
  /** Opens the page once more: what it shows has changed. */
  again(): Promise<void>
  /** Says that something was done. */
  tell(sentence: string): void
  /** What the page's buttons call, by method and request: shown among the calls behind the page. */
  readonly acts: Map<string, Call>
}

/** A page as it is shown. */
export interface Page {
  readonly title: string
  readonly content: readonly Node[]
  /** Brings what is shown up to date; called again and again while somebody looks. */
  readonly refresh?: () => Promise<void>
  /** Not more often than this, where much is read. */
  readonly refreshMs?: number
  /** Another page is shown in its place. */
  readonly left?: () => void
}

export type Opener = (context: Context) => Promise<Page>

/** A call, to be shown as one that anybody can make. */
export interface Call {
  readonly method: { readonly path: string }
  readonly request: object
}
