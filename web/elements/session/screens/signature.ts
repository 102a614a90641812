import type { SignatureForm, SignatureInput } from "../../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../../dom.js"
import type { Host, ShowBody } from "../host.js"
import { Signing } from "../signing.js"
import { heading, paragraphs, tongue } from "../texts.js"
import { chosen, labels, picks } from "./answers.js"
import { Fault } from "./fault.js"

/** The signature: drawn and sent as it is drawn, typed, photographed, or the act alone. */
export const showSignature: ShowBody = (screen, host) => {
  const form = screen.signatureForm ?? {}
  const meaning = form.meaning
    ? [make("p", { class: "read meaning", ...tongue(screen, "signature_form.meaning") }, form.meaning)] : []
  const authority = form.authority
    ? [make("p", { class: "read", ...tongue(screen, "signature_form.authority") }, form.authority)] : []
  const signing = form.requiresImage ? cellOf(form, host, screen.title ?? "", () => host.changed()) : undefined
  const fault = new Fault(() => signing ? [signing.cell] : [])
  // Asked once the server says that what is typed is not the name.
  const other = picks("checkbox", "other", [{
    value: "other", title: form.otherThanName ?? "", tongue: tongue(screen, "signature_form.other_than_name"),
  }], [])
  const question = make("div", { class: "stack", hidden: true }, ...labels(other))
  question.addEventListener("input", () => host.changed())
  const needsProof = form.requiresReauthentication && !host.authenticate
  return {
    content: [
      heading(screen), ...paragraphs(screen), ...meaning, ...authority, ...signing ? [signing.cell] : [], fault.element,
      question,
    ],
    waits: () => {
      if (!signing || signing.input) return needsProof ? host.words.authenticateFirst : undefined
      return signing.cell.state === "signed" ? host.words.saveFirst : host.words.signFirst
    },
    point: () => signing?.cell.focus(),
    arrived: () => void signing?.find(),
    given: async () => {
      fault.say(undefined)
      const signature: SignatureInput = { ...signing?.input }
      if (!question.hidden && chosen(other).length) signature.otherThanName = true
      if (form.requiresReauthentication && host.authenticate) {
        const proof = await host.authenticate(form.challenge ?? "").catch(() => undefined)
        if (!proof) return undefined
        signature.reauthentication = proof
      }
      return { signature }
    },
    refused: (rule) => {
      if (rule === "typed_other_name" && form.otherThanName) {
        question.hidden = false
        fault.say(form.typedRule)
        other[0]?.focus()
        return true
      }
      question.hidden = true
      // The signature itself will do.
      if (/assertion|authentication|verifier|other_signer/.test(rule)) {
        fault.say(host.words.authenticateFirst)
        return true
      }
      const wasTyped = !!signing?.input?.typed
      signing?.cell.reEnter()
      fault.say(wasTyped ? host.words.typedUnfit : host.words.signatureUnfit)
      signing?.cell.focus()
      return true
    },
  }
}

/** The cell of the form, with what the person was called on the screens before. */
function cellOf(form: SignatureForm, host: Host, title: string, changed: () => void): Signing {
  const cell = make("assent-signature", {
    part: "signature", required: true, signer: host.memory.name ?? form.signerTitle ?? "",
    header: form.initials ? title : undefined, "no-typing": !form.typedAllowed, photo: form.uploadAllowed ?? false,
  })
  const signing = new Signing(cell, host.server, host.patience, form, {
    header: title, label: form.documentTitle ?? "", helperText: cell.getAttribute("signer") ?? "",
    required: true, typingRefused: !form.typedAllowed, uploadAllowed: form.uploadAllowed ?? false,
    mark: form.initials ? "FIELD_MARK_INITIALS" : "FIELD_MARK_SIGNATURE",
  }, changed)
  // What happens in the cell is for this screen; the page hears of screens and decisions.
  for (const name of ["assent-ink", "assent-signed", "assent-state", "change"]) {
    cell.addEventListener(name, (event) => event.stopPropagation())
  }
  return signing
}
