import { RecordService, type ConsentRecord } from "../../../clients/typescript/src/contract/consent_v1.js"
import type { Context } from "../context.js"
import { answerButton, downloadButton } from "./download.js"

/** What there is of a record as files: what was shown, the signed copy, the evidence. */
export function recordFiles(context: Context, { recordId = "", siteId, kind, signedCopy }: ConsentRecord): Node[] {
  const { words, rights, study } = context
  const place = { study: study?.studyId, site: siteId }
  const found: Node[] = []
  if (kind !== "RECORD_KIND_FORM" && rights.may(RecordService.getShownContent, place)) {
    found.push(downloadButton(context, { label: words.record.shown, icon: "eye", isShown: true,
      method: RecordService.getShownContent, request: { recordId }, name: "" }))
  }
  if (signedCopy && rights.may(RecordService.getSignedCopy, place)) {
    found.push(downloadButton(context, { label: words.record.copy, icon: "file",
      method: RecordService.getSignedCopy, request: { recordId }, name: `${recordId}.pdf` }))
  }
  if (rights.may(RecordService.getEvidence, place)) {
    found.push(answerButton(context, words.record.evidence, "shield", `${recordId}.evidence.json`,
      RecordService.getEvidence, { recordId }))
  }
  return found
}
