import { RecordService, type ConsentRecord } from "../../../clients/typescript/src/contract/consent_v1.js"
import { button } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context } from "../context.js"
import { ask } from "./dialog.js"
import { note } from "./marks.js"

/** Why the first of the two said that a record was entered in error; empty where the history is not at hand. */
function reasonOf({ history = [] }: ConsentRecord): string {
  return [...history].reverse().find(({ kind }) => kind === "ENTRY_KIND_VOID_REQUESTED")?.reason ?? ""
}

/** That one of the two has said so, and what is next. */
export function voidAsked({ words, person }: Context, record: ConsentRecord): HTMLElement[] {
  const { voidRequestedBy: by } = record
  if (!by) return []
  return [note("warn", by === person.id ? words.record.voidAskedMine
    : filled(words.record.voidAsked, { person: by, reason: reasonOf(record) }))]
}

/**
 * Says that a record was entered in error: two people have to. The second one may refuse instead, and whoever has said
 * so may take it back.
 *
 * @param confirm - what the second person's button says
 */
export function voiding(context: Context, record: ConsentRecord, confirm?: string): HTMLElement[] {
  const { words, rights, study, person } = context
  const { recordId = "", state, siteId, voidRequestedBy: by } = record
  const place = { study: study?.studyId, site: siteId }
  const fields = [{ name: "reason", label: words.dialog.reason, kind: "area" as const, required: true }]
  const isOver = state === "RECORD_STATE_VOIDED" || state === "RECORD_STATE_ERASED"
  const isMine = by === person.id
  const found: HTMLElement[] = []
  if (!isOver && !isMine && rights.may(RecordService.voidRecord, place)) {
    const label = by && confirm ? confirm : words.record.void
    const reason = reasonOf(record)
    found.push(button({ class: "btn s" }, () => ask(context, {
      title: words.record.voidTitle,
      sentence: by && reason ? filled(words.record.voidSecond, { person: by, reason }) : words.record.voidWhat,
      stays: words.record.voidStays,
      plan: {
        label, method: RecordService.voidRecord, destroys: true, fields, done: () => context.again(),
        request: (values) => ({ recordId, reason: values.text("reason") }),
      },
    }), label + "…"))
  }
  if (!isOver && by && rights.may(RecordService.refuseVoiding, place)) {
    const label = isMine ? words.record.voidTakeBack : words.record.voidRefuse
    found.push(button({ class: "btn s" }, () => ask(context, {
      title: words.record.voidRefuseTitle, sentence: words.record.voidRefuseWhat,
      plan: {
        label, method: RecordService.refuseVoiding, fields, done: () => context.again(),
        request: (values) => ({ recordId, reason: values.text("reason") }),
      },
    }), label + "…"))
  }
  return found
}
