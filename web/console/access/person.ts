import type { Reauthentication } from "../../../clients/typescript/src/contract/consent_v1.js"
import { claimsOf } from "../../device/claims.js"
import type { Access } from "../../session/server.js"

/** Who is signed in, as the access token says it. */
export interface Person {
  readonly id: string
  readonly tenant: string
  /** role@study, role@study/site or role@*. */
  readonly grants: readonly string[]
}

/** How the console's calls are let in: signing in is somebody else's matter. */
export interface Credentials {
  /** How calls of whoever is signed in now reach the server. */
  access(): Access
  /** A token that is good now. Rejects where nobody is signed in any more. */
  token(): Promise<string>
  signOut(): Promise<void>
  /** Proves the passcode once more, for one signature. */
  reauthenticate(passcode: string, challenge: string): Promise<Reauthentication>
}

/** Whoever an access token is for. */
export function personOf(token: string): Person {
  const { sub = "", ten = "", roles = [] } = claimsOf(token)
  return { id: sub, tenant: ten, grants: roles }
}
