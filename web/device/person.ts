import { Client } from "../../clients/typescript/src/client.js"
import {
  type AccountTokens, type FinishIdentitySignInResponse, type OfflineVerifier, type ReauthenticateResponse,
  type SignInResponse, SignInService,
} from "../../clients/typescript/src/contract/account_v1.js"
import { newIdempotencyKey } from "../../clients/typescript/src/idempotency-key.js"
import { answeredError, StatusError } from "../../clients/typescript/src/status.js"
import type { Access } from "../session/server.js"
import { claimsOf } from "./claims.js"
import { type Device, marginMs, send } from "./device.js"
import { Use } from "./use.js"

/**
 * Why somebody is signed out: by themselves; after a time without use; because the session was ended elsewhere, by a
 * sign-out, another sign-in at the device, a new passcode or a lock; because an OpenID provider vouches for them no
 * longer; or because the device was wiped.
 */
export type Ending = "signed_out" | "idle" | "ended" | "over" | "wiped"

/** What is left of a session when its page is loaded anew. */
interface Left {
  readonly deviceId: string
  readonly personId: string
  readonly sessionId: string
  readonly refreshToken: string
  /** Under it a repeat gets the same tokens: otherwise a lost answer would look like a stolen token. */
  readonly repeatKey: string
  readonly autoLockMs: number
  /** When the page was left. */
  readonly usedAt: number
}

const place = "assent-person"

/**
 * Somebody who is signed in at this device, in this tab. The access token is nowhere but in memory; the refresh token
 * is in the tab's own storage, so that a reload signs nobody out.
 *
 * Dispatches `assent-signed-out` once, with an `Ending` as its detail.
 */
export class Person extends EventTarget {
  readonly personId: string
  readonly sessionId: string
  /** After how long without use the person is signed out; 0: never. */
  readonly autoLockMs: number
  /** Whether the person has no passcode at this device, and may set one. */
  maySetPasscode = false
  /** What the sign-in gave for times without a connection; undefined after the page was loaded anew. */
  forAway: { readonly uploadGrant: string; readonly verifier: OfflineVerifier | undefined } | undefined
  readonly #device: Device
  #left: Left
  #access: { readonly text: string; readonly endsAt: number } | undefined
  #refreshing: Promise<string> | undefined
  #renewal: ReturnType<typeof setTimeout> | undefined
  #use: Use | undefined
  #ending: Ending | undefined

  private constructor(device: Device, left: Left) {
    super()
    this.#device = device
    this.#left = left
    this.personId = left.personId
    this.sessionId = left.sessionId
    this.autoLockMs = left.autoLockMs
  }

  /**
   * Signs in. Throws a StatusError: `wrong_passcode`; `too_many_attempts`, with a SignInDelay; `passcode_must_change`;
   * `person_locked`; `device_wiped`.
   */
  static async signIn(device: Device, personId: string, passcode: string): Promise<Person> {
    const answer = await new Client(settings(device.access)).service(SignInService)
      .signIn({ personId, passcode })
    return Person.#begun(device, answer)
  }

  /** Somebody for whom an OpenID provider has vouched. */
  static vouched(device: Device, answer: FinishIdentitySignInResponse): Promise<Person> {
    return Person.#begun(device, answer)
  }

