import {
  DocumentService, FlowService, RecordService, SessionService, StudyService, WebhookService, type ConsentRecord,
  type ListRecordsRequest, type PendingApproval,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { filled } from "../../words/language.js"
import { all } from "../access/calls.js"
import type { Context } from "../context.js"
import type { IconName } from "../icons.js"
import { written } from "../shell/address.js"
import { beginning } from "./beginning.js"
import { devices, findings } from "./installation.js"
import { counted, Dates, type Tone } from "./marks.js"
import { ofSites } from "./of-sites.js"
import { voiding } from "./voiding.js"

/** Something that needs somebody, with its one next step. */
export interface Need {
  readonly tone: Tone
  readonly icon: IconName
  readonly title: string
  readonly sentence: string
  readonly step: string
  readonly href: string
  /** What can be done at once, in place of the step. */
  readonly acts?: readonly HTMLElement[]
}

/** Not more than these are counted. One more is read, to know whether there are more. */
const most = 1000

export type Source = (context: Context, studyId: string) => Promise<Need[]>

/**
 * What needs the person who is signed in, in the study that is looked at. Most urgent first.
 *
 * @param come - something has come, while more is looked for: who is due is counted person by person
 */
export async function needs(context: Context, come: (found: readonly Need[]) => void = () => undefined):
Promise<Need[]> {
  const studyId = context.study?.studyId ?? ""
  const order: Tone[] = ["bad", "warn", "", "ok"]
  const found: Need[] = []
  const sources = [webhooks, attention, signatures, waiting, copies, voidings, due, authoring, changes, devices, findings]
  await Promise.all(sources.map(async (source) => {
    found.push(...await source(context, studyId))
    found.sort((one, other) => order.indexOf(one.tone) - order.indexOf(other.tone))
    come(found)
  }))
  return found
}

const signatures: Source = async ({ calls, words, rights, locale, ...context }) => {
  if (!rights.may(SessionService.signRecord)) return []
  const tasks = await all(async (pageToken) => {
    const page = await calls.make(SessionService.listSigningTasks, { pageSize: 1000, pageToken })
    return { items: page.tasks, next: page.nextPageToken }
  }, most + 1)
  const mine = tasks.filter(({ studyId, siteId }) => rights.may(SessionService.signRecord, { study: studyId,
    site: siteId }))
  const [first] = mine
  if (!first) return []
  return [{
    tone: "warn", icon: "pen", title: counted({ ...context, calls, words, rights, locale }, mine.length,
      words.home.sign, words.home.signs, most),
    sentence: filled(words.home.signSince, {
      day: new Dates(locale).day(first.since), people: named(mine.map(({ subjectId = "" }) => subjectId)) }),
    step: words.home.signStep,
    href: written("sign", first.recordId, { study: first.studyId, signature: first.signatureId }),
  }]
}

const attention: Source = async (context, study) => {
  const { words, rights } = context
  if (!rights.may(RecordService.listRecords, { study })) return []
  const found = await records(context, study, { state: "RECORD_STATE_NEEDS_ATTENTION" })
  if (found.length === 0) return []
  const canDecide = found.some(({ siteId }) => rights.may(RecordService.resolveAttention, { study, site: siteId }))
  return [{
    tone: "bad", icon: "warn", title: counted(context, found.length, words.home.attention,
      words.home.attentions, most),
    sentence: named(found.map(({ subjectId = "" }) => subjectId)),
    step: canDecide ? words.home.decide : words.home.show,
    href: written("records", "", { study, state: "needs_attention" }),
  }]
}

async function records(context: Context, study: string, wanted: ListRecordsRequest): Promise<ConsentRecord[]> {
  return all(async (pageToken) => {
    const page = await context.calls.make(RecordService.listRecords, {
      ...ofSites(context, study), ...wanted, pageSize: 500, pageToken })
    return { items: page.records, next: page.nextPageToken }
  }, most + 1)
}

/** How long somebody is told of a signature that was refused: there is nothing to do but to know of it. */
const refusalDays = 30

/** Consents that wait for others, and those that somebody refused to sign. */
const waiting: Source = async (context, study) => {
  const { words, rights } = context
  if (!rights.may(RecordService.listRecords, { study })) return []
  const decidedFrom = new Date(Date.now() - refusalDays * 86_400_000).toISOString()
  const [waits, refused] = await Promise.all([
    rights.may(SessionService.signRecord, { study }) ? []
      : records(context, study, { state: "RECORD_STATE_AWAITING_SIGNATURES" }),
    records(context, study, { concern: "RECORD_CONCERN_SIGNING_DECLINED", decidedFrom })])
  return [
    ...listed(context, refused, { tone: "bad", icon: "stop", one: words.home.refusal, many: words.home.refusals,
      step: words.home.read, filter: { study, concern: "signing_declined", from: decidedFrom.slice(0, 10) } }),
    ...listed(context, waits, { tone: "", icon: "pen", one: words.home.waits, many: words.home.waitMany,
      step: words.home.show, filter: { study, state: "awaiting_signatures" } })]
}

/** Signed copies that cannot be made, or that wait for something that does not answer. */
const copies: Source = async (context, study) => {
  const { words, rights } = context
  if (!rights.may(RecordService.listRecords, { study })) return []
  const [failed, waits] = await Promise.all([
    records(context, study, { concern: "RECORD_CONCERN_COPY_FAILED" }),
    records(context, study, { concern: "RECORD_CONCERN_COPY_WAITS" })])
  const canRetry = failed.some(({ siteId }) => rights.may(RecordService.retrySignedCopy, { study, site: siteId }))
  return [
    ...listed(context, failed, { tone: "bad", icon: "file", one: words.home.copy, many: words.home.copies,
      sentence: words.home.copyKept, step: canRetry ? words.home.sendAgain : words.home.show,
      filter: { study, concern: "copy_failed" } }),
    ...listed(context, waits, { tone: "warn", icon: "file", one: words.home.copyWaits, many: words.home.copiesWait,
      sentence: filled(words.home.copyWaitsFor, { reason: reason(waits[0]) }), step: words.home.show,
      filter: { study, concern: "copy_waits" } })]
}

/** What the first copy waits for: the server's sentence, without the rule before it. */
function reason(record: ConsentRecord | undefined): string {
  const [waits] = [record?.signedCopy, record?.participantCopy].filter((copy) => copy?.reason
    && copy.state === "SIGNED_COPY_STATE_SEALING")
  return (waits?.reason ?? "").replace(/^[a-z_]+: /, "")
}

/** Records that somebody says were entered in error, until a second person has answered. */
const voidings: Source = async (context, study) => {
  const { words, rights, person } = context
  if (!rights.may(RecordService.listRecords, { study })) return []
  const asked = await records(context, study, { concern: "RECORD_CONCERN_VOID_REQUESTED" })
  return asked.map((record) => {
    const { recordId, subjectId = "", voidRequestedBy = "" } = record
    return {
      tone: "warn", icon: "eye", title: filled(words.home.voiding, { person: subjectId }),
      sentence: filled(voidRequestedBy === person.id ? words.home.voidingMine : words.home.voidingOf, {
        person: voidRequestedBy }),
      step: words.home.show, href: written("record", recordId, { study }),
      acts: voiding(context, record, words.record.voidConfirm),
    }
  })
}

/** A row about records: it leads to the only one, or to the list of them. */
function listed(context: Context, found: readonly ConsentRecord[], row: {
  tone: Tone, icon: IconName, one: string, many: string, sentence?: string, step: string, filter: Filter,
}): Need[] {
  const [first] = found
  if (!first) return []
  return [{
    tone: row.tone, icon: row.icon, title: counted(context, found.length, row.one, row.many, most),
    sentence: row.sentence ?? named(found.map(({ subjectId = "" }) => subjectId)), step: row.step,
    href: found.length === 1 ? written("record", first.recordId, { study: row.filter.study })
      : written("records", "", row.filter),
  }]
}

/** What the address of a list of records holds. */
type Filter = { readonly study: string } & Readonly<Record<string, string>>

const due: Source = async (context, study) => {
  const { calls, words, rights, locale } = context
  if (!rights.may(RecordService.listDueConsents, { study })) return []
  const people = await all(async (pageToken) => {
    const page = await calls.make(RecordService.listDueConsents, { studyId: study, pageSize: 1000, pageToken })
    return { items: page.dueConsents, next: page.nextPageToken }
  })
  const dates = people.flatMap(({ dueBy }) => dueBy ? [dueBy] : []).sort()
  const late = dates.filter((date) => Date.parse(date) < Date.now()).length
  if (people.length === 0) return []
  return [{
    tone: late > 0 ? "bad" : "warn", icon: "cal",
    title: counted(context, people.length, words.home.due, words.home.dues),
    sentence: late > 0 ? counted(context, late, words.home.late, words.home.lates)
      : dates[0] ? filled(words.home.dueBy, { day: new Dates(locale).day(dates[0]) }) : words.home.noDate,
    step: words.home.show, href: written("people", "", { study, due: "yes" }),
  }]
}

/** Versions of documents and flows, and translations, that wait for a second person; else how a new study goes on. */
const authoring: Source = async (context, study) => {
  const { calls, words, rights, person } = context
  const place = { study }
  if (!rights.may(DocumentService.listDocuments, place) || !rights.may(FlowService.listFlows, place)) return []
  const [{ documents = [] }, { flows = [] }] = await Promise.all([
    calls.make(DocumentService.listDocuments, { studyId: study, pageSize: 1000 }),
    calls.make(FlowService.listFlows, { studyId: study, pageSize: 1000 })])
  const need = (name: string, { version, askedBy }: PendingApproval, href: string): Need => ({
    tone: "warn", icon: "eye", title: filled(words.home.approval, { document: name }),
    sentence: filled(askedBy === person.id ? words.home.approvalMine : words.home.approvalOf, {
      version: String(version ?? 0), person: askedBy ?? "" }),
    step: words.home.review, href,
  })
  const next = await beginning(context, study, documents, flows)
  if (!rights.may(DocumentService.publishDocumentDraft, place)) return next
  return [
    ...documents.flatMap(({ documentId = "", name, pendingApprovals = [] }) => pendingApprovals.map((each) => each.locale
      ? need(`${name || documentId} (${each.locale})`, each, written("translate", documentId, { study, to: each.locale }))
      : need(name || documentId, each, written("document", documentId, { study })))),
    ...flows.flatMap(({ flowId = "", name, pendingApprovals = [] }) => pendingApprovals.map((each) =>
      need(`${words.invite.flow}: ${name || flowId}`, each, written("flow", flowId, { study })))),
    ...next]
}

/** A change of the study that waits for a second administrator. */
const changes: Source = async ({ words, rights, study, person }) => {
  const { pendingChange, studyId, name } = study ?? {}
  if (!pendingChange || !rights.may(StudyService.updateStudy, { study: studyId })) return []
  return [{
    tone: "warn", icon: "eye", title: filled(words.home.change, { study: name || studyId || "" }),
    sentence: filled(pendingChange.askedBy === person.id ? words.home.approvalMine : words.home.changeOf, {
      person: pendingChange.askedBy ?? "", version: "" }),
    step: words.home.review, href: written("study", studyId, { study: studyId }),
  }]
}

const webhooks: Source = async (context) => {
  const { calls, words, rights, locale } = context
  if (!rights.may(WebhookService.listWebhooks)) return []
  const { webhooks: list = [] } = await calls.make(WebhookService.listWebhooks, {})
  return list.filter(({ status, disabled }) => !disabled && (status?.failingSince || status?.parked))
    .map(({ webhookId = "", url = "", status }) => ({
      tone: "bad" as const, icon: "plug" as const,
      // Those that are parked stay so, also when the receiver accepts events again.
      title: counted(context, (status?.failingSince ? status.waiting : status?.parked) ?? 0, words.home.hook,
        words.home.hooks),
      sentence: filled(status?.failingSince ? words.home.hookSince : words.home.hookParked, {
        address: url.replace(/^https:\/\//, ""), time: new Dates(locale).time(status?.failingSince) }),
      step: status?.parked ? words.home.sendAgain : words.home.show, href: written("webhook", webhookId),
    }))
}

/** The first few of some identifiers. */
function named(identifiers: readonly string[]): string {
  const each = [...new Set(identifiers)]
  return each.slice(0, 3).join(", ") + (each.length > 3 ? " …" : "")
}
