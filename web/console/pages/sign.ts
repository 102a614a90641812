import { RecordService, SessionService, type SigningTask } from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import "../../elements/signature/assent-signature.js"
import { filled } from "../../words/language.js"
import { deviceTime } from "../../session/device-time.js"
import { Field } from "../../session/field.js"
import { Patience } from "../../session/patience.js"
import { Server } from "../../session/server.js"
import type { SignatureInput } from "../../../clients/typescript/src/contract/consent_v1.js"
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
  return {
    title: words.sign.title,
    content: [make("div", { class: "stack narrow" },
      heading(filled(words.sign.titleOf, { person: task.subjectId ?? "" })),
      make("p", { class: "dim" }, filled(words.sign.about, {
        document: record.documentId ?? "", version: String(record.documentVersion ?? "") })),
      make("div", { class: "row wrap" }, ...recordFiles(context, record).slice(0, 2), back),
      signing(context, task))],
  }
}

function signing(context: Context, task: SigningTask): HTMLElement {
  const { calls, credentials, words, tell, go, person } = context
  const patience = new Patience(() => undefined)
  const server = new Server(calls.access())
  const field = new Field(server, patience, { place: task.place! }, { header: words.sign.title, required: true })
  const given = make("input", { class: "in s", autocomplete: "given-name", required: true })
  const family = make("input", { class: "in s", autocomplete: "family-name", required: true })
  const cell = make("assent-signature", { signer: person.id, required: true, header: words.sign.title })
  const passcode = make("input", {
    class: "in s", type: "password", autocomplete: "current-password", required: !!task.challenge })
  const problem = make("div", { role: "alert" })
  const send = make("button", { class: "btn s go" }, icon("pen"), words.sign.sign)
  let input: SignatureInput | undefined

  cell.append(task.meaning ?? "")
  const printed = () => cell.setAttribute("signer", `${given.value} ${family.value}`.trim() || person.id)
  given.addEventListener("input", printed)
  family.addEventListener("input", printed)
  cell.addEventListener("assent-ink", ({ detail }) => {
    if (detail.kind !== "piece") return field[detail.kind]()
    queueMicrotask(() => cell.ink?.canvas && field.draw(detail.piece, cell.ink.canvas))
  })
  cell.addEventListener("assent-signed", ({ detail }) => {
    const { signature } = detail
    if (signature.kind === "drawn") {
      detail.waitUntil(field.save(signature.drawing).then((drawn) => { input = { drawn } }))
    } else if (signature.kind === "typed") {
      input = { typed: { text: signature.name.text ?? "", font: signature.name.font ?? "" } }
    }
  })
  const element = make("form", { class: "stack" },
    panel(words.sign.name, make("div", { class: "pair" },
      make("label", { class: "field" }, make("span", {}, words.sign.given), given),
      make("label", { class: "field" }, make("span", {}, words.sign.family), family))),
    cell, ...task.challenge ? [make("label", { class: "field" }, make("span", {}, words.sign.fresh), passcode)] : [],
    problem, make("div", { class: "row wrap" }, decline(context, task), send))
  element.addEventListener("submit", (event) => {
    event.preventDefault()
    if (!input) return cell.focus()
    if (send.ariaBusy) return
    send.ariaBusy = "true"
    const sign = async (signature: SignatureInput) => {
      if (task.challenge) signature.reauthentication = await credentials.reauthenticate(passcode.value, task.challenge)
      await calls.make(SessionService.signRecord, {
        recordId: task.recordId!, signatureId: task.signatureId!, signature,
        name: { given: given.value.trim(), family: family.value.trim() }, deviceTime: deviceTime(),
      })
    }
    void sign({ ...input }).then(() => {
      patience.end()
      tell(words.sign.done)
      go("record", task.recordId)
    }, (failure) => problem.replaceChildren(note("bad", ...explained(refusalOf(failure), words))))
      .finally(() => { send.ariaBusy = null })
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
