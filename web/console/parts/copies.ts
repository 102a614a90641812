import { RecordService } from "../../../clients/typescript/src/contract/consent_v1.js"
import { all } from "../access/calls.js"
import type { Context } from "../context.js"
import { written } from "../shell/address.js"
import { counted } from "./marks.js"
import { ofSites, type Need } from "./needs.js"

/** How many records are looked at: whoever has more is told of them by webhooks. */
const most = 5000

/** Signed copies that could not be made, among the study's records. No call lists them, so each record is looked at. */
export async function copies(context: Context): Promise<Need[]> {
  const { calls, words, study } = context
  const studyId = study?.studyId ?? ""
  const records = await all(async (pageToken) => {
    const page = await calls.make(RecordService.listRecords, {
      ...ofSites(context, studyId), pageSize: 500, pageToken })
    return { items: page.records, next: page.nextPageToken }
  }, most)
  const failed = records.filter(({ signedCopy, participantCopy }) =>
    [signedCopy, participantCopy].some((copy) => copy?.state === "SIGNED_COPY_STATE_FAILED"))
  if (failed.length === 0) return []
  return [{
    tone: "bad", icon: "file", title: counted(context, failed.length, words.home.copy, words.home.copies),
    sentence: words.home.copyKept, step: words.home.sendAgain,
    href: written("record", failed[0]!.recordId, { study: studyId }),
  }]
}