  static async #begun(
    device: Device, answer: SignInResponse & FinishIdentitySignInResponse,
  ): Promise<Person> {
    const { session = {}, tokens = {}, autoLock = "", uploadGrant = "", offline, maySetPasscode = false } = answer
    const person = new Person(device, {
      deviceId: device.deviceId, personId: session.personId ?? "", sessionId: session.sessionId ?? "",
      refreshToken: "", repeatKey: "", autoLockMs: milliseconds(autoLock), usedAt: 0,
    })
    person.forAway = { uploadGrant, verifier: offline }
    person.maySetPasscode = maySetPasscode
    await person.#take(tokens)
    await hold(person.sessionId)
    person.#watch()
    return person
  }

  /** Nobody is to be resumed in this tab. */
  static forget(): void {
    sessionStorage.removeItem(place)
  }

  /** Whoever was signed in when this tab's page was loaded anew; undefined: nobody, or no longer. */
  static async resume(device: Device): Promise<Person | undefined> {
    const text = sessionStorage.getItem(place)
    if (text === null) return undefined
    const left = JSON.parse(text) as Left
    // A tab that was duplicated has a copy, and of two uses of one token the second ends the session in both.
    const isIdle = left.autoLockMs > 0 && Date.now() - left.usedAt > left.autoLockMs
    if (isIdle || left.deviceId !== device.deviceId || !await hold(left.sessionId)) {
      sessionStorage.removeItem(place)
      return undefined
    }
    const person = new Person(device, left)
    try {
      await person.token()
    } catch (problem) {
      if (person.#ending !== undefined) return undefined
      throw problem
    }
    person.#watch()
    return person
  }

  /** Why the person is signed out; undefined as long as they are not. */
  get ending(): Ending | undefined {
    return this.#ending
  }

  /** The roles in the newest token, such as `coordinator@heart`: what a page need not offer somebody without them. */
  get roles(): readonly string[] {
    return this.#access ? claimsOf(this.#access.text).roles ?? [] : []
  }

  /** A token that is good for some time yet. */
  async token(): Promise<string> {
    if (this.#ending !== undefined) throw new StatusError("unauthenticated", "signed_out: nobody is signed in here")
    if (this.#access && Date.now() < this.#access.endsAt - marginMs) return this.#access.text
    return this.refresh()
  }

  /** New tokens. When the server gives none any more, the person is signed out. */
  refresh(): Promise<string> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined))
    return this.#refreshing
  }

  /** How calls reach the server as this person. A token that was revoked meanwhile is replaced, if there is another. */
  get access(): Access {
    return { url: "", token: () => this.token(), headers: {}, fetch: (input, init) => this.#send(input, init) }
  }

  /** Signs out, here or everywhere. Here it is done even if the server cannot be reached, and the failure thrown. */
  async signOut({ everywhere = false, as = "signed_out" as Ending } = {}): Promise<void> {
    try {
      await this.#calls().endSessions(everywhere ? {} : { sessionId: this.sessionId })
    } catch (problem) {
      if (this.#ending === undefined) throw problem
    } finally {
      this.#end(as)
    }
  }

  /** Proves the passcode for one signature: what ConsentService asks for as a Reauthentication. */
  reauthenticate(passcode: string, challenge: string): Promise<ReauthenticateResponse> {
    return this.#calls().reauthenticate({ passcode, challenge })
  }

  #calls() {
    return new Client(settings(this.access)).service(SignInService)
  }

  async #refresh(): Promise<string> {
    const { refreshToken, repeatKey } = this.#left
    if (!refreshToken) {
      this.#end("over")
      throw new StatusError("unauthenticated", "signed_out: the provider vouches for nobody here any more")
    }
    try {
      const { tokens = {} } = await new Client(settings(this.#device.access)).service(SignInService)
        .refreshTokens({ refreshToken }, { idempotencyKey: repeatKey })
      if (this.#ending === undefined) await this.#take(tokens)
      return tokens.accessToken ?? ""
    } catch (problem) {
      const rule = problem instanceof StatusError ? problem.rule : ""
      if (rule === "device_wiped") {
        await this.#device.forget()
        this.#end("wiped")
      } else if (problem instanceof StatusError && problem.code === "unauthenticated") this.#end("ended")
      throw problem
    }
  }

  async #take({ accessToken = "", accessExpiresAt = "", refreshToken = "" }: AccountTokens): Promise<void> {
    // By this clock, which may be wrong: tokens say when they end by the server's, and five minutes are usual.
    const lasting = Math.min(Math.max(Date.parse(accessExpiresAt) - Date.now(), 2 * marginMs), 300_000)
    this.#access = { text: accessToken, endsAt: Date.now() + lasting }
    this.#left = { ...this.#left, refreshToken, repeatKey: await newIdempotencyKey() }
    this.#keep()
    clearTimeout(this.#renewal)
    // Also while nothing is done here: so what happened to the session elsewhere is noticed.
    this.#renewal = setTimeout(() => void this.refresh().catch(() => undefined), lasting - marginMs)
  }

  async #send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const answer = await send(input, init)
    if (answer.status !== 401 || this.#ending !== undefined || !await isAboutToken(answer.clone())) return answer
    try {
      const headers = new Headers(init.headers)
      headers.set("authorization", `Bearer ${await this.refresh()}`)
      return await send(input, { ...init, headers })
    } catch {
      return answer
    }
  }

  readonly #keep = (): void => {
    // What nothing renews cannot be resumed either.
    if (this.#ending !== undefined || !this.#left.refreshToken) return
    sessionStorage.setItem(place, JSON.stringify({ ...this.#left, usedAt: this.#use?.at ?? Date.now() }))
  }

  #watch(): void {
    addEventListener("pagehide", this.#keep)
    this.#use = new Use(this.autoLockMs, () => void this.signOut({ as: "idle" }).catch(() => undefined))
  }

  #end(why: Ending): void {
    if (this.#ending !== undefined) return
    this.#ending = why
    this.#access = undefined
    sessionStorage.removeItem(place)
    clearTimeout(this.#renewal)
    this.#use?.end()
    removeEventListener("pagehide", this.#keep)
    letGo?.()
    this.dispatchEvent(new CustomEvent<Ending>("assent-signed-out", { detail: why }))
  }
}

/** Whether a refused call needs another token. A wrong passcode has the same status, and is not sent again. */
async function isAboutToken(answer: Response): Promise<boolean> {
  const { rule } = await answeredError(answer)
  return rule.startsWith("token_") || rule.startsWith("credential_") || rule === "device_wiped"
}

export function settings({ url, token, fetch: send }: Access) {
  return { url, ...token === undefined ? {} : { key: token }, ...send === undefined ? {} : { fetch: send } }
}

/** A duration as the contract writes it: "300s". */
function milliseconds(duration: string): number {
  return Math.round(parseFloat(duration || "0") * 1000)
}

let letGo: (() => void) | undefined

/** Takes a session for this tab; false when another tab has it. A page that is loaded anew waits for its old self. */
async function hold(sessionId: string): Promise<boolean> {
  letGo?.()
  if (!navigator.locks) return true
  const waiting = new AbortController()
  setTimeout(() => waiting.abort(), 2000)
  return await new Promise<boolean>((resolve) => {
    navigator.locks.request(`assent-person/${sessionId}`, { signal: waiting.signal }, () => {
      resolve(true)
      return new Promise<void>((done) => (letGo = done))
    }).catch(() => resolve(false))
  })
}
