import {
  DocumentService, FlowService, StudyService, type ConsentFlow, type CreateInvitationRequest, type StudyInvitation,
  type StudySite,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { save } from "../../elements/save.js"
import { filled } from "../../words/language.js"
import { qrCode } from "../../qr/code.js"
import { picture } from "../../qr/picture.js"
import { all } from "../access/calls.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { copyButton } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { parsedTable, plainTable, writtenTable } from "../parts/csv.js"
import { dayOf } from "../parts/day.js"
import { ask, held } from "../parts/dialog.js"
import { firstFlow } from "../parts/flow-of.js"
import type { Field, Values } from "../parts/form.js"
import { Dates, empty, heading, link, note } from "../parts/marks.js"
import { said } from "../parts/refused.js"
import { stateChip } from "../parts/states.js"
import { Paged } from "../parts/table.js"
import { filtered, written } from "../shell/address.js"

/** Links that lead one person each into a flow. */
export const open: Opener = async (context) => {
  const { words, calls, study, rights, address, locale } = context
  const studyId = study?.studyId ?? ""
  if (address.query["sheet"] === "yes") return sheet(context)
  const dates = new Dates(locale)
  const mayInvite = rights.may(StudyService.createInvitation, { study: studyId })
  const [{ flows = [] }, { sites = [] }] = await Promise.all([
    calls.make(FlowService.listFlows, { studyId, pageSize: 1000 }),
    calls.make(StudyService.listSites, { studyId, pageSize: 1000 })])
  const usable = flows.filter(({ publishedVersion }) => publishedVersion)
  const flowNames = new Map(flows.map(({ flowId, name }) => [flowId, name]))
  const siteNames = new Map(sites.map(({ siteId, name }) => [siteId, name]))
  const { documents = [] } = flows.length === 0 && rights.may(DocumentService.listDocuments, { study: studyId })
    ? await calls.make(DocumentService.listDocuments, { studyId, pageSize: 1000 }) : {}
  const revoke = ({ code = "", subjectId = "" }: StudyInvitation) => ask(context, {
    title: filled(words.invite.revokeTitle, { person: subjectId || code }), destroyed: words.invite.revokeDestroyed,
    plan: { label: words.invite.revoke, method: StudyService.revokeInvitation, destroys: true, fields: [],
      request: () => ({ code }), done: () => context.again() },
  })
  const list = new Paged<StudyInvitation>(context, {
    label: words.nav.invitations,
    columns: [
      { title: words.records.person, cell: ({ subjectId }) => subjectId
        ? link(written("person", subjectId, { study: studyId }), make("b", {}, subjectId)) : words.invite.somebody },
      { title: words.invite.flow, cell: ({ flowId = "" }) => flowNames.get(flowId) || flowId },
      { title: words.records.site, cell: ({ siteId = "" }) => siteNames.get(siteId) || siteId, isMinor: true },
      { title: words.records.state, cell: ({ state }) => stateChip(words, state) },
      { title: words.record.expires, cell: ({ expiresAt }) => dates.time(expiresAt), isMinor: true },
      { title: words.staff.acts, isActs: true, cell: (each) => !each.link ? "" : make("span", { class: "row wrap" },
        button({ class: "btn s", "aria-label": `${words.invite.show}: ${each.subjectId ?? each.code}` },
          () => shown(context, each), icon("qr"), words.invite.show),
        ...each.state === "INVITATION_STATE_USABLE" && rights.may(StudyService.revokeInvitation,
          { study: studyId, site: each.siteId })
          ? [button({ class: "btn s", "aria-label": `${words.invite.revoke}: ${each.subjectId ?? each.code}` },
            () => revoke(each), words.invite.revoke)] : []) },
    ],
    page: async (pageToken, pageSize) => {
      const { invitations = [], nextPageToken = "" } = await calls.make(StudyService.listInvitations,
        { studyId, pageSize, pageToken })
      return { rows: invitations, next: nextPageToken }
    },
    empty: () => mayInvite && usable.length === 0 ? empty(words.invite.none, words.invite.noFlow,
      ...firstFlow(context, documents),
      make("a", { class: "btn s", href: written("documents", "", { study: studyId }) }, words.nav.documents),
    ) : empty(words.invite.none, words.invite.noneWhy, ...mayInvite ? [
      button({ class: "btn s" }, () => one(context, usable, sites), words.invite.one),
      button({ class: "btn s" }, () => many(context, usable), words.invite.many + "…")] : []),
  })
  await list.refresh()
  const ways = !mayInvite || usable.length === 0 ? [] : [
    button({ class: "btn s" }, () => filtered(address, { sheet: "yes" }), icon("qr"), words.invite.sheet),
    button({ class: "btn s" }, () => many(context, usable), icon("upload"), words.invite.many + "…"),
    button({ class: "btn s go" }, () => one(context, usable, sites), icon("plus"), words.invite.one)]
  return {
    title: words.nav.invitations, refresh: list.refresh,
    content: [make("div", { class: "stack" }, heading(words.nav.invitations, list.files(`${studyId}-invitations`),
      ...ways), list.element,
      callPanel(context, () => [{ method: StudyService.listInvitations, request: { studyId } }]))],
  }
}

function flowField({ words }: Context, flows: readonly ConsentFlow[]): Field {
  return { name: "flowId", path: "invitation.flowId", label: words.invite.flow, kind: "choice",
    options: flows.map(({ flowId = "", name }) => [flowId, name || flowId] as const) }
}

function one(context: Context, flows: readonly ConsentFlow[], sites: readonly StudySite[]): void {
  const { words, again } = context
  ask(context, {
    title: words.invite.oneTitle,
    plan: {
      label: words.invite.one, method: StudyService.createInvitation,
      fields: [
        flowField(context, flows),
        { name: "subjectId", path: "invitation.subjectId", label: words.invite.person, help: words.invite.personHelp },
        ...sites.length === 0 ? [] : [{ name: "siteId", path: "invitation.siteId", label: words.records.site,
          kind: "choice" as const,
          options: [["", words.invite.noSite] as const, ...sites
            .map(({ siteId = "", name }) => [siteId, name || siteId] as const)] }],
        { name: "birthDate", label: words.invite.birthDate, help: words.invite.birthDateHelp, kind: "date",
          attributes: { max: "9999-12-31" } },
        { name: "toldCode", label: words.invite.toldCode, help: words.invite.toldCodeHelp, attributes: { dir: "ltr" } },
        { name: "expiresAt", path: "invitation.expiresAt", label: words.record.expires, kind: "date" },
        { name: "test", path: "invitation.test", label: words.invite.test, kind: "check" },
      ],
      request: requested,
      done: async ({ invitation }) => {
        await again()
        if (invitation) shown(context, invitation)
      },
    },
  })
}

function requested(values: Values): CreateInvitationRequest {
  const expiresAt = values.moment("expiresAt")
  const birthDate = dayOf(values.text("birthDate"))
  return {
    invitation: {
      flowId: values.text("flowId"), subjectId: values.text("subjectId"), siteId: values.text("siteId"),
      test: values.is("test"), ...expiresAt ? { expiresAt } : {},
    },
    ...values.text("toldCode") ? { toldCode: values.text("toldCode") } : {}, ...birthDate ? { birthDate } : {},
  }
}

function addressOf({ link: path = "" }: StudyInvitation): string {
  return location.origin + path
}

/** One invitation as a link and a code. */
function shown(context: Context, invitation: StudyInvitation): void {
  const { words } = context
  const href = addressOf(invitation)
  const code = qrCode(href)
  const dialog = make("dialog", { class: "alert", "aria-label": words.invite.show })
  const done = button({ class: "btn s go" }, () => dialog.close(), words.dialog.done)
  dialog.append(make("h2", {}, invitation.subjectId || words.invite.somebody),
    make("p", { class: "dim" }, words.invite.secret),
    ...code ? [picture(code, words.invite.code)] : [], make("pre", { dir: "ltr", tabindex: "0" }, href),
    make("div", { class: "row" }, copyButton(context, words.dialog.copy, () => href), done))
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  done.focus()
}

const columns = ["person", "site", "birth_date"]

/**
 * Invitations for a list of people: each line is a call of its own, and tells what came of it. Lines that were refused
 * stay in the list, and no others, so that nobody is invited twice.
 */
export function many(context: Context, flows: readonly ConsentFlow[], people: readonly string[] = []): void {
  const { words, calls, study, again, tell } = context
  const id = "invite-many"
  const dialog = make("dialog", { class: "alert wide", "aria-labelledby": id })
  const flow = make("select", { class: "in s", id: `${id}-f` }, ...flows
    .map(({ flowId = "", name }) => make("option", { value: flowId }, name || flowId)))
  const area = make("textarea", { class: "in s", rows: "8", id: `${id}-t`, dir: "ltr", required: true,
    "aria-describedby": `${id}-h` })
  area.value = [columns.join(","), ...people].join("\n") + "\n"
  const file = make("input", { type: "file", accept: ".csv,text/csv", "aria-label": words.documents.file })
  file.addEventListener("change", () => void file.files?.[0]?.text().then((text) => { area.value = text }))
  const result = make("div", { role: "status", class: "stack" })
  const send = make("button", { class: "btn s go" }, words.invite.manySend)
  const close = button({ class: "btn s" }, () => dialog.close(), words.dialog.back)
  const body = make("form", { class: "stack" },
    make("div", { class: "field" }, make("label", { for: `${id}-f` }, words.invite.flow), flow),
    make("div", { class: "field" }, make("label", { for: `${id}-t` }, words.invite.lines),
      make("p", { class: "dim small", id: `${id}-h` }, words.invite.linesHelp), area, file),
    result, make("div", { class: "row" }, close, send))
  const made: string[][] = []
  let sites: readonly StudySite[] = []
  /** A site by its identifier, or as it is called. */
  const siteOf = (wanted: string) => sites.find(({ siteId }) => siteId === wanted)?.siteId
    ?? sites.find(({ name = "" }) => name.toLowerCase() === wanted.toLowerCase())?.siteId ?? wanted
  const invite = async ({ person = "", site = "", birth_date: born = "" }: Record<string, string>) => {
    const birthDate = dayOf(born)
    // Without it the invitation would ask for nothing but the link.
    if (born && !birthDate) return filled(words.invite.noDate, { date: born })
    try {
      const { invitation = {} } = await calls.make(StudyService.createInvitation, {
        invitation: { flowId: flow.value, subjectId: person, siteId: siteOf(site) },
        ...birthDate ? { birthDate } : {} })
      made.push([invitation.subjectId ?? "", site, addressOf(invitation)])
      return undefined
    } catch (problem) {
      return said(problem, words)
    }
  }
  const inviteAll = async () => {
    const refused: Record<string, string>[] = [], why: string[] = []
    const lines = parsedTable(area.value)
    const unknown = Object.keys(lines[0] ?? {})
      .filter((name) => !columns.includes(name) && lines.some((line) => line[name]))
    if (unknown.length > 0) {
      const names = unknown.map((name) => name || "?").join(", ")
      return result.replaceChildren(note("bad", filled(words.invite.noColumns, { names, columns: columns.join(",") })))
    }
    if (lines.some(({ site }) => site)) {
      ({ sites = [] } = await calls.make(StudyService.listSites, { studyId: study?.studyId ?? "", pageSize: 1000 }))
    }
    for (const [at, line] of lines.entries()) {
      result.textContent = filled(words.invite.progress, { count: String(at + 1), all: String(lines.length) })
      const refusal = await invite(line)
      if (refusal === undefined) continue
      refused.push(line)
      why.push(`${line["person"]}: ${refusal}`)
    }
    // A list of nothing but a first line may be one without the names of its columns.
    if (lines.length > 0) area.value = refused.length === 0 ? ""
      : plainTable(columns, refused.map((line) => columns.map((name) => line[name] ?? "")))
    const links = button({ class: "btn s" }, () => save("invitations.csv", "text/csv",
      writtenTable(["person", "site", "link"], made)), icon("save"), words.invite.links)
    const count = filled(words.invite.made, { count: String(made.length) })
    result.replaceChildren(note("ok", count), ...made.length > 0 ? [links] : [],
      ...why.length > 0 ? [note("bad", ...why.map((line) => make("p", {}, line)))] : [])
    close.textContent = words.dialog.done
    tell(count)
  }
  let isBusy = false
  const setBusy = (now: boolean) => {
    isBusy = close.disabled = area.readOnly = file.disabled = now
    send.ariaBusy = now ? "true" : null
  }
  body.addEventListener("submit", (event) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    void inviteAll().catch((problem) => result.replaceChildren(note("bad", said(problem, words))))
      .finally(() => setBusy(false))
  })
  dialog.append(make("h2", { id }, words.invite.manyTitle), body)
  held(dialog, () => isBusy)
  dialog.addEventListener("close", () => {
    if (isBusy) return
    dialog.remove()
    void again()
  })
  document.body.append(dialog)
  dialog.showModal()
  area.focus()
}

