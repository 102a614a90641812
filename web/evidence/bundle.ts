import { fromBase64, letters } from "../bytes.js"
import { read, type Json } from "./json.js"
import { encoded, type Cell } from "./values.js"

/** A file of evidence, as docs/evidence.md describes it, with its bytes decoded. */
export interface Bundle {
  logs: Log[]
}

export interface Log {
  origin: string
  tenant: string
  checkpoint: string
  shown: string
  shownAtMs: bigint
  earlier: { checkpoint: string, proof: Uint8Array[] }[]
  events: Event[]
  rows: Row[]
  commitments: Commitment[]
  contents: { name: string, digest: string, bytes: Uint8Array }[]
}

export interface Event {
  sequence: bigint
  stream: string
  type: string
  payload: Uint8Array
  atMs: bigint
  changes: Uint8Array
  chain: Uint8Array
  proof: Uint8Array[]
}

export interface Row {
  event: bigint
  table: string
  key: Column[]
  columns: Column[]
}

export type Column = [name: string, value: Cell]

export interface Commitment {
  id: string
  subject: string
  label: string
  digest: string
  salt: Uint8Array | null
  value: Uint8Array | null
}

export const mostBytes = 2 ** 28

/** Reads a bundle; throws where it is none. */
export function readBundle(bytes: Uint8Array): Bundle {
  need(bytes.length <= mostBytes)
  const bundle = members(read(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)))
  const logs = list(bundle["logs"])
  need(bundle["format"] === "assent-evidence-1" && logs.length > 0)
  return { logs: logs.map(logOf) }
}

function logOf(json: Json): Log {
  const log = members(json), tenant = text(log["tenant"])
  need(/^[A-Za-z0-9._-]{1,64}$/.test(tenant))
  return {
    origin: text(log["origin"]), tenant, checkpoint: text(log["checkpoint"]), shown: text(log["shown"]),
    shownAtMs: integer(log["shown_at_ms"]),
    earlier: list(log["earlier"]).map((each) => {
      const head = members(each)
      return { checkpoint: text(head["checkpoint"]), proof: digests(head["proof"]) }
    }),
    events: list(log["events"]).map(eventOf),
    rows: list(log["rows"]).map(rowOf),
    commitments: list(log["commitments"]).map(commitmentOf),
    contents: list(log["contents"]).map((each) => {
      const content = members(each)
      return { name: text(content["name"]), digest: hex(content["digest"]), bytes: base64(content["bytes"]) }
    }),
  }
}

function eventOf(json: Json): Event {
  const event = members(json)
  return {
    sequence: integer(event["sequence"]), stream: text(event["stream"]), type: text(event["type"]),
    payload: base64(event["payload"]), atMs: integer(event["at_ms"]), changes: base64(event["changes"]),
    chain: base64(event["chain"], 32), proof: digests(event["proof"]),
  }
}

function rowOf(json: Json): Row {
  const row = members(json)
  return {
    event: integer(row["event"]), table: text(row["table"]), key: columns(row["key"]), columns: columns(row["columns"]),
  }
}

function commitmentOf(json: Json): Commitment {
  const commitment = members(json), [salt, value] = [commitment["salt"], commitment["value"]]
  need((salt === null) === (value === null))
  return {
    id: text(commitment["id"]), subject: text(commitment["subject"]), label: text(commitment["label"]),
    digest: hex(commitment["digest"]), salt: salt === null ? null : base64(salt),
    value: value === null ? null : base64(value),
  }
}

function columns(json: Json | undefined): Column[] {
  return list(json).map((each) => {
    const pair = list(each), value = pair[1]!
    need(pair.length === 2 && typeof value !== "boolean" && !Array.isArray(value))
    if (typeof value === "object" && value !== null) {
      need(Object.keys(value).length === 1 && ("bytes" in value || "real" in value))
      if ("real" in value) need(/^[0-9a-f]{16}$/.test(text(value["real"])))
    }
    const column: Column = [text(pair[0]), value as Cell]
    encoded(...column)
    return column
  })
}

function need(fits: boolean): asserts fits {
  if (!fits) throw new SyntaxError("no bundle of evidence")
}

function members(json: Json | undefined): Record<string, Json> {
  need(typeof json === "object" && json !== null && !Array.isArray(json))
  return json
}

function list(json: Json | undefined): Json[] {
  need(Array.isArray(json))
  return json
}

function text(json: Json | undefined): string {
  need(typeof json === "string")
  return json
}

function integer(json: Json | undefined): bigint {
  need(typeof json === "bigint")
  return json
}

function base64(json: Json | undefined, size?: number): Uint8Array {
  return fromBase64(text(json), size)
}

function digests(json: Json | undefined): Uint8Array[] {
  return list(json).map((each) => base64(each, 32))
}

function hex(json: Json | undefined): string {
  need(/^[0-9a-f]{64}$/.test(text(json)))
  return text(json)
}

/** The columns of a row by their names. */
export function valuesOf(row: Row): Map<string, Cell> {
  return new Map([...row.key, ...row.columns])
}

/** The bytes of a value that has them. */
export function bytesIn(value: Cell | undefined): Uint8Array | undefined {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return undefined
  const found = value["bytes"]
  return typeof found === "string" ? fromBase64(found) : undefined
}

/** A key for maps: bytes as letters. */
export function keyOf(...values: Cell[]): string {
  return letters(encoded(...values))
}
