import { Client } from "../../clients/typescript/src/client.js"
import { RecordService, type CheckSignedCopyResponse } from "../../clients/typescript/src/contract/consent_v1.js"
import { StatusError } from "../../clients/typescript/src/status.js"
import { hexOf, isEqual, sha256 } from "../bytes.js"
import { mostBytes, readBundle } from "./bundle.js"
import { Keys } from "./note.js"
import { isPDF, readPaper, type Paper } from "./pdf.js"
import { toldBy, type Told } from "./told.js"
import { verify, type Report } from "./verify.js"

/** Where a copy is compared, and whose signatures count. */
export interface Desk {
  /** Where the gateway is; empty: where the page came from. */
  readonly url: string
  readonly fetch: typeof fetch | undefined
  /** The identifier of the copy; empty: the one that is printed on it. */
  readonly identifier: string
  /** Public keys of evidence, as texts. */
  readonly keys: string[]
}

/** What came of it, by what a person does then: rely on it, not rely on it, or find what is missing. */
export interface Finding {
  verdict: "genuine" | "erased" | "changed" | "unknown"
  why:
    | "same" | "earlier" | "proven" | "erased" | "incomparable" | "differs" | "altered"
    | "unreadable" | "too-large" | "too-many" | "no-identifier" | "other-document" | "not-on-record" | "no-key"
    | "no-ed25519" | "away"
  /** The SHA-256 of a signed copy. */
  hash?: string
  title?: string
  /** The identifier that is printed on a copy of another document than the one that was asked about. */
  identifier?: string
  /** What the server has on record of it. */
  onRecord?: CheckSignedCopyResponse
  /** What was verified in a file of evidence. */
  report?: Report
  told?: Told
  /** The signed copy that was attached to the file, and is in the evidence. */
  attached?: Uint8Array
}

/** Judges a file, or a signed copy together with its evidence. No file leaves the browser. */
export async function judge(files: Blob[], desk: Desk): Promise<Finding> {
  if (files.length > 2) return { verdict: "unknown", why: "too-many" }
  if (files.some(({ size }) => size > mostBytes)) return { verdict: "unknown", why: "too-large" }
  const contents = await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer())))
  const copies = contents.filter(isPDF), others = contents.filter((bytes) => !isPDF(bytes))
  if (copies.length > 1 || others.length > 1) return { verdict: "unknown", why: "too-many" }
  const [copy] = copies, [evidence] = others, paper = copy && await readPaper(copy)
  // Anybody can attach somebody's evidence to any file: alone it says nothing of the pages around it.
  const within = paper?.attached.evidence && paper.attached.copy
  if (evidence) return judgeEvidence(evidence, within || copy, Boolean(within), desk)
  if (!copy || !paper) return { verdict: "unknown", why: "unreadable" }
  return within && paper.attached.evidence ? judgeEvidence(paper.attached.evidence, within, true, desk)
    : judgeCopy(copy, paper, desk)
}

async function judgeCopy(copy: Uint8Array, paper: Paper, desk: Desk): Promise<Finding> {
  const hash = hexOf(await sha256(copy)), { title, identifiers } = paper, [printed = ""] = identifiers
  if (desk.identifier && printed && !identifiers.includes(desk.identifier)) {
    return { verdict: "unknown", why: "other-document", hash, title, identifier: printed }
  }
  const verificationId = desk.identifier || printed
  if (!verificationId) return { verdict: "unknown", why: "no-identifier", hash, title }
  const send = desk.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init))
  const records = new Client({
    url: desk.url, fetch: (input, init) => send(input, { ...init, credentials: "omit" }),
  }).service(RecordService)
  let onRecord
  try {
    onRecord = await records.checkSignedCopy({ verificationId, sha256: hash })
  } catch (problem) {
    const isUnknown = problem instanceof StatusError && ["not_found", "invalid_argument"].includes(problem.code)
    return { verdict: "unknown", why: isUnknown ? "not-on-record" : "away", hash, title }
  }
  const found = { hash, title, onRecord }
  switch (onRecord.comparison) {
    case "COPY_COMPARISON_SAME": return { verdict: "genuine", why: "same", ...found }
    case "COPY_COMPARISON_EARLIER": return { verdict: "genuine", why: "earlier", ...found }
    case "COPY_COMPARISON_ERASED": return { verdict: "unknown", why: "incomparable", ...found }
    case "COPY_COMPARISON_DIFFERENT": return { verdict: "changed", why: "differs", ...found }
    default: return { verdict: "unknown", why: "not-on-record", ...found }
  }
}

async function judgeEvidence(
  evidence: Uint8Array, copy: Uint8Array | undefined, isAttached: boolean, desk: Desk,
): Promise<Finding> {
  let bundle
  try {
    bundle = readBundle(evidence)
  } catch {
    return { verdict: "unknown", why: "unreadable" }
  }
  const keys = await Keys.read(desk.keys), report = await verify(bundle, keys)
  const hash = copy && await sha256(copy), copies = report.commitments.filter(({ label }) => label === "signed copy")
  const isMissing = hash !== undefined && !copies.some(({ value }) => isEqual(value, hash))
  const isIncomparable = isMissing && !copies.length && report.erased > 0
  if (isMissing && !isIncomparable) report.problems.push("copy: not in the evidence")
  const found = { report, ...hash ? { hash: hexOf(hash) } : {} }
  if (report.problems.length) return { verdict: "changed", why: "altered", ...found }
  if (report.isUnknownSigner) return { verdict: "unknown", why: keys.canVerify ? "no-key" : "no-ed25519", ...found }
  if (isIncomparable) return { verdict: "unknown", why: "incomparable", ...found }
  const told = toldBy(report)
  const all = { ...found, ...told ? { told } : {}, ...isAttached && copy ? { attached: copy } : {} }
  return report.erased ? { verdict: "erased", why: "erased", ...all } : { verdict: "genuine", why: "proven", ...all }
}
