import {
  DocumentService, RecordService, SessionService, type ConsentDecision, type ConsentRecord, type SubjectHold,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import { all } from "../access/calls.js"
import type { Call, Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { act } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { ask } from "../parts/dialog.js"
import { dayOf } from "../parts/day.js"
import { dossier } from "../parts/dossier.js"
import { downloadButton } from "../parts/download.js"
import { guardianPanel, guardiansOf } from "../parts/guardians.js"
import { chip, code, Dates, empty, heading, link, note, panel } from "../parts/marks.js"
import { Purposes } from "../parts/purposes.js"
import { stateChip } from "../parts/states.js"
import { recordFiles } from "../parts/record-files.js"
import { show } from "../parts/table.js"
import { voidAsked, voiding } from "../parts/voiding.js"
import { written } from "../shell/address.js"

/** A participant: what they decided, by which evidence, and what may be done for them. */
export const open: Opener = async (context) => {
  const { address, study, calls, rights, words } = context
  const subjectId = address.id
  const place = { study: study?.studyId }
  const mayRead = rights.may(RecordService.getSubjectHistory, place)
  const body = make("div", { class: "stack" })
  const history = { subjectId, studyId: study?.studyId ?? "" }
  const requests: Call[] = mayRead ? [{ method: RecordService.getSubjectHistory, request: history },
    { method: RecordService.listDecisions, request: history }] : []
  const purposes = new Purposes(context)
  const refresh = async () => {
    const [{ records = [] }, decisions, { holds = [] }, guardians] = await Promise.all([
      mayRead ? calls.make(RecordService.getSubjectHistory, history) : { records: [] },
      mayRead ? all(async (pageToken) => {
        const page = await calls.make(RecordService.listDecisions, { ...history, pageSize: 1000, pageToken })
        return { items: page.decisions, next: page.nextPageToken }
      }) : [],
      rights.may(RecordService.getLegalHold, place)
        ? calls.make(RecordService.getLegalHold, { subjectId }).catch(() => ({ holds: [] })) : { holds: [] },
      guardiansOf(context, subjectId)])
    await purposes.read(records)
    show(body, [
      heading(subjectId, ...acts(context, records, holds)),
      ...mayRead && records.length === 0 ? [empty(words.person.none, words.person.noneWhy)] : [],
      ...mayRead ? [] : [note("", words.person.notRead)],
      make("div", { class: "cols" },
        make("div", { class: "stack" }, ...records.length > 0 ? [line(context, records, decisions, purposes)] : []),
        make("div", { class: "stack" }, ...records.length > 0 ? [standing(context, decisions, records, purposes)] : [],
          ...guardianPanel(context, subjectId, guardians),
          ...holds.length > 0 ? [held(context, holds)] : []))])
  }
  await refresh()
  return { title: subjectId, refresh, content: [body, callPanel(context, () => requests)] }
}

function acts(context: Context, records: readonly ConsentRecord[], holds: readonly SubjectHold[]): Node[] {
  const { rights, study, words, address, again } = context
  const subjectId = address.id
  const place = { study: study?.studyId }
  const found: Node[] = []
  const isGiven = records.some(({ state }) => state === "RECORD_STATE_IN_FORCE"
    || state === "RECORD_STATE_AWAITING_SIGNATURES")
  if (records.length > 0 && rights.may(RecordService.exportSubject, place)) {
    found.push(downloadButton(context, { label: words.person.export, method: RecordService.exportSubject,
      request: { subjectId }, name: `${subjectId}.json` }))
  }
  if (records.length > 0) found.push(...dossier(context, study?.studyId ?? "", subjectId))
  if (isGiven && rights.may(RecordService.withdrawConsent, place)) {
    found.push(button({ class: "btn s" }, () => ask(context, {
      title: filled(words.person.withdrawTitle, { person: subjectId }), sentence: words.person.withdrawWhat,
      plan: {
        label: words.person.withdraw, method: RecordService.withdrawConsent,
        fields: [{ name: "reason", label: words.dialog.reason, help: words.person.withdrawReason, kind: "area",
          required: true }],
        request: (values) => ({ subjectId, studyId: study?.studyId ?? "", reason: values.text("reason") }),
        done: () => { context.tell(words.person.withdrawn); return again() },
      },
    }), words.person.withdraw + "…"))
  }
  if (records.length > 0 && rights.may(SessionService.correctBirthDate, place)) {
    found.push(button({ class: "btn s" }, () => correctBirthDate(context, subjectId), words.person.birthDate + "…"))
  }
  if (rights.may(SessionService.renewAttempts, place) && rights.may(DocumentService.listDocuments, place)) {
    found.push(act(context, { class: "btn s" }, () => renewAttempts(context, subjectId), words.person.attempts + "…"))
  }
  if (rights.may(RecordService.setLegalHold, place)) {
    found.push(button({ class: "btn s" }, () => ask(context, {
      title: filled(words.person.holdTitle, { person: subjectId }), sentence: words.person.holdWhat,
      plan: {
        label: words.person.hold, method: RecordService.setLegalHold,
        fields: [{ name: "reason", label: words.dialog.reason, kind: "area", required: true }],
        request: (values) => ({ subjectId, held: true, reason: values.text("reason") }), done: again,
      },
    }), icon("lock"), words.person.hold + "…"))
  }
  if (holds.length === 0 && rights.may(RecordService.eraseSubject, place)) {
    found.push(button({ class: "btn s" }, () => erase(context, subjectId), icon("bin"), words.person.erase + "…"))
  }
  return found
}

/** What was stated wrongly. Which records it concerns, the server says. */
function correctBirthDate(context: Context, subjectId: string): void {
  const { words, study, tell, again } = context
  ask(context, {
    title: filled(words.person.birthDateTitle, { person: subjectId }), sentence: words.person.birthDateWhat,
    plan: {
      label: words.person.birthDate, method: SessionService.correctBirthDate,
      fields: [
        { name: "birthDate", label: words.person.birthDateRight, kind: "date", required: true,
          attributes: { max: "9999-12-31" } },
        { name: "reason", label: words.dialog.reason, kind: "area", required: true },
      ],
      request: (values) => {
        const birthDate = dayOf(values.text("birthDate"))
        return { studyId: study?.studyId ?? "", subjectId, reason: values.text("reason"),
          ...birthDate ? { birthDate } : {} }
      },
      done: ({ attentionRecordIds = [], endedSessionIds = [] }) => {
        tell(filled(words.person.birthDateDone, {
          records: String(attentionRecordIds.length), sessions: String(endedSessionIds.length) }))
        return again()
      },
    },
  })
}

/** Questions that were not passed may be tried again, if the document leaves it to staff. */
async function renewAttempts(context: Context, subjectId: string): Promise<void> {
  const { calls, words, study, tell, again } = context
  const { documents = [] } = await calls.make(DocumentService.listDocuments, {
    studyId: study?.studyId ?? "", pageSize: 1000 })
  const published = documents.filter(({ publishedVersion }) => publishedVersion)
  ask(context, {
    title: filled(words.person.attemptsTitle, { person: subjectId }), sentence: words.person.attemptsWhat,
    plan: {
      label: words.person.attempts, method: SessionService.renewAttempts,
      fields: [
        { name: "documentId", label: words.records.document, kind: "choice",
          options: published.map(({ documentId = "", name }) => [documentId, name || documentId] as const) },
        { name: "version", path: "documentVersion", label: words.records.version, help: words.person.attemptsVersion,
          kind: "number", attributes: { min: "0" } },
        { name: "reason", label: words.dialog.reason, kind: "area", required: true },
      ],
      request: (values) => {
        const documentId = values.text("documentId")
        const newest = published.find((each) => each.documentId === documentId)?.publishedVersion ?? 0
        return { subjectId, documentId, documentVersion: values.number("version") || newest,
          reason: values.text("reason") }
      },
      done: ({ renewedCount = 0 }) => {
        tell(filled(words.person.attemptsDone, { count: String(renewedCount) }))
        return again()
      },
    },
  })
}

function erase(context: Context, subjectId: string): void {
  const { words, again } = context
  ask(context, {
    title: filled(words.person.eraseTitle, { person: subjectId }), sentence: words.person.eraseWhat,
    destroyed: words.person.erased, stays: filled(words.person.eraseStays, { person: subjectId }),
    typed: subjectId, keep: words.person.keep,
    plan: {
      label: words.person.eraseGood, method: RecordService.eraseSubject, destroys: true,
      fields: [{ name: "reason", label: words.dialog.reason, help: words.person.eraseReason, kind: "area",
        required: true }],
      request: (values) => ({ subjectId, reason: values.text("reason") }),
      done: () => { context.tell(words.person.eraseDone); return again() },
    },
  })
}

function held(context: Context, holds: readonly SubjectHold[]): HTMLElement {
  const { words, locale, rights, study, address, again } = context
  const dates = new Dates(locale)
  const lift = () => ask(context, {
    title: filled(words.person.liftTitle, { person: address.id }),
    plan: {
      label: words.person.lift, method: RecordService.setLegalHold,
      fields: [{ name: "reason", label: words.dialog.reason, kind: "area", required: true }],
      request: (values) => ({ subjectId: address.id, held: false, reason: values.text("reason") }), done: again,
    },
  })
  return panel(words.person.holds, make("ul", { class: "plain stack" }, ...holds
    .map(({ reason = "", setBy = "", setAt }) =>
    make("li", {}, make("b", {}, reason), make("p", { class: "dim small" }, `${setBy}, ${dates.time(setAt)}`)))),
  ...rights.may(RecordService.setLegalHold, { study: study?.studyId })
    ? [button({ class: "btn s" }, lift, words.person.lift + "…")] : [])
}

/** What stands now, purpose by purpose: the newest decision counts. */
function standing({ words }: Context, decisions: readonly ConsentDecision[], records: readonly ConsentRecord[],
  purposes: Purposes): HTMLElement {
  const newest = new Map<string, boolean>()
  const voided = new Set(decisions.flatMap(({ voids }) => voids && voids !== "0" ? [voids] : []))
  const complete = new Set(records.filter(({ state }) => state === "RECORD_STATE_IN_FORCE")
    .map(({ recordId }) => recordId))
  for (const { purpose = "", yes = false, filedBefore = "", voids, recordId } of decisions) {
    if ((voids && voids !== "0") || voided.has(filedBefore)) continue
    newest.set(purpose, yes && complete.has(recordId))
  }
  // All may have been entered in error.
  if (newest.size === 0) return panel(words.person.now, chip(words.person.no, "", "close"))
  return panel(words.person.now, make("ul", { class: "plain stack" }, ...[...newest].map(([purpose, yes]) =>
    make("li", { class: "row" }, make("span", { class: "grow" }, purposes.title(purpose)),
      yes ? chip(words.person.yes, "ok") : chip(words.person.no, "", "close")))))
}

/** Decisions on a line of time, the newest first. */
function line(context: Context, records: readonly ConsentRecord[], decisions: readonly ConsentDecision[],
  purposes: Purposes): HTMLElement {
  const { words, locale, study } = context
  const dates = new Dates(locale)
  const sorted = [...records].sort((one, other) => (other.decidedAt ?? "").localeCompare(one.decidedAt ?? ""))
  return make("section", {}, make("h2", {}, words.person.decisions),
    make("ol", { class: "line" }, ...sorted.map((record) => {
    // That it was voided is no decision about a purpose.
    const said = decisions.filter(({ recordId, purpose }) => recordId === record.recordId && purpose)
    const no = record.state === "RECORD_STATE_DECLINED"
    return make("li", { class: no ? "no" : undefined },
      make("div", { class: "row wrap" },
        link(written("record", record.recordId, { study: study?.studyId }), make("b", {}, filled(
          no ? words.person.declined : words.person.agreed, {
            document: record.documentId || record.stepId || "",
              version: String(record.documentVersion ?? record.flowVersion ?? "") }))),
        stateChip(words, record.state), make("span", { class: "grow" }),
        make("span", { class: "dim num" }, dates.time(record.decidedAt))),
      ...said.length > 0 ? [make("p", { class: "dim" }, said.map(({ purpose = "", yes }) =>
        `${purposes.title(purpose)}: ${yes ? words.person.yes : words.person.no}`).join(", "))] : [],
      ...(record.history ?? []).slice(1).map(({ kind, actor = "", at, reason }) => make("p", { class: "dim small" },
        `${words.entries[(kind ?? "").replace("ENTRY_KIND_", "").toLowerCase()] ?? kind}, `, code(actor),
        `, ${dates.time(at)}${reason ? `: ${reason}` : ""}`)),
      ...voidAsked(context, record),
      make("div", { class: "row wrap" }, ...recordFiles(context, record), ...voiding(context, record)))
  })))
}
