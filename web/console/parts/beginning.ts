import {
  DocumentService, FlowService, RecordService, StudyService, type ConsentDocument, type ConsentFlow,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { filled } from "../../words/language.js"
import type { Context } from "../context.js"
import type { IconName } from "../icons.js"
import { written } from "../shell/address.js"
import type { Need } from "./needs.js"
import { ofSites } from "./of-sites.js"

/** The next step of a study in which nobody was asked for anything yet, if it is one that the person may take. */
export async function beginning(context: Context, study: string, documents: readonly ConsentDocument[],
  flows: readonly ConsentFlow[]): Promise<Need[]> {
  const { words: { home, document: { publish }, flows: { make, noneWhy }, invite }, rights } = context
  const place = { study }
  const step = (method: { readonly path: string }, icon: IconName, title: string, sentence: string, step: string,
    href: string): Need[] => rights.may(method, place) ? [{ tone: "", icon, title, sentence, step, href }] : []
  const [document] = documents
  if (!document) {
    return step(DocumentService.createDocument, "pen", home.noDocument, home.noDocumentWhy, home.writeOne,
      written("documents", "", { study }))
  }
  const published = documents.find(({ publishedVersion }) => publishedVersion)
  // What waits for a second person is told by itself.
  if ([...documents, ...flows].some(({ pendingApprovals = [] }) => pendingApprovals.length > 0)) return []
  if (!published) {
    return document.draftVersion ? step(DocumentService.publishDocumentDraft, "file",
      filled(home.unpublished, { document: document.name || document.documentId || "" }), home.unpublishedWhy, publish,
      written("document", document.documentId, { study })) : []
  }
  const [flow] = flows
  if (!flow) {
    return step(FlowService.createFlow, "plus", home.noFlow, noneWhy, make,
      written("document", published.documentId, { study }))
  }
  if (!flows.some(({ publishedVersion }) => publishedVersion)) {
    return step(FlowService.publishFlowDraft, "file",
      filled(home.unpublished, { document: flow.name || flow.flowId || "" }), home.unpublishedFlowWhy, publish,
      written("flow", flow.flowId, { study }))
  }
  if (await isUsed(context, study)) return []
  return step(StudyService.createInvitation, "qr", invite.none, invite.noneWhy, invite.one,
    written("invitations", "", { study }))
}

/** Whether somebody was invited or has decided. */
async function isUsed(context: Context, study: string): Promise<boolean> {
  const { calls, rights } = context
  const [invited, decided] = await Promise.all([
    rights.may(StudyService.listInvitations, { study })
      ? calls.make(StudyService.listInvitations, { studyId: study, pageSize: 1 }) : undefined,
    rights.may(RecordService.listRecords, { study })
      ? calls.make(RecordService.listRecords, { ...ofSites(context, study), pageSize: 1 }) : undefined])
  // A page may be empty with more to come.
  return !!invited?.nextPageToken || !!decided?.nextPageToken || (invited?.invitations ?? []).length > 0
    || (decided?.records ?? []).length > 0
}
