import { RecordService, type ConsentRecord } from "../../../clients/typescript/src/contract/consent_v1.js"
import { button } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context } from "../context.js"
import { ask } from "./dialog.js"
import { note } from "./marks.js"

/** Why the first of the two said that a record was entered in error. */
function reasonOf({ history = [] }: ConsentRecord): string {
  return [...history].reverse().find(({ kind }) => kind === "ENTRY_KIND_VOID_REQUESTED")?.reason ?? ""
}

/** That one of the two has said so, and what is next: nothing tells the second of them but the first. */
export function voidAsked({ words, person }: Context, record: ConsentRecord): HTMLElement[] {
  const { voidRequestedBy: by } = record
  if (!by) return []
  return [note("warn", by === person.id ? words.record.voidAskedMine
    : filled(words.record.voidAsked, { person: by, reason: reasonOf(record) }))]
}

/** Says that a record was entered in error: two people have to. Whoever has said so waits for the other. */
export function voiding(context: Context, record: ConsentRecord): HTMLElement[] {
  const { words, rights, study, again, person } = context
  const { recordId = "", state, siteId, voidRequestedBy } = record
  if (state === "RECORD_STATE_VOIDED" || state === "RECORD_STATE_ERASED" || voidRequestedBy === person.id
    || !rights.may(RecordService.voidRecord, { study: study?.studyId, site: siteId })) return []
  return [button({ class: "btn s" }, () => ask(context, {
    title: words.record.voidTitle,
    sentence: voidRequestedBy ? filled(words.record.voidSecond, { person: voidRequestedBy, reason: reasonOf(record) })
      : words.record.voidWhat,
    stays: words.record.voidStays,
    plan: {
      label: words.record.void, method: RecordService.voidRecord, destroys: true, done: again,
      fields: [{ name: "reason", label: words.dialog.reason, kind: "area", required: true }],
      request: (values) => ({ recordId, reason: values.text("reason") }),
    },
  }), words.record.void + "…")]
}
