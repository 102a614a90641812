import {
  DocumentService, FlowService, type ConsentDocument, type ConsentFlow, type CreateFlowRequest, type DocumentFile,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { act } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { ask } from "../parts/dialog.js"
import { files } from "../parts/files.js"
import { firstFlow } from "../parts/flow-of.js"
import { chip, code, Dates, empty, heading, link } from "../parts/marks.js"
import { stateChip } from "../parts/states.js"
import { show, table, type Column } from "../parts/table.js"
import { written } from "../shell/address.js"

/** The documents of a study, and the flows in which people are asked for them. */
export const open: Opener = async (context) => {
  const { words, calls, study, rights } = context
  const studyId = study?.studyId ?? ""
  const place = { study: studyId }
  const body = make("div", { class: "stack" })
  const refresh = async () => {
    const [{ documents = [] }, { flows = [] }] = await Promise.all([
      calls.make(DocumentService.listDocuments, { studyId, pageSize: 1000 }),
      rights.may(FlowService.listFlows, place) ? calls.make(FlowService.listFlows, { studyId, pageSize: 1000 })
        : { flows: [] }])
    show(body, [heading(words.nav.documents,
      ...documents.length > 0 ? [files(context, `${studyId}-documents`, columns(context), () => documents)] : [],
      ...rights.may(DocumentService.importDocument, place)
        ? [button({ class: "btn s" }, () => importFile(context), icon("upload"), words.documents.import)] : [],
      ...rights.may(DocumentService.createDocument, place)
        ? [button({ class: "btn s go" }, () => create(context), icon("plus"), words.documents.create)] : []),
    list(context, documents), ...flowList(context, flows, documents)])
  }
  await refresh()
  return {
    title: words.nav.documents, refresh,
    content: [body, callPanel(context, () => [{ method: DocumentService.listDocuments, request: { studyId } },
      { method: FlowService.listFlows, request: { studyId } }])],
  }
}

function list(context: Context, documents: readonly ConsentDocument[]): HTMLElement {
  const { words, rights, study } = context
  if (documents.length === 0) {
    return empty(words.documents.none, words.documents.noneWhy,
      ...rights.may(DocumentService.createDocument, { study: study?.studyId })
        ? [button({ class: "btn s" }, () => create(context), words.documents.create)] : [])
  }
  return table(words.nav.documents, columns(context), documents)
}

function columns({ words, study, locale }: Context): Column<ConsentDocument>[] {
  const dates = new Dates(locale)
  return [
    { title: words.studies.name, cell: ({ documentId = "", name }) =>
      link(written("document", documentId, { study: study?.studyId }), make("b", {}, name || documentId)) },
    { title: words.studies.id, cell: ({ documentId = "" }) => code(documentId), isMinor: true },
    { title: words.documents.published, cell: ({ publishedVersion }) => publishedVersion
      ? chip(String(publishedVersion), "ok") : chip(words.documents.notYet) },
    { title: words.documents.draft, cell: ({ draftVersion, pendingApprovals = [] }) => !draftVersion ? ""
      : pendingApprovals.some(({ locale }) => !locale) ? stateChip(words, "VERSION_STATE_AWAITING_APPROVAL")
        : chip(String(draftVersion), "warn", "pen") },
    { title: words.studies.created, cell: ({ createdAt }) => dates.day(createdAt), isMinor: true },
  ]
}

function create(context: Context): void {
  const { words, study, go, locale } = context
  ask(context, {
    title: words.documents.createTitle,
    plan: {
      label: words.documents.create, method: DocumentService.createDocument,
      fields: [
        { name: "name", label: words.studies.name, required: true },
        { name: "documentId", label: words.studies.id, help: words.studies.idHelp, namedBy: "name" },
        { name: "locale", path: "content.defaultLocale", label: words.documents.language, value: locale, required: true,
          attributes: { dir: "ltr" } },
      ],
      request: (values) => ({ studyId: study?.studyId ?? "", documentId: values.text("documentId"),
        name: values.text("name"),
        content: { defaultLocale: values.text("locale"), settings: {},
          texts: [{ locale: values.text("locale"), title: values.text("name") }] } }),
      done: ({ version }) => go("edit", version?.documentId),
    },
  })
}

/** A document as one file, which another installation has exported or somebody has written. */
function importFile(context: Context): void {
  const { words, study, go, tell } = context
  ask(context, {
    title: words.documents.importTitle, sentence: words.documents.importWhat,
    plan: {
      label: words.documents.import, method: DocumentService.importDocument,
      fields: [{ name: "file", label: words.documents.file, kind: "file", required: true,
        attributes: { accept: ".json,application/json" } }],
      request: async (values) => ({ studyId: study?.studyId ?? "",
        file: await json(values.file("file")) as DocumentFile }),
      done: ({ version, removed = [] }) => {
        if (removed.length > 0) tell(removed.map(({ field, what }) => `${field}: ${what}`).join(", "))
        go("document", version?.documentId)
      },
    },
  })
}

async function json(file: File | undefined): Promise<unknown> {
  return file ? JSON.parse(await file.text()) : {}
}

function flowList(context: Context, flows: readonly ConsentFlow[], documents: readonly ConsentDocument[]): Node[] {
  const { words, rights, study, again, person } = context
  const place = { study: study?.studyId }
  const add = () => ask(context, {
    title: words.flows.importTitle, sentence: words.flows.importWhat,
    plan: {
      label: words.documents.import, method: FlowService.createFlow,
      fields: [{ name: "file", label: words.documents.file, kind: "file", required: true,
        attributes: { accept: ".json,application/json" } }],
      request: async (values) => ({ ...await json(values.file("file")) as CreateFlowRequest,
        studyId: study?.studyId ?? "" }),
      done: () => again(),
    },
  })
  const columns: Column<ConsentFlow>[] = [
    { title: words.studies.name, cell: ({ flowId = "", name }) => make("span", {}, link(
      written("flow", flowId, { study: study?.studyId }), make("b", {}, name || flowId)), " ", code(flowId)) },
    { title: words.documents.published, cell: ({ publishedVersion }) => publishedVersion
      ? chip(String(publishedVersion), "ok") : chip(words.documents.notYet) },
    { title: words.documents.draft, cell: (flow) => {
      if (!flow.draftVersion) return ""
      const [waits] = flow.pendingApprovals ?? []
      if (waits?.askedBy === person.id) return stateChip(words, "VERSION_STATE_AWAITING_APPROVAL")
      if (!rights.may(FlowService.publishFlowDraft, place)) return chip(String(flow.draftVersion), "warn", "pen")
      const label = waits ? words.document.approve : words.document.publish
      return act(context, { class: "btn s", "aria-label": `${label}: ${flow.name}` },
        () => publishFlow(context, flow).then(again), label)
    } },
  ]
  return [
    make("div", { class: "row wrap" }, make("h2", { class: "grow" }, words.flows.title),
      ...flows.length > 0 ? [files(context, `${study?.studyId}-flows`, columns, () => flows)] : [],
      ...rights.may(FlowService.createFlow, place) ? [
        button({ class: "btn s" }, () => createFlow(context), icon("plus"), words.flows.create),
        button({ class: "btn s" }, add, icon("upload"), words.flows.import)] : []),
    flows.length === 0 ? empty(words.flows.none, words.flows.noneWhy, ...firstFlow(context, documents))
      : table(words.flows.title, columns, flows)]
}

function createFlow(context: Context): void {
  const { words, study, go, locale } = context
  ask(context, {
    title: words.flows.createTitle,
    plan: {
      label: words.flows.create, method: FlowService.createFlow,
      fields: [
        { name: "name", label: words.studies.name, required: true },
        { name: "flowId", label: words.studies.id, help: words.studies.idHelp, namedBy: "name" },
        { name: "locale", path: "definition.defaultLocale", label: words.documents.language, value: locale,
          required: true, attributes: { dir: "ltr" } },
      ],
      request: (values) => ({
        studyId: study?.studyId ?? "", flowId: values.text("flowId"), name: values.text("name"),
        definition: { defaultLocale: values.text("locale"), steps: [] } }),
      done: ({ version }) => go("flow", version?.flowId),
    },
  })
}

export async function publishFlow({ calls, tell, words }: Context,
  { flowId = "", draftVersion }: ConsentFlow): Promise<void> {
  const { version } = await calls.make(FlowService.getFlow, { flowId, version: draftVersion ?? 0 })
  const { version: after } = await calls.make(FlowService.publishFlowDraft,
    { flowId, expectedRevision: version?.revision ?? 0 })
  tell(after?.state === "VERSION_STATE_AWAITING_APPROVAL" ? words.document.waits : words.document.isPublished)
}
