import { bytesOf } from "../bytes.js"
import { type Change, commit, read, readAll } from "./database.js"

/** A value as AES-GCM has sealed it. */
export interface Sealed {
  readonly nonce: Uint8Array
  readonly content: ArrayBuffer
}

const algorithm = "AES-GCM"

/** @param place - what it is; it opens as nothing else */
export async function seal(key: CryptoKey, place: string, value: unknown): Promise<Sealed> {
  const nonce = crypto.getRandomValues(new Uint8Array(12))
  const content = await crypto.subtle.encrypt(
    { name: algorithm, iv: nonce, additionalData: bytesOf(place) }, key, bytesOf(JSON.stringify(value)))
  return { nonce, content }
}

/** Throws where it is not this key's, or not what is meant. */
export async function unseal(key: CryptoKey, place: string, { nonce, content }: Sealed): Promise<unknown> {
  const bytes = await crypto.subtle.decrypt(
    { name: algorithm, iv: nonce, additionalData: bytesOf(place) }, key, content)
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** What is kept under one key: a person's, or the browser's own. */
export class Drawer {
  private key: CryptoKey | undefined

  /** @param owner - the person; empty: the browser */
  constructor(readonly owner: string, key: CryptoKey) {
    this.key = key
  }

  /** Nothing can be read or written through this any more. */
  close(): void {
    this.key = undefined
  }

  async get<Value>(name: string): Promise<Value | undefined> {
    const sealed = await read("sealed", [this.owner, name]) as Sealed | undefined
    return sealed && await unseal(this.open, this.place(name), sealed) as Value
  }

  /** All whose names begin so, by name. */
  async all<Value>(beginning: string): Promise<[string, Value][]> {
    const range = IDBKeyRange.bound([this.owner, beginning], [this.owner, `${beginning}\uffff`])
    const kept = await readAll("sealed", range)
    return Promise.all(kept.map(async ([key, sealed]) => {
      const name = (key as string[])[1]!
      return [name, await unseal(this.open, this.place(name), sealed as Sealed) as Value] as [string, Value]
    }))
  }

  /** The change that puts it in. */
  async put(name: string, value: unknown): Promise<Change> {
    return { part: "sealed", key: [this.owner, name], value: await seal(this.open, this.place(name), value) }
  }

  drop(name: string): Change {
    return { part: "sealed", key: [this.owner, name] }
  }

  async keep(name: string, value: unknown): Promise<void> {
    await commit(await this.put(name, value))
  }

  /** The change that adds something to the queue. */
  async queued(value: unknown): Promise<Change> {
    return { part: "queue", value: await seal(this.open, "queue", value) }
  }

  /** All that is in the queue, in its order, by key. */
  async queue<Value>(): Promise<[IDBValidKey, Value][]> {
    return Promise.all((await readAll("queue")).map(async ([key, sealed]) =>
      [key, await unseal(this.open, "queue", sealed as Sealed) as Value] as [IDBValidKey, Value]))
  }

  async requeued(key: IDBValidKey, value: unknown): Promise<Change> {
    return { part: "queue", key, value: await seal(this.open, "queue", value) }
  }

  private get open(): CryptoKey {
    if (!this.key) throw new Error("this store is closed")
    return this.key
  }

  private place(name: string): string {
    return `${this.owner}\n${name}`
  }
}
