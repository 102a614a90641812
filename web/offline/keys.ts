import { commit, read } from "./database.js"
import { Drawer } from "./sealing.js"

/** What this browser has of its own, and gives to no script. */
export interface BrowserKeys {
  /** For ECDH: what a passcode is computed with. */
  readonly agree: CryptoKey
  /** Seals the queue, and what is not one person's. */
  readonly seal: CryptoKey
}

/** Says outside of the database that there is something in it: a browser that is short of room may delete that. */
const mark = "assent-offline"

export function markKept(isKept: boolean): void {
  if (isKept) localStorage.setItem(mark, "kept")
  else localStorage.removeItem(mark)
}

/** Whether there are no keys although something was kept. */
export async function isEmptied(): Promise<boolean> {
  return localStorage.getItem(mark) !== null && await read("keys", "own") === undefined
}

/** The keys, which are made once. Throws where the browser keeps nothing for pages. */
export function browserKeys(): Promise<BrowserKeys> {
  return navigator.locks.request("assent-offline/keys", async () => {
    const kept = await read("keys", "own") as BrowserKeys | undefined
    if (kept) return kept
    const { privateKey: agree } = await crypto.subtle.generateKey(
      { name: "ECDH", namedCurve: "P-256" }, false, ["deriveBits"])
    const seal = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
    const keys = { agree, seal }
    await commit({ part: "keys", key: "own", value: keys })
    return keys
  })
}

export function browserDrawer({ seal }: BrowserKeys): Drawer {
  return new Drawer("", seal)
}
