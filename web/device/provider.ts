import { Client } from "../../clients/typescript/src/client.js"
import { SignInService } from "../../clients/typescript/src/contract/account_v1.js"
import { StatusError } from "../../clients/typescript/src/status.js"
import { type Device, send } from "./device.js"
import { Person } from "./person.js"

/** What a tab keeps while its browser is at a provider. */
interface Begun {
  readonly attempt: string
  readonly state: string
  /** Where the page stood. */
  readonly hash: string
}

/** What a provider has sent the browser back with. */
export interface Brought {
  /** What this tab had begun; undefined: nothing, or something else. */
  readonly attempt: string | undefined
  readonly state: string
  readonly code: string
  readonly issuer: string
  /** Why the provider has signed nobody in; empty: it has. */
  readonly error: string
}

const place = "assent-provider"

/**
 * Leaves the page for an OpenID provider, which sends the browser back to it. Throws a StatusError, such as
 * `issuer_unreachable`.
 */
export async function leaveFor(device: Device, issuer: string): Promise<void> {
  const page = location.origin + location.pathname
  const { address = "", state = "", attempt = "" } = await calls(device).startIdentitySignIn({ issuer, page })
  const begun: Begun = { attempt, state, hash: location.hash }
  sessionStorage.setItem(place, JSON.stringify(begun))
  location.assign(address)
}

/**
 * What the browser came back with, once: it does not stay in the address or the history. Undefined where it does not
 * come from a provider.
 */
export function broughtBack(): Brought | undefined {
  const fields = new URLSearchParams(location.search)
  const state = fields.get("state")
  if (state === null) return undefined
  const text = sessionStorage.getItem(place)
  sessionStorage.removeItem(place)
  const begun = text === null ? undefined : JSON.parse(text) as Begun
  const isOurs = begun?.state === state
  history.replaceState(null, "", location.pathname + (isOurs ? begun.hash : ""))
  return {
    attempt: isOurs ? begun.attempt : undefined, state, code: fields.get("code") ?? "", issuer: fields.get("iss") ?? "",
    error: fields.get("error") ?? "",
  }
}

/**
 * Signs in whoever the provider has sent back. Throws a StatusError: `provider_refused`, `unknown_attempt`,
 * `unknown_person` or `person_locked`, for example.
 */
export async function finish(device: Device, { attempt, state, code, issuer, error }: Brought): Promise<Person> {
  if (attempt === undefined) {
    throw new StatusError("unauthenticated", "unknown_attempt: this tab has begun no such sign-in")
  }
  if (error) throw new StatusError("unauthenticated", "provider_refused: the provider has signed nobody in")
  return Person.vouched(device, await calls(device).finishIdentitySignIn({ attempt, state, code, issuer }))
}

/** Nothing stands in for a provider. */
function calls(device: Device) {
  return new Client({ url: "", key: () => device.token(), fetch: send }).service(SignInService)
}

/** What is said of it when somebody could not sign in at a provider. */
export type ProviderNote =
  | "providerAgain" | "providerRefused" | "providerAway" | "providerUnknown" | "providerWrong"

/** By a refusal's rule; undefined for what is not about a provider. */
export function providerNote(rule: string): ProviderNote | undefined {
  switch (rule) {
    case "unknown_attempt": case "attempt_used_up": case "code_refused": return "providerAgain"
    case "provider_refused": return "providerRefused"
    case "issuer_unreachable": case "issuer_busy": return "providerAway"
    case "unknown_person": return "providerUnknown"
    case "client_refused": case "client_secret_missing": case "issuer_unusable": case "other_issuer":
    case "too_many_roles": case "unknown_identity_issuer": return "providerWrong"
    default: return rule.startsWith("id_token_") ? "providerWrong" : undefined
  }
}
