import type { SignatureForm, SignatureInput } from "../../../clients/typescript/src/contract/consent_v1.js"
import type { FieldSettings } from "../../../clients/typescript/src/contract/signature_v1.js"
import { Field } from "../../session/field.js"
import type { Patience } from "../../session/patience.js"
import type { Server } from "../../session/server.js"
import type { AssentSignature } from "../signature/assent-signature.js"
import "../signature/assent-signature.js"

/** A cell, and the server's field behind it. */
export class Signing {
  /** What is saved, and can be signed with. */
  input: SignatureInput | undefined
  private readonly field: Field

  constructor(
    readonly cell: AssentSignature, server: Server, patience: Patience, form: SignatureForm, settings: FieldSettings,
    private readonly changed: () => void,
  ) {
    this.field = new Field(server, patience, form, settings)
    if (!server.isAway) cell.phone = (canvas, tell, signal) => this.field.lend(canvas, tell, signal)
    cell.addEventListener("assent-ink", ({ detail }) => {
      if (detail.kind === "resize") return this.field.resize(detail.canvas)
      if (detail.kind !== "piece") return this.field[detail.kind]()
      // The cell has the ink when the event is over.
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
      changed()
    })
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
    this.changed()
  }

  private async keep(saving: Promise<{ fieldId: string, revision: number }>): Promise<void> {
    this.input = { drawn: await saving }
    this.changed()
  }
}
