import {
  RecordService, SessionService, type AttentionDecision, type ConsentRecord, type RecordSignature,
  type SigningTask,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { calling } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { ask } from "../parts/dialog.js"
import { downloadButton } from "../parts/download.js"
import { code, Dates, facts, heading, link, note, panel } from "../parts/marks.js"
import { recordFiles } from "../parts/record-files.js"
import { stateChip } from "../parts/states.js"
import { show } from "../parts/table.js"
import { voidAsked, voiding } from "../parts/voiding.js"
import { written } from "../shell/address.js"

/** One record: who agreed to what, what happened since, and what may be done about it. */
export const open: Opener = async (context) => {
  const { address, calls, rights } = context
  const recordId = address.id
  const body = make("div", { class: "stack" })
  const refresh = async () => {
    const { record = {} } = await calls.make(RecordService.getRecord, { recordId })
    const { tasks = [] } = rights.may(SessionService.signRecord)
      ? await calls.make(SessionService.listSigningTasks, { recordId }) : {}
    show(body, content(context, record, tasks))
  }
  await refresh()
  return {
    title: recordId, refresh,
    content: [body, callPanel(context, () => [{ method: RecordService.getRecord, request: { recordId } }])],
  }
}

function content(context: Context, record: ConsentRecord, tasks: readonly SigningTask[]): Node[] {
  const { words, locale, study } = context
  const dates = new Dates(locale)
  const copy = record.signedCopy
  return [
    heading(record.documentId || record.stepId || "", ...tasks.map(({ signatureId }) => make("a", {
      class: "btn s go", href: written("sign", record.recordId, { study: record.studyId, signature: signatureId }) },
    icon("pen"), words.record.sign))),
    make("div", { class: "row wrap" }, stateChip(words, record.state),
      make("span", { class: "dim" }, filled(words.record.version, {
        version: String(record.documentVersion ?? record.flowVersion ?? "") }), record.locale ? `, ${record.locale}`
          : "")),
    ...record.attention ? [note("bad", make("b", {}, words.record.attention), " ", record.attention)] : [],
    ...voidAsked(context, record),
    ...copy?.state === "SIGNED_COPY_STATE_FAILED" ? [note("bad", make("b", {}, words.record.copyFailed), " ",
      copy.reason ?? "")] : [],
    make("div", { class: "row wrap" }, ...files(context, record), ...acts(context, record)),
    make("div", { class: "cols" },
      make("div", { class: "stack" }, signatures(context, record), history(context, record)),
      panel(words.record.facts, facts(
        [words.records.person, link(written("person", record.subjectId, { study: study?.studyId }),
          record.subjectId ?? "")],
        [words.records.site, record.siteId], [words.records.decided, dates.time(record.decidedAt)],
        [words.record.inForce, dates.time(record.inForceAt)], [words.record.expires, dates.time(record.expiresAt)],
        [words.record.signBy, dates.time(record.signaturesDueBy)],
          [words.record.purposes, (record.purposes ?? []).join(", ")],
        [words.record.withdrawn, (record.withdrawnPurposes ?? []).join(", ")],
          [words.record.assisted, record.assistedBy],
        [words.record.copyState, copy ? stateChip(words, copy.state) : ""], [words.record.seal, copy?.level],
        [words.record.hash, record.versionHash ? code(record.versionHash) : ""],
          [words.record.id, code(record.recordId ?? "")]))),
  ]
}

function files(context: Context, record: ConsentRecord): Node[] {
  const { words, rights, study } = context
  const place = { study: study?.studyId, site: record.siteId }
  const found = recordFiles(context, record)
  if (record.signedCopy && rights.may(RecordService.getEvidence, place)) {
    found.push(downloadButton(context, { label: words.record.copyWithEvidence, method: RecordService.getSignedCopy,
      request: { recordId: record.recordId, withEvidence: true }, name: `${record.recordId}-evidence.pdf` }))
  }
  if (rights.may(RecordService.exportRecord, place)) {
    found.push(downloadButton(context, { label: words.record.fhir, method: RecordService.exportRecord,
      request: { recordId: record.recordId, format: "RECORD_FORMAT_FHIR_R5" }, name: `${record.recordId}.fhir.json` }))
  }
  return found
}

/** What may be done, where the record is such that it can be. */
function acts(context: Context, record: ConsentRecord): Node[] {
  const { recordId = "", siteId, state, signedCopy, participantCopy, subjectId = "" } = record
  const { words, rights, study, again, tell } = context
  const place = { study: study?.studyId, site: siteId }
  const reason = { name: "reason", label: words.dialog.reason, kind: "area" as const, required: true }
  const found: Node[] = []
  if (state === "RECORD_STATE_NEEDS_ATTENTION" && rights.may(RecordService.resolveAttention, place)) {
    for (const [decision, label] of [["CONFIRM", words.record.confirm], ["REJECT", words.record.reject]] as const) {
      found.push(button({ class: "btn s" }, () => ask(context, {
        title: filled(words.record.decideTitle, { act: label }), sentence: words.record.decideWhat,
        plan: {
          label, method: RecordService.resolveAttention, fields: [reason], done: again,
          request: (values) => ({ recordId, decision: `ATTENTION_DECISION_${decision}` as AttentionDecision,
            reason: values.text("reason") }),
        },
      }), label + "…"))
    }
  }
  const isFailed = [signedCopy, participantCopy].some((copy) => copy?.state === "SIGNED_COPY_STATE_FAILED")
  if (isFailed && rights.may(RecordService.retrySignedCopy, place)) {
    found.push(calling(context, { class: "btn s go" }, RecordService.retrySignedCopy, { recordId }, again,
      words.record.retry))
  }
  const isGiven = state === "RECORD_STATE_IN_FORCE" || state === "RECORD_STATE_AWAITING_SIGNATURES"
  if (isGiven && rights.may(RecordService.withdrawConsent, place)) {
    found.push(button({ class: "btn s" }, () => ask(context, {
      title: filled(words.person.withdrawTitle, { person: subjectId }), sentence: words.person.withdrawWhat,
      plan: {
        label: words.person.withdraw, method: RecordService.withdrawConsent, fields: [reason],
        request: (values) => ({ recordId, reason: values.text("reason") }),
        done: () => { tell(words.person.withdrawn); return again() },
      },
    }), words.person.withdraw + "…"))
  }
  found.push(...voiding(context, record))
  return found
}

/** The printed name as it should have been. As it was signed, it stays on record. */
function correctName(context: Context, record: ConsentRecord, { signatureId = "", printedName = "" }: RecordSignature):
void {
  const { words, again } = context
  ask(context, {
    title: filled(words.record.nameTitle, { name: printedName }), stays: words.record.nameStays,
    plan: {
      label: words.record.name, method: RecordService.correctPrintedName,
      fields: [
        { name: "given", path: "name.given", label: words.sign.given },
        { name: "family", path: "name.family", label: words.sign.family },
        { name: "mononym", path: "name.mononym", label: words.record.mononym },
        { name: "reason", label: words.dialog.reason, kind: "area", required: true },
      ],
      request: (values) => ({ recordId: record.recordId ?? "", signatureId, reason: values.text("reason"), name: {
        given: values.text("given"), family: values.text("family"), mononym: values.text("mononym") } }),
      done: () => again(),
    },
  })
}

function signatures(context: Context, record: ConsentRecord): HTMLElement {
  const { words, locale, rights, study } = context
  const mayCorrect = record.state !== "RECORD_STATE_VOIDED"
    && rights.may(RecordService.correctPrintedName, { study: study?.studyId, site: record.siteId })
  const dates = new Dates(locale)
  const list = record.signatures ?? []
  return panel(words.record.signatures, ...list.length === 0 ? [make("p", { class: "dim" }, words.record.unsigned)]
    : [],
    make("ul", { class: "plain stack" }, ...list.map((each) => make("li", {},
      make("b", {}, each.corrections?.at(-1)?.printedName || each.printedName || each.signer || ""), " ",
      make("span", { class: "dim" }, words.roles[(each.role ?? "").replace("SIGNER_ROLE_", "").toLowerCase()] ?? ""),
      make("p", { class: "dim small" },
        each.typed ? words.record.typed : each.fieldId ? words.record.drawn : words.record.byAct,
        `, ${dates.time(each.signedAt)}`),
      ...each.meaning ? [make("p", { class: "small" }, each.meaning)] : [],
      ...(each.corrections ?? []).length > 0 ? [make("p", { class: "dim small" },
        filled(words.record.nameWas, { name: each.printedName ?? "" }))] : [],
      ...mayCorrect && each.printedName ? [button({ class: "btn s", "aria-label":
        `${words.record.name}: ${each.printedName}` }, () => correctName(context, record, each),
      words.record.name + "…")] : []))))
}

function history({ words, locale }: Context, record: ConsentRecord): HTMLElement {
  const dates = new Dates(locale)
  return make("section", {}, make("h2", {}, words.record.history), make("ol", { class: "line" },
    ...[...record.history ?? []].reverse().map(({ kind, actor = "", at, reason, attention }) => make("li", {},
      make("div", { class: "row wrap" },
        make("b", { class: "grow" }, words.entries[(kind ?? "").replace("ENTRY_KIND_",
          "").toLowerCase()] ?? kind ?? ""),
        make("span", { class: "dim num" }, dates.time(at))),
      make("p", { class: "dim small" }, code(actor), ...reason ? [`: ${reason}`] : [], ...attention ? [`: ${attention}`]
        : [])))))
}
