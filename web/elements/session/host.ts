import type {
  ActionKind, ConsentScreen, FlowAction, LearnMore, SessionView,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import type { Patience } from "../../session/patience.js"
import type { Server } from "../../session/server.js"
import type { SessionWords } from "../../words/session/words.js"
import type { Assets } from "./assets.js"
import type { Authenticate } from "./events.js"
import type { Illustration } from "./illustration.js"

/** What a body may use of the element around it. */
export interface Host {
  readonly words: SessionWords
  /** The language that was asked for: of numbers, times and the element's own words. */
  readonly locale: string
  readonly server: Server
  readonly patience: Patience
  readonly assets: Assets
  readonly view: SessionView
  readonly authenticate: Authenticate | undefined
  /** What the person gave on other screens, until the page is left. */
  readonly memory: { name?: string }
  /** Does something that the screen offers. */
  act(action: FlowAction): void
  /** Says it, once. */
  say(sentence: string): void
  /** Something about the body has changed that decides about its buttons. */
  changed(): void
  open(more: LearnMore, from: HTMLElement): void
  /** Goes on with what is left of a session that has ended. */
  resume(): void
  /** Tells the page that the person wants to go on otherwise. */
  leave(way: "start_again" | "close"): void
}

/** What goes along with an action. */
export type Given = Omit<FlowAction, "kind">

/** The part of a screen that its kind decides. */
export interface Body {
  readonly content: Node[]
  /** The picture that moves on to that of the next section. */
  illustration?: Illustration | undefined
  /** What goes along with an action; undefined: something is missing, and the body has said what. */
  given?(kind: ActionKind): Given | undefined | Promise<Given | undefined>
  /** Why the screen cannot go on yet. */
  waits?(): string | undefined
  /** Leads to what is missing. */
  point?(): void
  /** The server has answered with the same screen in another state. */
  update?(screen: ConsentScreen): void
  /** What was given was refused, by the rule of this name; true: the body has said so. */
  refused?(rule: string): boolean
  /** How much was read, from 0 to 1; only for what has to be read to its end. */
  read?(): number
  /** The body has come onto the display. */
  arrived?(): void
  /** The body has left the display. */
  ended?(): void
}

/** Makes the body of a kind of screen. */
export type ShowBody = (screen: ConsentScreen, host: Host) => Body