/** All invitations that can be used, as codes to print and to hand out. */
async function sheet(context: Context): ReturnType<Opener> {
  const { words, calls, study, address } = context
  const studyId = study?.studyId ?? ""
  const usable = (await all(async (pageToken) => {
    const page = await calls.make(StudyService.listInvitations, { studyId, pageSize: 1000, pageToken })
    return { items: page.invitations, next: page.nextPageToken }
  }, Infinity)).filter(({ state, link: path }) => state === "INVITATION_STATE_USABLE" && path)
  const { sites = [] } = await calls.make(StudyService.listSites, { studyId, pageSize: 1000 })
  const siteNames = new Map(sites.map(({ siteId, name }) => [siteId, name]))
  const codes = usable.map((each) => {
    const code = qrCode(addressOf(each))
    return make("li", {}, ...code ? [picture(code, words.invite.code)] : [],
      make("b", {}, each.subjectId || words.invite.somebody),
      make("span", { class: "dim" }, siteNames.get(each.siteId) || (each.siteId ?? "")),
        make("code", { dir: "ltr" }, addressOf(each).replace(/^https?:\/\//, "")))
  })
  return {
    title: words.invite.sheet,
    content: [make("div", { class: "stack" },
      heading(words.invite.sheet, button({ class: "btn s" }, () => filtered(address, { sheet: undefined }),
        words.dialog.back),
        button({ class: "btn s go" }, () => window.print(), words.invite.print)),
      make("p", { class: "dim" }, words.invite.sheetWhat),
      codes.length === 0 ? empty(words.invite.none, words.invite.noneWhy) : make("ul", { class: "sheet-codes" },
        ...codes))],
  }
}
