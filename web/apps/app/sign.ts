import type {
  SignatureInput, SigningTask, SignRecordRequest,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { newIdempotencyKey } from "../../../clients/typescript/src/idempotency-key.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import { fromBase64 } from "../../bytes.js"
import { button, make } from "../../elements/dom.js"
import type { Authenticate } from "../../elements/session/events.js"
import { fragment } from "../../elements/session/markup.js"
import "../../elements/signature/assent-signature.js"
import { isAway } from "../../session/away.js"
import { deviceTime } from "../../session/device-time.js"
import { Field } from "../../session/field.js"
import { Patience } from "../../session/patience.js"
import { type Access, Server } from "../../session/server.js"
import type { AppWords } from "./words.js"

/** A signature that a record waits for: what was agreed to, and the cell to sign in. */
export async function signing(
  task: SigningTask, access: Access, prove: Authenticate, words: AppWords, locale: string,
  done: (said: string) => void,
): Promise<{ element: HTMLElement, end: () => void }> {
  const patience = new Patience(() => undefined)
  const server = new Server(access)
  const title = task.meaning || words.sign
  const cell = make("assent-signature", { signer: "", header: title, required: true, lang: locale })
  const said = make("p", { role: "alert" })
  const content = make("article", { tabindex: "0", "aria-label": words.agreedTo })
  const field = new Field(
    server, patience, task.place ? { place: task.place } : {}, { header: title, required: true })
  let input: SignatureInput | undefined
  // While no answer has come, pressing again sends the same, so that nothing is signed twice.
  let sent: { request: SignRecordRequest, idempotencyKey: string } | undefined
  const sign = button({ disabled: true }, () => void give(), words.sign)

  if (!server.isAway) cell.phone = (canvas, tell, signal) => field.lend(canvas, tell, signal)
  cell.addEventListener("assent-ink", ({ detail }) => {
    if (detail.kind === "resize") return field.resize(detail.canvas)
    if (detail.kind !== "piece") return field[detail.kind]()
    // The cell has the ink when the event is over.
    queueMicrotask(() => cell.ink?.canvas && field.draw(detail.piece, cell.ink.canvas))
  })
  cell.addEventListener("assent-signed", ({ detail }) => {
    const { signature } = detail
    if (signature.kind === "typed") {
      input = { typed: { text: signature.name.text!, font: signature.name.font! } }
      sign.disabled = false
    } else if (signature.kind === "drawn") {
      detail.waitUntil(field.save(signature.drawing).then((drawn) => {
        input = { drawn }
        sign.disabled = false
      }))
    }
  })
  cell.addEventListener("assent-state", ({ detail }) => {
    if (detail.before !== "saved" || detail.state === "saved") return
    if (input?.drawn) field.reEnter()
    input = sent = undefined
    sign.disabled = true
  })

  async function give(): Promise<void> {
    if (sign.ariaBusy) return
    sign.ariaBusy = "true"
    said.textContent = ""
    try {
      sent ??= { request: await asked(), idempotencyKey: await newIdempotencyKey() }
      await server.sessions.signRecord(sent.request, { idempotencyKey: sent.idempotencyKey })
      patience.end()
      done(words.signed)
    } catch (problem) {
      if (!isAway(problem)) sent = undefined
      if (problem instanceof StatusError) said.textContent = isAway(problem) ? words.away : words.notSigned
    } finally {
      sign.ariaBusy = null
    }
  }

  async function asked(): Promise<SignRecordRequest> {
    const { recordId = "", signatureId = "", challenge = "" } = task
    const reauthentication = challenge ? await prove(challenge) : undefined
    return {
      recordId, signatureId, signature: { ...input, ...reauthentication ? { reauthentication } : {} },
      deviceTime: deviceTime(),
    }
  }

  try {
    const shown = await server.records.getShownContent({ recordId: task.recordId ?? "" })
    const { content: bytes = "", contentType = "" } = shown
    if (contentType.startsWith("text/html")) {
      content.append(fragment(new TextDecoder().decode(fromBase64(bytes)), (image) => image.remove()))
    }
  } catch (problem) {
    // A witness may sign without reading.
    if (!(problem instanceof StatusError) || isAway(problem)) throw problem
  }
  return {
    element: make("div", { class: "signing" }, make("h1", { tabindex: "-1" }, title), content, cell, said, sign),
    end: () => patience.end(),
  }
}
