import { bytesOf, fromHex, hexOf, isEqual, joined, letters, sha256 } from "../bytes.js"
import { bytesIn, keyOf, valuesOf, type Bundle, type Event, type Log, type Row } from "./bundle.js"
import { climb, isContinued, type Tree } from "./merkle.js"
import { readNote, type Keys } from "./note.js"
import { encoded, type Cell } from "./values.js"

/** What came of verifying a bundle; it names problems as `assent verify evidence` does. */
export interface Report {
  problems: string[]
  /** A log is signed by a key that nobody here knows, or the browser cannot verify. */
  isUnknownSigner: boolean
  /** Logs, each as of an event and a time. */
  logs: { origin: string, size: bigint, shownAtMs: bigint }[]
  /** How many commitments were erased, or people. */
  erased: number
  /** What is proven: rows, and the hashes of files that were sealed. */
  rows: Row[]
  contents: { name: string, bytes: Uint8Array }[]
  commitments: { label: string, value: Uint8Array }[]
}

/** Verifies a bundle without asking anybody: docs/evidence.md says what is checked. */
export async function verify(bundle: Bundle, keys: Keys): Promise<Report> {
  const report: Report = {
    problems: [], isUnknownSigner: false, logs: [], erased: 0, rows: [], contents: [], commitments: [],
  }
  for (const log of bundle.logs) await new Verification(log, keys, report).run()
  return report
}

class Verification {
  private readonly events = new Map<bigint, Event>()
  /** What is recorded, as letters: digests of commitments and contents must stand in it. */
  private readonly record: string[] = []
  private readonly owned = new Set<string>()

  constructor(private readonly log: Log, private readonly keys: Keys, private readonly report: Report) {}

  async run(): Promise<void> {
    const { log } = this
    const head = await this.head(log.checkpoint, "", [])
    if (!head) return
    const shown = await this.head(log.shown, "#shown", ["shown"])
    if (shown) {
      if (shown.size !== head.size || !isEqual(shown.root, await shownHash(log))) this.say("incomplete", "shown")
      else this.report.logs.push({ origin: log.origin, size: head.size, shownAtMs: log.shownAtMs })
    }
    for (const [at, { checkpoint, proof }] of log.earlier.entries()) {
      const place = `earlier ${at + 1}`, old = await this.head(checkpoint, "", [place])
      if (old && !await isContinued(old, head, proof)) this.say("consistency", place)
    }
    await this.eventsIn(head)
    await this.chains()
    await this.rows()
    await this.lists()
    await this.commitments()
    await this.contents()
    this.report.erased += [...this.events.values()].filter((event) => erasure(event) !== undefined).length
  }

  private say(kind: string, ...place: string[]): void {
    this.report.problems.push(plain(`${kind}: ${[this.log.origin, ...place].join(", ")}`))
  }

  /** A head of this log that somebody has signed. */
  private async head(text: string, kind: string, place: string[]): Promise<Tree | undefined> {
    let note
    try {
      note = readNote(text)
    } catch {
      return void this.say("checkpoint", ...place)
    }
    if (note.name !== this.log.origin + kind || !this.log.origin.endsWith(`/${this.log.tenant}`)) {
      return void this.say("origin", ...place)
    }
    const signer = await this.keys.signer(note)
    if (signer === "forged") return void this.say("signature", ...place)
    if (signer === "unknown") this.report.isUnknownSigner = true
    return note
  }

  private async eventsIn(head: Tree): Promise<void> {
    for (const event of this.log.events) {
      const { sequence, stream, type, payload, atMs, changes, chain, proof } = event, place = `event ${sequence}`
      const leaf = await sha256(new Uint8Array([0]), encoded(
        "assent event 1", this.log.tenant, sequence, stream, type, payload, atMs, changes, chain))
      if (this.events.has(sequence)) this.say("duplicate", place)
      else if (!isSame(await climb(leaf, sequence - 1n, head.size, proof), head.root)) this.say("inclusion", place)
      else {
        this.events.set(sequence, event)
        this.record.push(letters(payload))
      }
    }
  }

