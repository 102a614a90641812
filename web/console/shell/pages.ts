import { AccountAdminService } from "../../../clients/typescript/src/contract/account_v1.js"
import {
  DocumentService, RecordService, StudyService, WebhookService,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { SealService } from "../../../clients/typescript/src/contract/signature_v1.js"
import type { Rights } from "../access/rights.js"
import type { Opener } from "../context.js"
import type { IconName } from "../icons.js"

/** A page of the console: who is shown the way to it, and what it is made by. */
interface Entry {
  readonly icon: IconName
  /** Calls without any of which there is nothing to see or to do; none: everybody sees something. */
  readonly methods?: readonly { readonly path: string }[]
  /** It is about the study that is looked at. */
  readonly ofStudy?: boolean
  readonly load: () => Promise<{ readonly open: Opener }>
}

export type PlaceName =
  | "home" | "documents" | "people" | "invitations" | "records" | "trail" | "studies" | "staff" | "integrations"

/** Pages with a place in the navigation, in its order. */
export const places: Readonly<Record<PlaceName, Entry>> = {
  home: { icon: "home", load: () => import("../pages/home.js") },
  documents: {
    icon: "file", methods: [DocumentService.listDocuments], ofStudy: true,
      load: () => import("../pages/documents.js") },
  people: {
    icon: "users", methods: [RecordService.listRecords, RecordService.setLegalHold], ofStudy: true,
    load: () => import("../pages/people.js") },
  invitations: {
    icon: "qr", methods: [StudyService.listInvitations], ofStudy: true, load: () => import("../pages/invitations.js") },
  records: {
    icon: "shield", methods: [RecordService.listRecords], ofStudy: true, load: () => import("../pages/records.js") },
  trail: { icon: "trail", methods: [RecordService.listTrail], ofStudy: true, load: () => import("../pages/trail.js") },
  studies: { icon: "cal", load: () => import("../pages/studies.js") },
  staff: { icon: "key", methods: [AccountAdminService.listAccounts], load: () => import("../pages/staff.js") },
  integrations: {
    icon: "plug", methods: [WebhookService.listWebhooks, SealService.getSealCertificate],
    load: () => import("../pages/integrations.js") },
}

/** Pages about one thing, each with the place that it belongs to. */
export const things: Record<string, { readonly of: PlaceName, readonly load: Entry["load"] }> = {
  document: { of: "documents", load: () => import("../pages/document.js") },
  edit: { of: "documents", load: () => import("../pages/edit.js") },
  flow: { of: "documents", load: () => import("../pages/flow.js") },
  translate: { of: "documents", load: () => import("../pages/translate.js") },
  person: { of: "people", load: () => import("../pages/person.js") },
  record: { of: "records", load: () => import("../pages/record.js") },
  sign: { of: "records", load: () => import("../pages/sign.js") },
  study: { of: "studies", load: () => import("../pages/study.js") },
  settings: { of: "integrations", load: () => import("../pages/settings.js") },
  webhook: { of: "integrations", load: () => import("../pages/webhook.js") },
}

/** The places that somebody with these rights is shown. */
export function open(rights: Rights, study: string | undefined): PlaceName[] {
  return (Object.keys(places) as PlaceName[]).filter((name) => {
    const { methods, ofStudy } = places[name]
    return !methods || methods.some((method) => rights.may(method, ofStudy ? { study } : {}))
  })
}
