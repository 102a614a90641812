import type { OfflineSignIn, OfflineVerifier } from "../../clients/typescript/src/contract/account_v1.js"
import { StatusError } from "../../clients/typescript/src/status.js"
import { unlockKey } from "../../clients/typescript/src/unlock.js"
import { fromBase64, toBase64 } from "../bytes.js"
import { type Change, commit, read, readAll } from "./database.js"
import type { BrowserKeys } from "./keys.js"
import { Drawer, seal, type Sealed, unseal } from "./sealing.js"

/** How one person's passcode opens what is theirs. */
interface Lock {
  readonly verifier: OfflineVerifier
  /** The key of the person's store, sealed under what follows from the passcode. */
  readonly sealedKey: Sealed
  readonly autoLockMs: number
  /** Wrong passcodes in a row. */
  readonly failures: number
  readonly waitUntil: number
  /** The latest time that was ever seen: a clock that is set back gains nothing. */
  readonly latest: number
}

export interface Opened {
  readonly drawer: Drawer
  readonly autoLockMs: number
}

/** As many as the server lets pass, before it makes people wait. */
const freeAttempts = 5, firstPauseMs = 30_000, longestPauseMs = 86_400_000

/**
 * The store of a person who has just signed in with a connection. What the passcode of before has sealed is lost where
 * it was another one; then `isLost` says so.
 *
 * @param carried - the key of the store, where it was opened before the passcode was changed
 */
export async function renewed(
  keys: BrowserKeys, verifier: OfflineVerifier, passcode: string, autoLockMs: number, carried?: string,
): Promise<{ drawer: Drawer, isLost: boolean }> {
  const personId = verifier.personId ?? "", changes: Change[] = []
  const before = await read("people", personId) as Lock | undefined
  let raw = before && await opening(keys, before, passcode) || carried
  const mine = await readAll("sealed", of(personId))
  const isLost = before !== undefined && raw === undefined && mine.length > 0
  if (!raw) {
    raw = toBase64(crypto.getRandomValues(new Uint8Array(32)))
    changes.push(...mine.map(([key]) => ({ part: "sealed" as const, key })))
  }
  const sealedKey = await seal(await passcodeKey(keys, verifier, passcode), personId, raw)
  const lock: Lock = {
    verifier, sealedKey, autoLockMs, failures: 0, waitUntil: 0, latest: Math.max(Date.now(), before?.latest ?? 0),
  }
  await commit(...changes, { part: "people", key: personId, value: lock })
  return { drawer: new Drawer(personId, await storeKey(raw)), isLost }
}

/** The key of a person's store, before their passcode is changed; undefined where this is not the passcode. */
export async function carriedKey(keys: BrowserKeys, personId: string, passcode: string): Promise<string | undefined> {
  const kept = await read("people", personId) as Lock | undefined
  return kept && opening(keys, kept, passcode)
}

/**
 * A person's store, without a connection. Throws a StatusError: `connection_needed`, where there is none or its time is
 * over; `wrong_passcode`; or `too_many_attempts`, with a SignInDelay.
 */
export function unlocked(
  keys: BrowserKeys, browser: Drawer, personId: string, passcode: string,
): Promise<Opened> {
  return navigator.locks.request(`assent-offline/person/${personId}`, async () => {
    const kept = await read("people", personId) as Lock | undefined
    const now = Math.max(Date.now(), kept?.latest ?? 0)
    if (!kept || Date.parse(kept.verifier.expiresAt ?? "") <= now) {
      throw new StatusError("failed_precondition", "connection_needed: sign in with a connection once more")
    }
    if (kept.waitUntil > now) throw delayed(kept.waitUntil - now)
    // It is counted before it is tried, so that whoever ends the page gains nothing.
    const failures = kept.failures + 1
    const pause = failures < freeAttempts ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - freeAttempts))
    const counted = { ...kept, failures, waitUntil: pause ? now + pause : 0, latest: now }
    await commit({ part: "people", key: personId, value: counted })
    const raw = await opening(keys, kept, passcode)
    if (raw === undefined) {
      if (failures >= (kept.verifier.attempts ?? 0)) {
        const mine = await readAll("sealed", of(personId))
        await commit(
          { part: "people", key: personId }, ...mine.map(([key]) => ({ part: "sealed" as const, key })))
      }
      throw new StatusError("unauthenticated", "wrong_passcode: that is not the passcode")
    }
    const signIn: OfflineSignIn = {
      verifierId: kept.verifier.verifierId ?? "", personId, at: new Date().toISOString(), failures: kept.failures,
    }
    const signIns = await browser.get<OfflineSignIn[]>("sign-ins") ?? []
    await commit(
      { part: "people", key: personId, value: { ...kept, failures: 0, waitUntil: 0, latest: now } },
      await browser.put("sign-ins", [...signIns, signIn]))
    return { drawer: new Drawer(personId, await storeKey(raw)), autoLockMs: kept.autoLockMs }
  })
}

/** Whoever is named can open nothing by these any more. */
export async function revoked(verifierIds: readonly string[]): Promise<void> {
  for (const [key, value] of await readAll("people")) {
    if (verifierIds.includes((value as Lock).verifier.verifierId ?? "")) await commit({ part: "people", key })
  }
}

/** By how much this clock is behind the latest time that was ever seen here. */
export async function clockLagMs(): Promise<number> {
  const latest = (await readAll("people")).map(([, value]) => (value as Lock).latest)
  return Math.max(0, ...latest) - Date.now()
}

function of(personId: string): IDBKeyRange {
  return IDBKeyRange.bound([personId, ""], [personId, "\uffff"])
}

async function opening(keys: BrowserKeys, lock: Lock, passcode: string): Promise<string | undefined> {
  const key = await passcodeKey(keys, lock.verifier, passcode)
  return await unseal(key, lock.verifier.personId ?? "", lock.sealedKey).catch(() => undefined) as string | undefined
}

function passcodeKey(keys: BrowserKeys, verifier: OfflineVerifier, passcode: string): Promise<CryptoKey> {
  const { verifierId = "", personId = "", deviceId = "", salt = "", iterations = 0 } = verifier
  return unlockKey({ verifierId, personId, deviceId, salt: fromBase64(salt), iterations }, passcode, keys.agree)
}

function storeKey(raw: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", fromBase64(raw), "AES-GCM", false, ["encrypt", "decrypt"])
}

function delayed(milliseconds: number): StatusError {
  const delay = { type: "assent.account.v1.SignInDelay", value: "", debug: { delay: `${milliseconds / 1000}s` } }
  return new StatusError("resource_exhausted", "too_many_attempts: wait before the next one", { details: [delay] })
}
