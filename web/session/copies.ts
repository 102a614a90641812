import type { ConsentRecord, GetSignedCopyResponse } from "../../clients/typescript/src/contract/consent_v1.js"
import { fromBase64, hexOf, sha256 } from "../bytes.js"
import type { Patience } from "./patience.js"
import type { Server } from "./server.js"

/** The file of one consent, as far as it is made. */
export interface Copy {
  readonly record: ConsentRecord
  readonly file: File
  readonly answer: GetSignedCopyResponse
}

export type CopyVerdict = "same" | "different"

/** The records of a session that become files: of documents that were agreed to. */
export async function recordsWithCopies(server: Server, patience: Patience, ids: string[]): Promise<ConsentRecord[]> {
  const answers = await Promise.all(ids.map((recordId) =>
    patience.until((signal) => server.records.getRecord({ recordId }, { signal }))))
  return answers.flatMap(({ record }) =>
    record?.kind === "RECORD_KIND_DOCUMENT" && record.state !== "RECORD_STATE_DECLINED" ? [record] : [])
}

const pausesMs = [1000, 1000, 2000, 3000, 5000, 8000, 10_000]

/** The sealed file, once it is there; what there is of it after a while. */
export async function copyOf(server: Server, patience: Patience, record: ConsentRecord): Promise<Copy> {
  const recordId = record.recordId!
  for (const pause of [...pausesMs, 0]) {
    const answer = await patience.until((signal) => server.records.getSignedCopy({ recordId }, { signal }))
    if (answer.sealed || !pause) {
      const type = answer.contentType ?? "application/pdf"
      return { record, answer, file: new File([fromBase64(answer.content ?? "")], `${recordId}.pdf`, { type }) }
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  throw new Error("unreachable")
}

/** Compares the file with what is on record. Only its hash is sent. */
export async function verdict(server: Server, patience: Patience, copy: Copy): Promise<CopyVerdict> {
  const hash = hexOf(await sha256(new Uint8Array(await copy.file.arrayBuffer())))
  const { comparison } = await patience.until((signal) => server.records.checkSignedCopy(
    { verificationId: copy.answer.copy?.verificationId ?? "", sha256: hash }, { signal }))
  return comparison === "COPY_COMPARISON_SAME" || comparison === "COPY_COMPARISON_EARLIER" ? "same" : "different"
}
