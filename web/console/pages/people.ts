import {
  FlowService, RecordService, StudyService, type ConsentRecord, type DueConsent,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { all } from "../access/calls.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { act } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { chip, Dates, empty, heading, link } from "../parts/marks.js"
import { ofSites } from "../parts/of-sites.js"
import { stateChip } from "../parts/states.js"
import { Paged } from "../parts/table.js"
import { filtered, written } from "../shell/address.js"
import { many } from "./invitations.js"

interface Person {
  readonly id: string
  readonly records: ConsentRecord[]
}

/** Participants, by their identifiers. Names are not read here. */
export const open: Opener = async (context) => {
  const { words, study, address, calls, rights } = context
  const studyId = study?.studyId ?? ""
  if (!rights.may(RecordService.listRecords, { study: studyId })) {
    return { title: words.nav.people, content: [make("div", { class: "stack" }, heading(words.nav.people),
      make("p", { class: "dim" }, words.people.unlisted), find(context))] }
  }
  const onlyDue = address.query["due"] === "yes"
  let dues = onlyDue ? await dueOf(context, studyId) : new Map<string, DueConsent>()
  const dates = new Dates(context.locale)
  const list = new Paged<Person>(context, {
    label: words.nav.people,
    columns: [
      { title: words.people.person, cell: ({ id }) => link(written("person", id, { study: studyId }),
        make("b", {}, id)) },
      { title: words.people.consents, cell: ({ records }) => make("span", { class: "row wrap" },
        ...records.map(({ documentId, stepId = "", documentVersion = 0, state }) => make("span", { class: "row" },
          [documentId || stepId, documentVersion || ""].join(" ").trim(), stateChip(words, state)))) },
      { title: words.people.due, cell: ({ id }) => dueChip(context, dues.get(id)) },
      { title: words.records.decided, cell: ({ records }) => dates.time(records.at(-1)?.decidedAt), isMinor: true },
    ],
    page: async (pageToken, pageSize) => {
      if (onlyDue) return { rows: [...dues.keys()].map((id) => ({ id, records: [] })), next: "" }
      const { records, nextPageToken } = await calls.make(
        RecordService.listRecords, { ...ofSites(context, studyId), pageSize, pageToken,
          test: address.query["test"] === "yes" })
      return { rows: byPerson(records ?? []), next: nextPageToken ?? "" }
    },
    empty: () => empty(words.people.none, words.people.noneWhy,
      make("a", { class: "btn s go", href: written("invitations", "", { study: studyId }) }, words.nav.invitations)),
  })
  await list.refresh()
  // Who is due may be many: whoever looks for somebody does not wait for that.
  const judge = async () => {
    dues = await dueOf(context, studyId)
    await list.refresh()
  }
  if (!onlyDue) void judge().catch(() => undefined)
  return {
    title: words.nav.people, refresh: list.refresh,
    content: [make("div", { class: "stack" }, heading(words.nav.people,
      list.files(`${studyId}-people`), ...onlyDue ? inviting(context, [...dues.keys()]) : []),
    filters(context), list.element,
      callPanel(context, () => [{ method: RecordService.listRecords, request: { studyId, pageSize: 50 } }]))],
  }
}

/** Asks all who are due, by a list that can be changed before. */
function inviting(context: Context, people: readonly string[]): Node[] {
  const { words, calls, study, rights } = context
  const studyId = study?.studyId ?? ""
  if (people.length === 0 || !rights.may(StudyService.createInvitation, { study: studyId })) return []
  return [act(context, { class: "btn s go" }, async () => {
    const { flows = [] } = await calls.make(FlowService.listFlows, { studyId, pageSize: 1000 })
    many(context, flows.filter(({ publishedVersion }) => publishedVersion), people)
  }, words.people.inviteDue + "…")]
}

/** Opens the page of a person whose identifier somebody knows. */
function find({ words, go }: Context): HTMLElement {
  const input = make("input", { class: "in s", type: "search", "aria-label": words.people.find,
    placeholder: words.people.find, autocomplete: "off" })
  const form = make("form", { class: "row", role: "search" }, input,
    make("button", { class: "btn s" }, icon("search"), words.people.open))
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    if (input.value.trim()) go("person", input.value.trim())
  })
  return form
}

function filters(context: Context): HTMLElement {
  const { words, address } = context
  const toggle = (name: string, label: string) => {
    const isOn = address.query[name] === "yes"
    return button({ class: "btn s", "aria-pressed": String(isOn) }, () =>
      filtered(address, { [name]: isOn ? undefined : "yes" }), label)
  }
  return make("div", { class: "row wrap" }, find(context), toggle("due", words.people.onlyDue),
    toggle("test", words.people.onlyTest))
}

async function dueOf({ calls, rights }: Context, studyId: string): Promise<Map<string, DueConsent>> {
  if (!rights.may(RecordService.listDueConsents, { study: studyId })) return new Map()
  const dues = await all(async (pageToken) => {
    const page = await calls.make(RecordService.listDueConsents, { studyId, pageSize: 1000, pageToken })
    return { items: page.dueConsents, next: page.nextPageToken }
  })
  return new Map(dues.map((due) => [due.subjectId ?? "", due]))
}

export function dueChip({ words, locale }: Context, due: DueConsent | undefined): Node | string {
  if (!due) return ""
  const isLate = due.dueBy !== undefined && Date.parse(due.dueBy) < Date.now()
  const day = new Dates(locale).day(due.dueBy)
  return chip([words.people.dueNow, day].filter(Boolean).join(" "), isLate ? "bad" : "warn", "cal")
}

function byPerson(records: ConsentRecord[]): Person[] {
  const people = new Map<string, ConsentRecord[]>()
  for (const record of records) {
    const id = record.subjectId ?? ""
    people.set(id, [...people.get(id) ?? [], record])
  }
  return [...people].map(([id, each]) => ({ id, records: each }))
}
