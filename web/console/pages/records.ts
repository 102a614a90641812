import {
  DocumentService, RecordService, StudyService, type ConsentRecord, type ListRecordsRequest, type RecordConcern,
  type RecordKind, type RecordsFormat, type RecordState,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { copyButton } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { downloadButton } from "../parts/download.js"
import { drop } from "../parts/drop.js"
import { Dates, empty, heading, link } from "../parts/marks.js"
import { ofSites } from "../parts/of-sites.js"
import { stateChip } from "../parts/states.js"
import { Paged } from "../parts/table.js"
import { filtered, written } from "../shell/address.js"

const states = [
  "awaiting_signatures", "in_force", "declined", "withdrawn", "superseded", "expired", "needs_attention", "rejected",
  "reconsent_due", "erased", "voided",
]

const concerns = ["copy_failed", "copy_waits", "void_requested", "signing_declined"]
const kinds = ["document", "form", "paper"]

/** The records of a study, filtered by the address. */
export const open: Opener = async (context) => {
  const { words, calls, study, locale } = context
  const dates = new Dates(locale)
  const request = asked(context)
  const list = new Paged<ConsentRecord>(context, {
    label: words.nav.records,
    columns: [
      { title: words.records.person, cell: ({ recordId, subjectId = "" }) => link(
        written("record", recordId, { study: study?.studyId }), make("b", {}, subjectId)) },
      { title: words.records.document, cell: ({ documentId, stepId }) => documentId || stepId || "" },
      { title: words.records.version, cell: ({ documentVersion, flowVersion }) =>
        String(documentVersion ?? flowVersion ?? ""), isMinor: true },
      { title: words.records.state, cell: ({ state }) => stateChip(words, state) },
      { title: words.records.site, cell: ({ siteId = "" }) => siteId, isMinor: true },
      { title: words.records.decided, cell: ({ decidedAt }) => dates.time(decidedAt) },
    ],
    page: async (pageToken, pageSize) => {
      const { records = [], nextPageToken = "" } = await calls.make(
        RecordService.listRecords, { ...request, pageSize, pageToken })
      return { rows: records, next: nextPageToken }
    },
    empty: () => empty(words.records.none, words.records.noneWhy),
  })
  const [filtering] = await Promise.all([filters(context), list.refresh()])
  return {
    title: words.nav.records, refresh: list.refresh,
    content: [make("div", { class: "stack" },
      heading(words.nav.records, ...exports(context, request)), filtering, list.element,
      callPanel(context, () => [{ method: RecordService.listRecords, request }]))],
  }
}

/** What the address asks for. */
function asked(context: Context): ListRecordsRequest {
  const { study, address: { query } } = context
  const { state, concern, kind, site, person, document, version, from, until, test } = query
  const moment = (day: string) => new Date(`${day}T00:00`).toISOString()
  return {
    ...ofSites(context, study?.studyId ?? ""),
    ...state && states.includes(state) ? { state: `RECORD_STATE_${state.toUpperCase()}` as RecordState } : {},
    ...concern && concerns.includes(concern) ? { concern: `RECORD_CONCERN_${concern.toUpperCase()}` as RecordConcern }
      : {},
    ...kind && kinds.includes(kind) ? { kind: `RECORD_KIND_${kind.toUpperCase()}` as RecordKind } : {},
    ...site ? { siteId: site } : {}, ...person ? { subjectId: person } : {},
    ...document ? { documentId: document } : {}, ...version ? { documentVersion: Number(version) } : {},
    ...from ? { decidedFrom: moment(from) } : {}, ...until ? { decidedUntil: moment(until) } : {},
    ...test === "yes" ? { test: true } : {},
  }
}

async function filters(context: Context): Promise<HTMLElement> {
  const { words, address, calls, study, rights } = context
  const studyId = study?.studyId ?? ""
  const [{ sites = [] }, { documents = [] }] = await Promise.all([
    rights.may(StudyService.listSites, { study: studyId })
      ? calls.make(StudyService.listSites, { studyId, pageSize: 1000 }) : { sites: [] },
    rights.may(DocumentService.listDocuments, { study: studyId })
      ? calls.make(DocumentService.listDocuments, { studyId, pageSize: 1000 }) : { documents: [] }])
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) => {
    const select = make("select", { class: "in s", name },
      make("option", { value: "" }, words.records.any), ...options
        .map(([value, text]) => make("option", { value }, text)))
    select.value = address.query[name] ?? ""
    select.addEventListener("change", () => filtered(address, { [name]: select.value }))
    return make("label", { class: "filter" }, make("span", {}, label), select)
  }
  const input = (name: string, label: string, type: string) => {
    const field = make("input", { class: "in s", name, type, autocomplete: "off" })
    field.value = address.query[name] ?? ""
    field.addEventListener("change", () => filtered(address, { [name]: field.value.trim() }))
    return make("label", { class: "filter" }, make("span", {}, label), field)
  }
  const isFiltered = Object.keys(address.query).some((name) => name !== "study")
  const clear = button({ class: "btn bare s" }, () => filtered(address, Object.fromEntries(
    Object.keys(address.query).filter((name) => name !== "study").map((name) => [name, undefined]))),
      words.records.clear)
  return make("div", { class: "row wrap filters", role: "search" },
    input("person", words.records.person, "search"),
    choice("state", words.records.state, states.map((each) => [each, words.states[each] ?? each])),
    choice("concern", words.records.concern, concerns.map((each) => [each, words.concerns[each] ?? each])),
    choice("kind", words.records.kind, kinds.map((each) => [each, words.kinds[each] ?? each])),
    choice("document", words.records.document, documents
      .map(({ documentId = "", name }) => [documentId, name || documentId])),
    ...address.query["document"] ? [input("version", words.records.version, "number")] : [],
    ...sites.length > 0 ? [choice("site", words.records.site,
      sites.map(({ siteId = "", name }) => [siteId, name || siteId]))] : [],
    input("from", words.records.from, "date"), input("until", words.records.until, "date"),
    choice("test", words.records.test, [["yes", words.records.onlyTest]]), ...isFiltered ? [clear] : [])
}

/** Exports take what is filtered. */
function exports(context: Context, request: ListRecordsRequest): Node[] {
  const { words, rights, study, address } = context
  const share = copyButton(context, words.records.share, () => location.href)
  if (!rights.may(RecordService.exportRecords, { study: study?.studyId, site: address.query["site"] })) return [share]
  const formats: [RecordsFormat, string, string][] = [
    ["RECORDS_FORMAT_RECORDS_CSV", words.records.csv, "records.csv"],
    ["RECORDS_FORMAT_RECORDS_NDJSON", words.records.ndjson, "records.ndjson"],
    ["RECORDS_FORMAT_DECISIONS_CSV", words.records.decisionsCsv, "decisions.csv"],
    ["RECORDS_FORMAT_DECISIONS_NDJSON", words.records.decisionsNdjson, "decisions.ndjson"],
    ["RECORDS_FORMAT_SIGNED_COPIES_ZIP", words.records.zip, "copies.zip"],
  ]
  return [share, drop([icon("save"), words.records.export], ...formats.map(([format, label, name]) =>
    downloadButton(context, {
      label, method: RecordService.exportRecords, request: { ...request, format }, name: `${study?.studyId}-${name}`,
    })))]
}
