import type {
  ActionKind, ConsentScreen, Reauthentication, SessionOutcome,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import type { Halt } from "../../session/walk.js"

/** Proves that the person has just authenticated, for the challenge of one signature. */
export type Authenticate = (challenge: string) => Promise<Reauthentication>

export interface ScreenShown {
  screen: ConsentScreen
}

export interface Decision {
  /** What the person did: allowed, denied, agreed, declined, shared, signed. */
  action: ActionKind
  stepId: string
}

export interface Completion {
  outcome: SessionOutcome
  recordIds: string[]
}

export interface Way {
  /** Where the person wants to go after the end: a page starts a new session, or closes. */
  way: "start_again" | "close"
}

export interface Trouble {
  kind: Halt | "away"
  /** What the call ended with; a StatusError where the server answered. */
  problem: unknown
}

export interface SessionEvents {
  "assent-screen": CustomEvent<ScreenShown>
  "assent-decision": CustomEvent<Decision>
  "assent-complete": CustomEvent<Completion>
  "assent-way": CustomEvent<Way>
  "assent-error": CustomEvent<Trouble>
}