  private async chains(): Promise<void> {
    const sorted = [...this.events.values()].sort((one, other) => one.sequence < other.sequence ? -1 : 1)
    for (const { sequence, stream, type, payload, atMs, changes, chain } of sorted) {
      const before = sequence === 1n ? await sha256(bytesOf("assent events")) : this.events.get(sequence - 1n)?.chain
      if (!before) continue
      const found = await sha256(
        before, encoded(this.log.tenant, sequence, stream, type, payload, atMs, changes))
      if (!isEqual(found, chain)) this.say("chain", `event ${sequence}`)
    }
  }

  private async rows(): Promise<void> {
    const committed = new Map<bigint, Set<string>>()
    for (const [at, row] of this.log.rows.entries()) {
      const event = this.events.get(row.event)
      if (event && !committed.has(row.event)) committed.set(row.event, new Set(entries(event.changes)))
      if (!event || !committed.get(row.event)!.has(letters(await change(row)))) {
        this.say("row", `row ${at + 1}`)
        continue
      }
      this.report.rows.push(row)
      const mine = owner(row)
      if (mine !== undefined) this.owned.add(mine)
      for (const [, value] of row.columns) {
        const bytes = bytesIn(value)
        if (bytes) this.record.push(letters(bytes))
      }
    }
  }

  /** Rows are held to each other: all entries of a list, and the version that a record names. */
  private async lists(): Promise<void> {
    const { rows } = this.log
    for (const [at, row] of rows.entries()) {
      if (row.table === "storage_lists" && !await isWhole(row, rows)) this.say("list", `row ${at + 1}`)
      if (row.table === "records" && !isVersioned(row, rows)) this.say("version", `row ${at + 1}`)
    }
  }

  private isKnown(digest: string): boolean {
    const bytes = letters(fromHex(digest))
    return this.record.some((text) => text.includes(bytes) || text.includes(digest))
  }

  private async commitments(): Promise<void> {
    const gone = new Set([...this.events.values()].map(erasure))
    for (const { id, subject, label, digest, salt, value } of this.log.commitments) {
      const place = `commitment ${id}`
      if (!this.isKnown(digest)) this.say("unlinked", place)
      else if (salt === null || value === null) {
        if (!gone.has(subject) || !this.owned.has(keyOf(id, subject, label, digest))) this.say("unopened", place)
        else this.report.erased += 1
      } else if (hexOf(await sha256(encoded("assent commitment 1", salt, label, value))) !== digest) {
        this.say("commitment", place)
      } else {
        // What is committed to may be the hash of something larger.
        if (value.length === 32) this.record.push(letters(value))
        this.report.commitments.push({ label, value })
      }
    }
  }

  private async contents(): Promise<void> {
    for (const { name, digest, bytes } of this.log.contents) {
      if (hexOf(await sha256(bytes)) !== digest) this.say("content", `content ${name}`)
      else if (!this.isKnown(digest)) this.say("unlinked", `content ${name}`)
      else this.report.contents.push({ name, bytes })
    }
  }
}

function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && isEqual(one, other)
}

/** What an event commits to for a row: its table, its key, and its hash. */
async function change({ table, key, columns }: Row): Promise<Uint8Array> {
  const counted = (pairs: Row["key"]) => joined(encoded(BigInt(pairs.length)), ...pairs.map((pair) => encoded(...pair)))
  const hash = await sha256(encoded("assent row 1", table), counted(key), counted(columns))
  return encoded(table, joined(...key.map(([, value]) => encoded(value))), hash)
}

