import {
  RecordService, SessionService, type SignatureInput, type SigningTask, type SignRecordRequest,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { newIdempotencyKey } from "../../../clients/typescript/src/idempotency-key.js"
import { button, make } from "../../elements/dom.js"
import { Signing } from "../../elements/session/signing.js"
import { filled } from "../../words/language.js"
import { deviceTime } from "../../session/device-time.js"
import { Patience } from "../../session/patience.js"
import { Server } from "../../session/server.js"
import { refusalOf } from "../access/refusal.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { ask } from "../parts/dialog.js"
import { empty, heading, link, note, panel } from "../parts/marks.js"
import { explained } from "../parts/refused.js"
import { recordFiles } from "../parts/record-files.js"
import { written } from "../shell/address.js"

/** The signature of an investigator or a witness on a consent that waits for it. */
export const open: Opener = async (context) => {
  const { address, calls, words, study } = context
  const { tasks = [] } = await calls.make(SessionService.listSigningTasks, { recordId: address.id })
  const task = tasks.find(({ signatureId }) => signatureId === address.query["signature"]) ?? tasks[0]
  const back = link(written("record", address.id, { study: study?.studyId }), words.sign.record)
  if (!task) return { title: words.sign.title, content: [heading(words.sign.title),
    empty(words.sign.none, words.sign.noneWhy, back)] }
  const { record = {} } = await calls.make(RecordService.getRecord, { recordId: address.id })
  const patience = new Patience(() => undefined)
  return {
    title: words.sign.title, left: () => patience.end(),
    content: [make("div", { class: "stack narrow" },
      heading(filled(words.sign.titleOf, { person: task.subjectId ?? "" })),
      make("p", { class: "dim" }, filled(words.sign.about, {
        document: record.documentId ?? "", version: String(record.documentVersion ?? "") })),
      make("div", { class: "row wrap" }, ...recordFiles(context, record).slice(0, 2), back),
      signing(context, task, patience))],
  }
}

function signing(context: Context, task: SigningTask, patience: Patience): HTMLElement {
  const { calls, credentials, words, tell, go, person } = context
  const given = make("input", { class: "in s", autocomplete: "given-name", required: true })
  const family = make("input", { class: "in s", autocomplete: "family-name", required: true })
  const cell = make("assent-signature", { signer: person.id, required: true, header: words.sign.title })
  const signing = new Signing(cell, new Server(calls.access()), patience, { place: task.place! },
    { header: words.sign.title, required: true }, () => undefined)
  const passcode = make("input", {
    class: "in s", type: "password", autocomplete: "current-password", required: !!task.challenge })
  const problem = make("div", { role: "alert" })
  const send = make("button", { class: "btn s go" }, icon("pen"), words.sign.sign)
  /** What was sent without an answer: it is sent once more as it was, under the same key. */
  let sent: { what: string, request: SignRecordRequest, key: string } | undefined

  cell.append(task.meaning ?? "")
  const printed = () => cell.setAttribute("signer", `${given.value} ${family.value}`.trim() || person.id)
  given.addEventListener("input", printed)
  family.addEventListener("input", printed)
  const element = make("form", { class: "stack" },
    panel(words.sign.name, make("div", { class: "pair" },
      make("label", { class: "field" }, make("span", {}, words.sign.given), given),
      make("label", { class: "field" }, make("span", {}, words.sign.family), family))),
    cell, ...task.challenge ? [make("label", { class: "field" }, make("span", {}, words.sign.fresh), passcode)] : [],
    problem, make("div", { class: "row wrap" }, decline(context, task), send))
  const sign = async (signature: SignatureInput) => {
    const name = { given: given.value.trim(), family: family.value.trim() }
    const what = JSON.stringify([signature, name])
    if (sent?.what !== what) {
      if (task.challenge) signature.reauthentication = await credentials.reauthenticate(passcode.value, task.challenge)
      const request = {
        recordId: task.recordId!, signatureId: task.signatureId!, signature, name, deviceTime: deviceTime() }
      sent = { what, request, key: await newIdempotencyKey() }
    }
    await calls.make(SessionService.signRecord, sent.request, sent.key)
  }
  element.addEventListener("submit", (event) => {
    event.preventDefault()
    if (send.ariaBusy) return
    if (!signing.input) return cell.focus()
    send.ariaBusy = "true"
    problem.replaceChildren()
    void sign({ ...signing.input }).then(() => {
      tell(words.sign.done)
      go("record", task.recordId)
    }, (failure) => {
      const refusal = refusalOf(failure)
      if (!refusal.isAway) sent = undefined
      problem.replaceChildren(note("bad", ...explained(refusal, words)))
    }).finally(() => { send.ariaBusy = null })
  })
  return element
}

/** A signer may say no: the consent is then never complete, and the reason is on record. */
function decline(context: Context, { recordId = "", signatureId = "", subjectId = "" }: SigningTask): HTMLElement {
  const { words, go } = context
  return button({ class: "btn s" }, () => ask(context, {
    title: filled(words.sign.declineTitle, { person: subjectId }), sentence: words.sign.declineWhat,
    plan: {
      label: words.sign.decline, method: SessionService.declineToSign,
      fields: [{ name: "reason", label: words.dialog.reason, kind: "area", required: true }],
      request: (values) => ({ recordId, signatureId, reason: values.text("reason"), deviceTime: deviceTime() }),
      done: () => go("record", recordId),
    },
  }), words.sign.decline + "…")
}
