import { Client } from "../../clients/typescript/src/client.js"
import { PeopleService, ViewService } from "../../clients/typescript/src/contract/account_v1.js"
import {
  type ConsentFlow, DocumentService, type DocumentSettings, type DocumentText, type OfflineBundle, SessionService,
  type StartSessionRequest,
} from "../../clients/typescript/src/contract/consent_v1.js"
import { StatusError } from "../../clients/typescript/src/status.js"
import type { Device } from "../device/device.js"
import { type Person, settings } from "../device/person.js"
import { isAway } from "../session/away.js"
import { clientSchema } from "../session/walk.js"
import { type Change, commit } from "./database.js"
import type { Drawer } from "./sealing.js"

/** A document of a flow: who has to sign it, and in which words. */
export interface PreparedDocument {
  readonly documentId: string
  readonly version: number
  readonly signatures: NonNullable<DocumentSettings["signatures"]>
  readonly texts: readonly NonNullable<DocumentText["signatures"]>[number][]
}

/** A flow that a person can walk without a connection. */
export interface PreparedFlow {
  readonly flowId: string
  readonly studyId: string
  readonly name: string
  readonly study: string
  /** How the visit begins: as the table was asked for. */
  readonly begin: StartSessionRequest
  readonly bundle: OfflineBundle
  readonly documents: readonly PreparedDocument[]
  /** Whether a signature in it asks for a fresh passcode, which the server has to check. */
  readonly signsLater: boolean
}

/** A flow that needs a connection from its beginning. */
export type FlowForLater = Pick<PreparedFlow, "name" | "study">

/** What is known of the person without asking. */
export interface PreparedPerson {
  readonly title: string
  readonly roles: readonly string[]
}

export interface WantedFlow {
  readonly flow: ConsentFlow
  readonly study: string
}

/** Why the server makes no table of a flow: what comes next depends on answers, or there is too much of it. */
const withoutTable = ["conditional_steps", "table_too_large"]

/**
 * Fetches all that the next visits of a person at this device need: the screens of the device, and each flow's table
 * with its documents and pictures. Of a flow that needs a connection only its name is kept.
 */
export async function prepare(
  device: Device, person: Person, drawer: Drawer, browser: Drawer, locale: string, title: string,
  wanted: readonly WantedFlow[],
): Promise<void> {
  const own = new Client(settings(person.access)), shared = new Client(settings(device.access))
  const views = await shared.service(ViewService).getOfflineViews({ locale })
  const { current, others = [] } = await shared.service(PeopleService).listPeople({ pageSize: 1000 })
  const people: PreparedPerson = { title, roles: person.roles }
  await commit(
    await browser.put("views", views), await browser.put("people", current ? [current, ...others] : others),
    await drawer.put("person", people))
  const kept = [...await drawer.all("flow/"), ...await drawer.all("later-flow/")]
  const before = new Set(kept.map(([name]) => name))
  for (const { flow, study } of wanted) {
    const name = `flow/${flow.flowId ?? ""}`, later = `later-${name}`
    try {
      await keepFlow(own, shared, drawer, browser, name, flow, study, { ...flow.flowId ? { flowId: flow.flowId } : {},
        locale, deviceId: device.deviceId, clientSchema })
      before.delete(name)
    } catch (problem) {
      if (!(problem instanceof StatusError) || isAway(problem)) throw problem
      if (!withoutTable.includes(problem.rule)) continue
      const shown: FlowForLater = { name: flow.name ?? "", study }
      await drawer.keep(later, shown)
      before.delete(later)
    }
  }
  // What is no longer to be walked.
  await commit(...[...before].map((name) => drawer.drop(name)))
}

async function keepFlow(
  own: Client, shared: Client, drawer: Drawer, browser: Drawer, name: string, flow: ConsentFlow, study: string,
  begin: StartSessionRequest,
): Promise<void> {
  const { bundle = {} } = await own.service(SessionService).getOfflineBundle({ begin, clientSchema })
  const signsLater = bundle.screens?.some(({ screen }) => screen?.signatureForm?.requiresReauthentication) ?? false
  const changes: Change[] = [], documents: PreparedDocument[] = [], service = shared.service(DocumentService)
  for (const { documentId = "", version = 0 } of bundle.prepared?.documents ?? []) {
    const { version: found } = await service.getDocument({ documentId, version })
    const texts = found?.content?.texts ?? [], spoken = texts.find((text) => text.locale === begin.locale) ?? texts[0]
    documents.push({
      documentId, version, signatures: found?.content?.settings?.signatures ?? [], texts: spoken?.signatures ?? [],
    })
  }
  for (const hash of bundle.assets ?? []) {
    if (await browser.get(`asset/${hash}`)) continue
    const { asset } = await service.getAsset({ hash })
    if (asset) changes.push(await browser.put(`asset/${hash}`, asset))
  }
  const kept: PreparedFlow = {
    flowId: flow.flowId ?? "", studyId: flow.studyId ?? "", name: flow.name ?? "", study, begin, bundle, documents,
    signsLater,
  }
  // With its pictures, or not at all.
  await commit(...changes, await drawer.put(name, kept))
}
