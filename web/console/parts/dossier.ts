import { RecordService } from "../../../clients/typescript/src/contract/consent_v1.js"
import type { Context } from "../context.js"
import { downloadButton } from "./download.js"

/** What an inspector takes along, of a participant or of a study, for whoever may have it. */
export function dossier(context: Context, studyId: string, subjectId = ""): Node[] {
  const { rights, words } = context
  if (!rights.may(RecordService.exportDossier, { study: studyId })) return []
  return [downloadButton(context, { label: words.person.dossier, method: RecordService.exportDossier,
    request: { studyId, subjectId }, name: `${subjectId || studyId}-dossier.pdf` })]
}
