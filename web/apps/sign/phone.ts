import { Client } from "../../../clients/typescript/src/client.js"
import { GatewayService } from "../../../clients/typescript/src/contract/gateway_v1.js"
import type { FieldView, StrokePiece } from "../../../clients/typescript/src/contract/signature_v1.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import { button, make, set } from "../../elements/dom.js"
import "../../elements/signature/assent-signature.js"
import { isAway } from "../../session/away.js"
import { Field, strokes } from "../../session/field.js"
import { Patience } from "../../session/patience.js"
import { Server } from "../../session/server.js"
import { preferred } from "./words.js"

// Whoever reads this has a browser that understands it.
document.getElementById("old")?.remove()

/** How long a stream is watched before it begins anew, and how long a server that is away is left alone. */
const watchMs = 600_000, restMs = 2000
/** Room that the page and the cell need above and below the pad, when a phone lies on its side. */
const aroundPad = "230px"

const { tag, words } = preferred()
const page = document.getElementById("page")!
const said = make("p", { role: "status" })

// The link reaches no log, and does not stay in the address or the history. A reload opens it again.
const kept = "assent-field-link"
const link = location.hash.slice(1) || recalled()
if (location.hash) history.replaceState(null, "", location.pathname)
addEventListener("hashchange", () => location.reload())

set(document.documentElement, { lang: tag, dir: tag === "ar" ? "rtl" : "ltr" })
document.title = words.title

function recalled(): string {
  try {
    return sessionStorage.getItem(kept) ?? ""
  } catch {
    return ""
  }
}

function remember(text: string): void {
  try {
    if (text) sessionStorage.setItem(kept, text)
    else sessionStorage.removeItem(kept)
  } catch {
    // Without storage, a reload asks for the code to be scanned again.
  }
}

/** Ends what was there with a sentence. */
function tell(sentence: string, ...more: Node[]): void {
  said.textContent = sentence
  page.replaceChildren(said, ...more)
  page.focus()
}

/** Why nothing can be drawn, in words; undefined where trying again may help. */
function sentence(problem: unknown): string | undefined {
  if (!(problem instanceof StatusError)) return words.failed
  switch (problem.rule) {
    case "loan_ended": return words.ended
    case "other_device": return words.elsewhere
    case "credential_expired": return words.expired
    case "credential_unknown": case "credential_missing": case "out_of_scope": return words.unknown
    default: return isAway(problem) ? undefined : words.failed
  }
}

function halt(problem: unknown): void {
  const known = sentence(problem)
  if (known === words.elsewhere) tell(known, button({}, () => void open(), words.goOnHere))
  else if (known) tell(known)
  else tell(words.away, button({}, () => void open(), words.again))
}

/** Comes by the link. Whoever had come before can draw no more. */
async function open(): Promise<void> {
  if (!link) return tell(words.unknown)
  tell(words.opening)
  remember(link)
  try {
    const { token, fieldId } = await new Client({ url: "", key: link }).service(GatewayService).openFieldLink({})
    await draw(new Server({ url: "", token: token!, headers: {} }), fieldId!)
  } catch (problem) {
    halt(problem)
  }
}

/** Shows the field, and watches it until it is given back or taken away. */
async function draw(server: Server, fieldId: string): Promise<void> {
  let afterVersion = "0", isThere = false
  const end = new AbortController()
  while (!end.signal.aborted) {
    try {
      const options = { signal: end.signal, timeoutMs: watchMs }
      for await (const { view, pieces } of server.fields.watchField({ fieldId, afterVersion }, options)) {
        afterVersion = view!.version!
        if (!isThere) show(server, view!, pieces ?? [], end)
        isThere = true
      }
    } catch (problem) {
      if (end.signal.aborted) return
      if (!isThere || !isAway(problem)) throw problem
      await new Promise((resolve) => setTimeout(resolve, restMs))
    }
  }
}

function show(server: Server, view: FieldView, pieces: StrokePiece[], end: AbortController): void {
  const patience = new Patience(() => { said.textContent = patience.absence ? words.kept : "" })
  end.signal.addEventListener("abort", () => patience.end())
  const field = new Field(server, patience, {}, {})
  field.join(view)
  const canvas = view.canvas!, { width = 600, height = 200 } = canvas
  const cell = make("assent-signature", {
    lang: tag, signer: view.helperText, header: view.helperText ? undefined : view.header, label: view.label,
    "no-typing": true, canvas: `${width}x${height}`, "pen-width": `${view.penWidth ?? 3}`,
  })
  cell.words = { save: words.done, saving: words.sending, notSaved: words.away }
  cell.style.maxInlineSize = `max(240px, calc((100dvh - ${aroundPad}) * ${width / height}))`
  cell.ink = pieces.length > 0 ? { strokes: strokes(pieces), canvas } : null
  cell.addEventListener("assent-ink", ({ detail }) => {
    if (detail.kind === "piece") field.draw(detail.piece, canvas)
    // With its canvas stated, the cell never asks for another one.
    else if (detail.kind !== "resize") field[detail.kind]()
  })
  // Escape cancels: here that leaves an empty pad.
  cell.addEventListener("assent-state", ({ detail }) => {
    if (detail.state !== "inactive") return
    if (detail.before === "signed") field.clear()
    cell.ink = null
  })
  cell.addEventListener("assent-signed", ({ detail }) => detail.waitUntil(giveBack()))

  /** The person is done: all of it has come, and the computer goes on. */
  async function giveBack(): Promise<void> {
    try {
      await field.settled()
      await patience.until((signal) => server.fields.lendField({ fieldId: view.fieldId! }, { signal }))
    } catch (problem) {
      // It was given back, and only the answer was lost.
      if (!(problem instanceof StatusError && problem.rule === "loan_ended")) throw problem
    }
    end.abort()
    remember("")
    tell(words.sent)
  }

  said.textContent = ""
  page.replaceChildren(make("h1", {}, words.heading), cell, said)
  cell.focus()
}

void open()
