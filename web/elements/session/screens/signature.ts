import type { SignatureInput } from "../../../../clients/typescript/src/contract/consent_v1.js"
import { Field } from "../../../session/field.js"
import { make } from "../../dom.js"
import type { AssentSignature } from "../../signature/assent-signature.js"
import "../../signature/assent-signature.js"
import type { Host, ShowBody } from "../host.js"
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
  const signing = form.requiresImage ? new Signing(form, host, screen.title ?? "") : undefined
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
    waits: () => signing?.waits() ?? (needsProof ? host.words.authenticateFirst : undefined),
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

/** The cell, and the server's field behind it. */
class Signing {
  readonly cell: AssentSignature
  /** What is saved, and can be signed with. */
  input: SignatureInput | undefined
  private readonly field: Field

  constructor(form: NonNullable<Parameters<ShowBody>[0]["signatureForm"]>, private readonly host: Host, title: string) {
    const signer = host.memory.name ?? form.signerTitle ?? ""
    const settings = {
      header: title, required: true, typingRefused: !form.typedAllowed, uploadAllowed: form.uploadAllowed ?? false,
      mark: form.initials ? "FIELD_MARK_INITIALS" as const : "FIELD_MARK_SIGNATURE" as const,
    }
    this.field = new Field(host.server, host.patience, form, settings)
    const cell = this.cell = make("assent-signature", {
      part: "signature", required: true, signer, header: form.initials ? title : undefined,
      "no-typing": !form.typedAllowed, photo: form.uploadAllowed ?? false,
    })
    cell.addEventListener("assent-ink", ({ detail }) => {
      // The cell has the ink when the event is over.
      if (detail.kind !== "piece") return this.field[detail.kind]()
      queueMicrotask(() => cell.ink?.canvas && this.field.draw(detail.piece, cell.ink.canvas))
    })
    cell.addEventListener("assent-signed", ({ detail }) => {
      const { signature } = detail
      if (signature.kind === "typed") this.input = { typed: { text: signature.name.text!, font: signature.name.font! } }
      else if (signature.kind === "drawn") detail.waitUntil(this.keep(this.field.save(signature.drawing)))
      else detail.waitUntil(this.keep(this.field.upload(signature.image, { width: 600, height: 200 })))
    })
    cell.addEventListener("assent-state", ({ detail }) => {
      if (detail.before === "saved" && detail.state !== "saved") {
        if (this.input?.drawn) this.field.reEnter()
        this.input = undefined
      } else if (detail.state === "inactive") {
        this.field.cancel()
      }
      host.changed()
    })
    // What happens in the cell is for this screen; the page hears of screens and decisions.
    for (const name of ["assent-ink", "assent-signed", "assent-state", "change"]) {
      cell.addEventListener(name, (event) => event.stopPropagation())
    }
  }

  waits(): string | undefined {
    if (this.input) return undefined
    return this.cell.state === "signed" ? this.host.words.saveFirst : this.host.words.signFirst
  }

  /** Shows what was drawn or saved before the page was loaded. */
  async find(): Promise<void> {
    const { ink, saved } = await this.field.find().catch(() => ({ ink: undefined, saved: undefined }))
    if (this.cell.state !== "inactive") return
    if (ink) this.cell.ink = ink
    if (saved) {
      this.input = { drawn: saved.revision }
      this.cell.value = { kind: "uploaded", image: saved.picture }
    }
    this.host.changed()
  }

  private async keep(saving: Promise<{ fieldId: string, revision: number }>): Promise<void> {
    this.input = { drawn: await saving }
    this.host.changed()
  }
}