/** What rows are after an event that changed them: table, key and hash, as letters; none where it cannot be read. */
function entries(data: Uint8Array): string[] {
  const found: string[] = [], parts: Uint8Array[] = []
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let at = 0
  while (at < data.length) {
    const tag = data[at]!
    if (tag > 4 || tag > 2 && at + 5 > data.length) return []
    const end = at + 1 + (tag === 0 ? 0 : tag < 3 ? 8 : 4 + view.getUint32(at + 1))
    if (end > data.length) return []
    parts.push(data.subarray(at, end))
    at = end
    if (parts.length < 4) continue
    const [table, key, , after] = parts.splice(0)
    found.push(letters(joined(table!, key!, after!)))
  }
  return parts.length ? [] : found
}

/** The hash of what the service says that it handed out. */
async function shownHash({ events, rows, commitments, contents, shownAtMs }: Log): Promise<Uint8Array> {
  const count = (all: unknown[]) => BigInt(all.length)
  return sha256(
    encoded("assent shown 2", shownAtMs, count(events), ...events.map(({ sequence }) => sequence), count(rows)),
    ...await Promise.all(rows.map(async (row) => joined(encoded(row.event), await change(row)))),
    encoded(count(commitments)),
    ...commitments.map(({ id, subject, label, digest, salt }) =>
      encoded(id, subject, label, fromHex(digest), salt === null ? 0n : 1n)),
    encoded(count(contents)), ...contents.map(({ name, digest }) => encoded(name, fromHex(digest))))
}

/** Whether all entries of a list are there, as they were added. */
async function isWhole(end: Row, rows: Row[]): Promise<boolean> {
  const values = valuesOf(end), name = values.get("list"), count = values.get("count")
  if (typeof name !== "string" || !name.includes("/") || typeof count !== "bigint") return false
  const table = name.slice(0, name.indexOf("/")), owner = name.slice(table.length + 1)
  const entries = new Map<bigint, Uint8Array>()
  for (const row of rows) {
    if (row.table !== table || row.key.length !== 2 || row.key[0]![1] !== owner) continue
    const number = row.key[1]![1], body = bytesIn(valuesOf(row).get("body"))
    if (typeof number !== "bigint" || entries.has(number) || !body) return false
    entries.set(number, body)
  }
  let chain = await sha256(bytesOf("assent list"))
  for (let number = 1n; number <= BigInt(entries.size); number += 1n) {
    const body = entries.get(number)
    if (!body) return false
    chain = await sha256(chain, encoded(number, body))
  }
  return count === BigInt(entries.size) && isSame(bytesIn(values.get("chain")), chain)
}

/** Whether the version of a record is the one that is shown with it. */
function isVersioned(record: Row, rows: Row[]): boolean {
  const wanted = valuesOf(record), hash = wanted.get("version_hash") ?? ""
  if (hash === "") return true
  return rows.some((row) => {
    const values = valuesOf(row)
    if (values.get("version_hash") !== hash) return false
    return row.table === "flow_versions" || row.table === "document_versions"
      && values.get("document_id") === wanted.get("document_id")
      && values.get("version") === wanted.get("document_version")
  })
}

/** Whose a commitment is, as the row of the vault states it. */
function owner(row: Row): string | undefined {
  if (row.table !== "storage_vault_commitments") return undefined
  const values = valuesOf(row), digest = bytesIn(values.get("digest"))
  const names: (Cell | undefined)[] = ["id", "subject", "label"].map((name) => values.get(name))
  if (!digest || !names.every((name) => typeof name === "string")) return undefined
  return keyOf(...names as string[], hexOf(digest))
}

/** Whose erasure an event tells of. */
function erasure(event: Event): string | undefined {
  if (event.type !== "storage.vault.erased") return undefined
  try {
    const { subject } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(event.payload)) as
      { subject?: unknown }
    return typeof subject === "string" ? subject : undefined
  } catch {
    return undefined
  }
}

/** Whoever made a bundle must not add a line, or a verdict, to what is said of it. */
function plain(text: string): string {
  return [...text].map((letter) => letter >= " " && letter <= "~" ? letter
    : `\\u{${letter.codePointAt(0)!.toString(16).toUpperCase()}}`).join("")
}
