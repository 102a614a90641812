import type { ItemName, QueueItem } from "../../clients/typescript/src/contract/account_v1.js"
import type {
  PersonName, SignaturePlace, SignerRole, SigningTask, SignRecordRequest,
} from "../../clients/typescript/src/contract/consent_v1.js"
import { bytesOf, toBase64 } from "../bytes.js"
import { type Answer, answering, type Asked, refusal } from "./answers.js"
import { changed, type FieldChange, type FieldRequest, type KeptField, newField, viewOf } from "./field.js"
import { item, sessions, signatures } from "./items.js"
import type { PreparedFlow } from "./prepared.js"
import type { Drawer } from "./sealing.js"
import { stored, type Troubled } from "./trouble.js"
import { uuid7 } from "./uuid.js"

/** A record that came about without a connection, as its signer signed it. */
export interface SignedRecord {
  readonly stepId: string
  readonly recordId: string
  readonly place: SignaturePlace
  readonly name?: PersonName
  /** What was agreed to. */
  readonly html: string
}

/** A record that waits for somebody else's signature, at this device. */
export interface WaitingRecord {
  readonly recordId: string
  readonly studyId: string
  readonly study: string
  readonly subjectId: string
  readonly place: SignaturePlace
  readonly html: string
  readonly since: string
  /** The item that makes the record. */
  readonly after: ItemName
  readonly needs: readonly Need[]
}

interface Need {
  readonly signatureId: string
  readonly role: SignerRole
  readonly meaning: string
  /** A fresh passcode is asked for, which the server has to check. */
  readonly needsConnection: boolean
}

/** What somebody may sign; and whether not before there is a connection. */
export type WaitingTask = SigningTask & { readonly needsConnection: boolean }

/** The records that somebody else has to sign next. */
export function toBeSigned(
  signed: readonly SignedRecord[], { documents, studyId, study }: Omit<PreparedFlow, "bundle">, after: ItemName,
): WaitingRecord[] {
  return signed.flatMap(({ recordId, place, html }): WaitingRecord[] => {
    const document = documents.find(({ documentId }) => documentId === place.documentId)
    const open = (document?.signatures ?? []).filter(({ id }) => id !== place.signatureId)
    const first = Math.min(...open.map(({ order = 0 }) => order))
    const needs = open
      .filter(({ order = 0, role }) => order === first
        && (role === "SIGNER_ROLE_INVESTIGATOR" || role === "SIGNER_ROLE_WITNESS"))
      .map(({ id = "", role = "SIGNER_ROLE_UNSPECIFIED" as const, requiresReauthentication = false }): Need => {
        const text = document?.texts.find(({ signatureId }) => signatureId === id)
        return {
          signatureId: id, role, meaning: text?.meaning ?? text?.title ?? "", needsConnection: requiresReauthentication,
        }
      })
    return needs.length === 0 ? [] : [{
      recordId, studyId, study, subjectId: place.subjectId ?? "", place, html, after, needs,
      since: new Date().toISOString(),
    }]
  })
}

/** What somebody with these roles may sign of a record, as a task; nobody signs for two. */
export function taskOf(record: WaitingRecord, personId: string, roles: readonly string[]): WaitingTask | undefined {
  if (personId === record.subjectId) return undefined
  const { place, recordId, studyId, since } = record
  const need = record.needs.find(({ role }) => roles.some((granted) => {
    const [name = "", where = ""] = granted.split("@")
    return role === `SIGNER_ROLE_${name.toUpperCase()}` && (where === "*" || where === studyId)
  }))
  return need && {
    recordId, studyId, since, subjectId: record.subjectId, signatureId: need.signatureId, role: need.role,
    meaning: need.meaning, needsConnection: need.needsConnection,
    place: { ...place, subjectId: personId, signatureId: need.signatureId, recordId },
  }
}

/**
 * A signature of somebody else that is given without a connection: its `fetch` answers what the page of a signature
 * calls. What is drawn is in the signer's store until all of it goes into the queue.
 */
export class Countersigning {
  private work: Promise<unknown> = Promise.resolve()
  private fields: readonly KeptField[] = []
  private items: readonly QueueItem[] = []

  constructor(
    private readonly drawer: Drawer, private readonly browser: Drawer, private readonly record: WaitingRecord,
    private readonly task: SigningTask, private readonly troubled: Troubled,
  ) {}

  readonly fetch: typeof fetch = answering((asked) => {
    const answer = this.work.then(() => this.answer(asked))
    this.work = answer.catch(() => undefined)
    return answer
  })

  private async answer({ method, request }: Asked<Record<string, unknown>>): Promise<Answer> {
    const name = method.split("/")[1]!
    switch (name) {
      case "GetShownContent":
        return { contentType: "text/html", content: toBase64(bytesOf(this.record.html)) }
      case "ListFields": return { views: [] }
      case "CreateField": {
        const field = newField(uuid7(), request["reference"]!, request["settings"]!)
        await this.note(field, `${signatures}/CreateField`, { ...request, fieldId: field.fieldId })
        return { view: viewOf(field) }
      }
      case "TapField":
      case "UndoStroke":
      case "ClearField":
      case "ResizeField":
      case "CancelField":
      case "SaveField":
      case "SaveUploadedImage":
      case "ReEnterField": return { view: await this.change(name, request) }
      case "AppendStrokes": return [{ view: await this.change(name, request) }]
      case "SignRecord":
        await this.sign(request)
        return {}
      default: throw refusal("failed_precondition", "connection_needed")
    }
  }

  private async change(change: FieldChange, request: FieldRequest) {
    const before = this.fields.find(({ fieldId }) => fieldId === request.fieldId)
    const field = before && changed(before, change, request)
    if (!field) throw refusal("aborted", "stale_version")
    await this.note(field, `${signatures}/${change}`, request)
    return viewOf(field)
  }

  private async note(field: KeptField, method: string, request: object): Promise<void> {
    const items = [...this.items, item(this.drawer.owner, method, request)]
    const fields = [...this.fields.filter(({ fieldId }) => fieldId !== field.fieldId), field]
    await stored(this.troubled, await this.drawer.put(`signing/${this.record.recordId}`, { items, fields }))
    this.items = items
    this.fields = fields
  }

  private async sign(request: SignRecordRequest): Promise<void> {
    const { recordId, after } = this.record
    // Another tab may have it signed, and what it waits for may be at the server by now.
    const now = await this.browser.get<WaitingRecord>(`signing/${recordId}`)
    if (!now?.needs.some(({ signatureId }) => signatureId === this.task.signatureId)) {
      throw refusal("failed_precondition", "signed_before")
    }
    const left = now.needs.filter(({ signatureId }) => signatureId !== this.task.signatureId)
    const last = item(this.drawer.owner, `${sessions}/SignRecord`, request, after)
    const changes = await Promise.all([...this.items, last].map((each) => this.browser.queued(each)))
    await stored(
      this.troubled, ...changes, this.drawer.drop(`signing/${recordId}`),
      left.length > 0 ? await this.browser.put(`signing/${recordId}`, { ...this.record, needs: left })
        : this.browser.drop(`signing/${recordId}`))
  }
}
