import type { ItemName, ListedPerson } from "../../clients/typescript/src/contract/account_v1.js"
import { StatusError } from "../../clients/typescript/src/status.js"
import type { Device } from "../device/device.js"
import type { Person } from "../device/person.js"
import type { SyncState } from "../elements/sync/assent-sync.js"
import { isAway } from "../session/away.js"
import { AwayPerson } from "./away-person.js"
import { clear, commit } from "./database.js"
import { type BrowserKeys, browserDrawer, browserKeys, isEmptied, markKept } from "./keys.js"
import { isQueued, send, sendingEnds, type Sent, type SentByPerson, type Waiting, waiting } from "./queue.js"
import type { Drawer } from "./sealing.js"
import { carriedKey, renewed, unlocked } from "./unlocking.js"
import { awayScreens } from "./views.js"

/** What stands on this device of one person's work. */
export interface Standing {
  readonly name: string
  readonly waiting: Waiting | undefined
  readonly sent: Sent | undefined
}

const pauseMs = 15_000

/** What this browser keeps for use without a connection. Dispatches `change` when anything waits, or was sent. */
export class Kept extends EventTarget {
  /** Answers for the device's screens while the server is away. */
  readonly screens: typeof fetch
  /** Whoever is signed in, with a connection. */
  person: Person | undefined
  /** Whether the server refuses what is sent, for reasons that time does not mend. */
  isRefused = false
  /** Keys of stores whose passcodes are being changed. */
  private readonly carried = new Map<string, string>()
  private readonly channel = new BroadcastChannel("assent-offline")

  /** How the work of this device gets to the server. */
  sync: SyncState = {}

  /** @param wasEmptied - the browser has deleted what it kept before */
  private constructor(private readonly keys: BrowserKeys, readonly browser: Drawer, public wasEmptied: boolean) {
    super()
    this.screens = awayScreens(browser)
    this.channel.onmessage = () => this.dispatchEvent(new Event("change"))
  }

  /** Undefined where the browser keeps nothing for pages. */
  static async open(): Promise<Kept | undefined> {
    try {
      const wasEmptied = await isEmptied(), keys = await browserKeys()
      return new Kept(keys, browserDrawer(keys), wasEmptied)
    } catch {
      return undefined
    }
  }

  /** Whether people could sign in here without a connection. */
  async isPrepared(): Promise<boolean> {
    return await this.browser.get("views") !== undefined
  }

  /** Tells this tab and the others. */
  changed(): void {
    this.dispatchEvent(new Event("change"))
    this.channel.postMessage("change")
  }

  /** The store of somebody who has just signed in; `isLost`: what another passcode had sealed is gone. */
  async opened(person: Person, passcode: string): Promise<{ drawer: Drawer, isLost: boolean } | undefined> {
    const { uploadGrant, verifier } = person.forAway ?? {}
    if (!verifier) return undefined
    markKept(true)
    const sent: Record<string, Sent> = { ...await this.browser.get<SentByPerson>("sent") }
    const own = sent[person.personId]
    if (own) {
      // Whoever is here sees on the server what waits for them.
      const { step: _, ...rest } = own
      sent[person.personId] = { ...rest, toDecide: 0 }
    }
    await commit(
      await this.browser.put(`grant/${person.personId}`, uploadGrant), await this.browser.put("sent", sent))
    const carried = this.carried.get(person.personId)
    const opened = await renewed(this.keys, verifier, passcode, person.autoLockMs, carried)
    this.carried.delete(person.personId)
    return opened
  }

  /** Another passcode is to take the place of this one: the store stays open for it. */
  async changing(personId: string, passcode: string): Promise<void> {
    const key = await carriedKey(this.keys, personId, passcode)
    if (key !== undefined) this.carried.set(personId, key)
  }

  /** Signs in without a connection. */
  async signIn(personId: string, passcode: string): Promise<AwayPerson> {
    return new AwayPerson(await unlocked(this.keys, this.browser, personId, passcode))
  }

  /** Whose work stands here, and how it is. */
  async standing(): Promise<Standing[]> {
    const all = await waiting(this.browser), sent = await this.browser.get<SentByPerson>("sent") ?? {}
    const people = await this.browser.get<ListedPerson[]>("people") ?? []
    return [...new Set([...all.map(({ personId }) => personId), ...Object.keys(sent)])].map((id) => ({
      name: people.find(({ personId }) => personId === id)?.profile?.title || id,
      waiting: all.find(({ personId }) => personId === id), sent: sent[id],
    }))
  }

  /** Sends what waits, now and whenever the server can be reached. */
  keepSending(device: Device): void {
    const now = () => void this.send(device)
    addEventListener("online", now)
    setInterval(now, pauseMs)
    now()
  }

  /** Sends what stands in the queue now, after what is being sent already. Returns whether the item has left it. */
  async sendNow(device: Device, item: ItemName): Promise<boolean> {
    await sendingEnds()
    await this.send(device)
    // Another tab may have begun before.
    await sendingEnds()
    return !await isQueued(this.browser, item)
  }

  async send(device: Device): Promise<void> {
    if (!navigator.onLine) return
    const before = this.isRefused
    try {
      await send((this.person ?? device).access, this.browser, () => this.changed(), (state) => this.went(state))
      this.isRefused = false
    } catch (problem) {
      const waits = isAway(problem) && (await waiting(this.browser)).some(({ count }) => count > 0)
      if (waits) this.went({ isLost: true })
      // Signed out meanwhile, for example: the next attempt is the device's.
      if (isAway(problem) || problem instanceof StatusError && problem.code === "unauthenticated") return
      this.isRefused = true
      console.warn(String(problem))
    }
    if (this.isRefused !== before) this.changed()
  }

  private went(state: SyncState): void {
    this.sync = state
    this.dispatchEvent(new Event("change"))
  }

  /** Deletes all of it, of a device that was wiped or is another one now. */
  async wipe(): Promise<void> {
    await clear()
    markKept(false)
    this.changed()
  }
}
