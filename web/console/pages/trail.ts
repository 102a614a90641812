import {
  RecordService, type ExportTrailRequest, type ListTrailRequest, type TableFormat,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import type { TrailEntry, TrailKind } from "../../../clients/typescript/src/contract/common_v1.js"
import { make } from "../../elements/dom.js"
import type { Context, Opener } from "../context.js"
import { callPanel } from "../parts/call.js"
import { downloadButton } from "../parts/download.js"
import { code, Dates, empty, heading, link } from "../parts/marks.js"
import { Paged } from "../parts/table.js"
import { filtered, written } from "../shell/address.js"

const kinds = ["read", "denied", "changed"]

/** Who had to do with whose data: looks, changes, and what was refused. */
export const open: Opener = async (context) => {
  const { words, calls, locale, study, rights } = context
  const dates = new Dates(locale)
  const request = asked(context)
  const list = new Paged<TrailEntry>(context, {
    label: words.nav.trail,
    columns: [
      { title: words.trail.when, cell: ({ at }) => dates.time(at) },
      { title: words.trail.what, cell: ({ kind, purpose, method, item }) => make("span", {},
        make("b", {}, words.trail.kinds[(kind ?? "").replace("TRAIL_KIND_", "").toLowerCase()] ?? ""), " ",
        purpose || item || (method ?? "").split("/")[1] || "") },
      { title: words.trail.who, cell: ({ actor = "", capacity }) => make("span", {}, code(actor),
        ...capacity ? [` ${words.roles[capacity] ?? capacity}`] : []) },
      { title: words.trail.whose, cell: ({ subjectId }) => subjectId
        ? link(written("person", subjectId, { study: study?.studyId }), subjectId) : "" },
      { title: words.trail.item, isMinor: true, cell: ({ item = "", siteId }) =>
        item.startsWith("record/") && rights.may(RecordService.getRecord, { study: study?.studyId, site: siteId })
          ? link(written("record", item.slice(7), { study: study?.studyId }), code(item.slice(0, 15))) : item },
    ],
    page: async (pageToken, pageSize) => {
      const { entries = [], nextPageToken = "" } = await calls.make(
        RecordService.listTrail, { ...request, pageSize, pageToken })
      return { rows: entries, next: entries.length === pageSize ? nextPageToken : "" }
    },
    empty: () => empty(words.trail.none, words.trail.noneWhy),
  })
  await list.refresh()
  const until = { ...request } as ExportTrailRequest
  const formats: [TableFormat, string, string][] = [
    ["TABLE_FORMAT_CSV", "CSV", "trail.csv"], ["TABLE_FORMAT_NDJSON", "NDJSON", "trail.ndjson"]]
  return {
    title: words.nav.trail,
    content: [make("div", { class: "stack" },
      heading(words.nav.trail, ...formats.map(([format, label, name]) => downloadButton(context, {
        label, method: RecordService.exportTrail, request: { ...until, format }, name: `${study?.studyId}-${name}` }))),
      filters(context), list.element, callPanel(context, () => [{ method: RecordService.listTrail, request }]))],
  }
}

function asked({ study, address: { query } }: Context): ListTrailRequest {
  const { person, actor, kind, from, until } = query
  const moment = (day: string) => new Date(`${day}T00:00`).toISOString()
  return {
    studyId: study?.studyId ?? "", ...person ? { subjectId: person } : {}, ...actor ? { actor } : {},
    ...kind && kinds.includes(kind) ? { kinds: [`TRAIL_KIND_${kind.toUpperCase()}` as TrailKind] } : {},
    ...from ? { from: moment(from) } : {}, ...until ? { until: moment(until) } : {},
  }
}

function filters({ words, address }: Context): HTMLElement {
  const field = (name: string, label: string, type: string) => {
    const input = make("input", { class: "in s", name, type, autocomplete: "off" })
    input.value = address.query[name] ?? ""
    input.addEventListener("change", () => filtered(address, { [name]: input.value.trim() }))
    return make("label", { class: "filter" }, make("span", {}, label), input)
  }
  const select = make("select", { class: "in s" }, make("option", { value: "" }, words.records.any),
    ...kinds.map((kind) => make("option", { value: kind }, words.trail.kinds[kind] ?? kind)))
  select.value = address.query["kind"] ?? ""
  select.addEventListener("change", () => filtered(address, { kind: select.value }))
  return make("div", { class: "row wrap filters", role: "search" }, field("person", words.trail.whose, "search"),
    field("actor", words.trail.who, "search"), make("label", { class: "filter" }, make("span", {}, words.trail.what),
      select),
    field("from", words.records.from, "date"), field("until", words.records.until, "date"))
}
