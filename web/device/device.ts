import { Client } from "../../clients/typescript/src/client.js"
import { type DeviceClock, DeviceService } from "../../clients/typescript/src/contract/account_v1.js"
import { StatusError } from "../../clients/typescript/src/status.js"
import { bytesOf, toBase64 } from "../bytes.js"
import { isAway } from "../session/away.js"
import type { Access } from "../session/server.js"
import { forgetDevice, keepDevice, type KeptDevice, keptDevice } from "./kept.js"

const algorithm = { name: "ECDSA", namedCurve: "P-256" }
/**
 * How a device's calls are sent: without the cookie that is there where somebody has opened a link in this browser, and
 * that admits to nothing but that link's session.
 */
export const send: typeof fetch = (input, init) => fetch(input, { ...init, credentials: "omit" })
/** Without a credential: what a browser may do before it is a device. */
const anybody = new Client({ url: "", fetch: send }).service(DeviceService)
/** A token is not used in the last seconds before its end, in which a call could be on its way. */
export const marginMs = 30_000

/**
 * The device that this browser is. It proves itself by a key that never leaves the browser, and gets a token for an
 * hour at a time. It is nobody's account: people sign in with their passcodes.
 */
export class Device {
  readonly tenant: string
  readonly deviceId: string
  readonly name: string
  readonly #key: CryptoKey
  /** By how much the server's clock is ahead of this one. */
  #aheadMs = 0
  #token: { readonly text: string; readonly endsAt: number } | undefined
  #proving: Promise<string> | undefined

  private constructor({ tenant, deviceId, name, key }: KeptDevice) {
    this.tenant = tenant
    this.deviceId = deviceId
    this.name = name
    this.#key = key
  }

  /** The device that this browser is; undefined when it was never registered, or has forgotten. */
  static async known(): Promise<Device | undefined> {
    const kept = await keptDevice()
    return kept && new Device(kept)
  }

  /**
   * Makes this browser the device of a code. Throws a StatusError whose rule says why not: `unknown_code`,
   * `code_used_up`, `device_wiped` or `too_many_links`.
   */
  static async register(code: string): Promise<Device> {
    const { privateKey: key, publicKey } = await crypto.subtle.generateKey(algorithm, false, ["sign"])
    const point = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey))
    const answer = await anybody.registerBrowser({ code, publicKey: toBase64(point) })
    const { deviceId = "", name = "" } = answer.device ?? {}
    const kept = { tenant: answer.tenant ?? "", deviceId, name, key }
    await keepDevice(kept)
    // Browsers that are short of room then ask before they throw the key away. None has to grant it.
    void navigator.storage?.persist?.()
    return new Device(kept)
  }

  /** Deletes what this browser has of the device, which it can then become no more: a new code makes another one. */
  async forget(): Promise<void> {
    this.#token = undefined
    await forgetDevice()
  }

  /** A token that is good for some time yet. Throws a StatusError: `device_wiped`, for example. */
  token(): Promise<string> {
    if (this.#token && Date.now() < this.#token.endsAt - marginMs) return Promise.resolve(this.#token.text)
    this.#proving ??= this.#prove().finally(() => (this.#proving = undefined))
    return this.#proving
  }

  /** What answers this device's calls while the server is away; undefined: nothing does. */
  standIn: typeof fetch | undefined

  /** How calls reach the server as this device, with nobody signed in. */
  get access(): Access {
    const standIn = this.standIn
    if (!standIn) return { url: "", token: () => this.token(), headers: {}, fetch: send }
    const ifAway = <Value>(other: () => Value) => (problem: unknown) => {
      if (problem instanceof TypeError || isAway(problem)) return other()
      throw problem
    }
    return {
      url: "", headers: {}, token: () => this.token().catch(ifAway(() => "")),
      fetch: (input, init) => new Headers(init?.headers).has("authorization")
        ? send(input, init).catch(ifAway(() => standIn(input, init))) : standIn(input, init),
    }
  }

  /** Proves possession of the key. A wrong clock is corrected by the server's, and asked again. */
  async #prove(attempt = 1, after = 0): Promise<string> {
    const at = Math.max(Date.now() + this.#aheadMs, after + 1)
    const text = ["assent-device-1", this.tenant, this.deviceId, at].join("\n")
    const signature = await crypto.subtle.sign({ ...algorithm, hash: "SHA-256" }, this.#key, bytesOf(text))
    try {
      const { accessToken = "", expiresAt = "" } = await anybody.authenticateDevice({
        tenant: this.tenant, deviceId: this.deviceId,
        signed: { at: new Date(at).toISOString(), signature: toBase64(new Uint8Array(signature)) },
      })
      this.#token = { text: accessToken, endsAt: Date.parse(expiresAt) - this.#aheadMs }
      return accessToken
    } catch (problem) {
      if (!(problem instanceof StatusError)) throw problem
      if (problem.rule === "device_wiped") await this.forget()
      const clock = told(problem, "assent.account.v1.DeviceClock")
      if (clock === undefined || attempt === 3) throw problem
      const { serverTime, lastProof } = clock as DeviceClock
      if (serverTime) this.#aheadMs = Date.parse(serverTime) - Date.now()
      return this.#prove(attempt + 1, lastProof ? Date.parse(lastProof) : 0)
    }
  }
}

/** A message that came with an error, as gateways show it in JSON; undefined when there is none of this type. */
export function told(problem: StatusError, type: string): unknown {
  return problem.details.find((detail) => detail.type === type)?.debug
}
