import { RecordService } from "../../../clients/typescript/src/contract/consent_v1.js"
import type { Context } from "../context.js"

/** The study and, for whoever has no role in all of it, a site. */
export function ofSites({ rights }: Context, studyId: string): { studyId: string, siteId?: string } {
  const site = rights.site(RecordService.listRecords, studyId)
  return { studyId, ...site ? { siteId: site } : {} }
}
