import {
  AccountAdminService, SignInService, type AccountEntry,
} from "../../../clients/typescript/src/contract/account_v1.js"
import {
  DocumentService, StudyService, type ConsentStudy, type StudySite,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import { all } from "../access/calls.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { calling } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { ask } from "../parts/dialog.js"
import { dossier } from "../parts/dossier.js"
import { figures } from "../parts/figures.js"
import { files } from "../parts/files.js"
import { form } from "../parts/form.js"
import { inForce } from "../parts/in-force.js"
import { code, Dates, facts, heading, note, panel } from "../parts/marks.js"
import { table, type Column } from "../parts/table.js"
import { weeks } from "../parts/weeks.js"

/** A study: its rules, its sites, who may what in it, and its figures. */
export const open: Opener = async (context) => {
  const { address, calls, words, rights } = context
  const { study = {} } = await calls.make(StudyService.getStudy, { studyId: address.id })
  const place = { study: study.studyId }
  const mayChange = rights.may(StudyService.updateStudy, place)
  const [{ sites = [] }, accounts, { documents = [] }, { verifierKey: own = "" }] = await Promise.all([
    rights.may(StudyService.listSites, place)
      ? calls.make(StudyService.listSites, { studyId: address.id, pageSize: 1000 }) : { sites: [] },
    rights.may(AccountAdminService.listAccounts) ? all(async (pageToken) => {
      const page = await calls.make(AccountAdminService.listAccounts, { pageSize: 1000, pageToken })
      return { items: page.accounts, next: page.nextPageToken }
    }) : [],
    rights.may(DocumentService.listDocuments, place)
      ? calls.make(DocumentService.listDocuments, { studyId: address.id, pageSize: 1000 }) : { documents: [] },
    mayChange ? calls.make(SignInService.getTokenKeys, {}) : { verifierKey: "" }])
  const plots = await Promise.all(documents.slice(0, 6).map((each) => figures({ ...context, study }, each)))
  const side = make("div", { class: "stack" }, ...plots.filter((each): each is HTMLElement => !!each))
  const bySite = await inForce(context, address.id, documents, sites)
  // What is read record by record comes when it comes.
  void weeks({ ...context, study }, address.id).then((panel) => panel && side.append(panel), () => undefined)
  return {
    title: study.name || address.id,
    content: [make("div", { class: "stack" },
      heading(study.name || address.id, ...dossier(context, address.id)), make("p", {}, code(address.id)),
      ...pending(context, study),
      make("div", { class: "cols" },
        make("div", { class: "stack" },
          mayChange ? panel(words.study.settings, settings(context, study, own)) : panel(words.study.settings,
            told(context, study)),
          siteList(context, address.id, sites), ...bySite ? [bySite] : [], roles(context, address.id, accounts)),
        side),
      callPanel(context, () => [{ method: StudyService.getStudy, request: { studyId: address.id } }]))],
  }
}

function pending(context: Context, study: ConsentStudy): Node[] {
  const { words, locale, person, rights, again } = context
  const { pendingChange: change } = study
  if (!change) return []
  const isMine = change.askedBy === person.id
  // The second person asks for the same, with the values that wait.
  const wanted: ConsentStudy = { ...study, ...change.fields?.includes("second_person") ? { secondPerson: false } : {},
    ...change.fields?.includes("device_time_needs_attention") ? { deviceTimeNeedsAttention: false } : {},
    ...change.fields?.includes("retention_days") ? { retentionDays: change.retentionDays ?? 0 } : {},
    ...change.fields?.includes("verifiers") ? { verifiers: change.verifiers ?? [] } : {},
    ...change.fields?.includes("authentication_max_age") && change.authenticationMaxAge
      ? { authenticationMaxAge: change.authenticationMaxAge } : {} }
  const approve = () => calling(context, { class: "btn s" }, StudyService.updateStudy, { study: wanted }, again,
    words.study.approve)
  return [note("warn", make("p", {}, filled(isMine ? words.study.waitsMine : words.study.waits, {
    person: change.askedBy ?? "", time: new Dates(locale).time(change.askedAt),
      fields: (change.fields ?? []).join(", ") })),
  ...!isMine && rights.may(StudyService.updateStudy, { study: study.studyId }) ? [approve()] : [])]
}

function told({ words }: Context, study: ConsentStudy): HTMLElement {
  const yes = (value: boolean | undefined) => value ? words.person.yes : words.person.no
  return facts([words.studies.second, yes(study.secondPerson)],
    [words.studies.retention, study.retentionDays ? String(study.retentionDays) : words.study.never],
    [words.study.unfinished, study.unfinishedAfterDays ? String(study.unfinishedAfterDays) : ""],
    [words.study.deviceTime, yes(study.deviceTimeNeedsAttention)],
    [words.study.verifiers, (study.verifiers ?? []).map(({ verifierId }) => verifierId).join(", ")],
    [words.study.maxAge, String(minutes(study))])
}

/** How long a proof of who signs counts; where nothing is stated, five minutes. */
function minutes({ authenticationMaxAge }: ConsentStudy): number {
  return parseFloat(authenticationMaxAge ?? "300s") / 60
}

/** @param own - the key by which accounts of this installation vouch for who signs */
function settings(context: Context, study: ConsentStudy, own: string): HTMLElement {
  const { words, tell, again } = context
  // Marks show the key in its order where people read from right to left, and may be copied with it.
  const verifier = (line: string) => {
    const [verifierId = "", publicKey = ""] = line.replace(/[\u2066\u2069]/g, "").trim().split(/\s+/)
    return { verifierId, publicKey }
  }
  return form(context, {
    label: words.study.save, method: StudyService.updateStudy,
    fields: [
      { name: "name", path: "study.name", label: words.studies.name, value: study.name, required: true },
      { name: "secondPerson", label: words.studies.second, help: words.studies.secondHelp, kind: "check",
        value: String(study.secondPerson ?? false) },
      { name: "retentionDays", path: "study.retentionDays", label: words.studies.retention,
        help: words.studies.retentionHelp, kind: "number", value: String(study.retentionDays ?? 0),
          attributes: { min: "0" } },
      { name: "unfinishedAfterDays", path: "study.unfinishedAfterDays", label: words.study.unfinished, kind: "number",
        value: String(study.unfinishedAfterDays ?? 0), attributes: { min: "0", max: "365" }, isRare: true },
      { name: "deviceTime", path: "study.deviceTimeNeedsAttention", label: words.study.deviceTime, kind: "check",
        value: String(study.deviceTimeNeedsAttention ?? false), isRare: true },
      { name: "verifiers", path: "study.verifiers", label: words.study.verifiers, kind: "area",
        help: filled(words.study.verifiersHelp, { line: `\u2066account ${own}\u2069` }), attributes: { dir: "ltr" },
        value: (study.verifiers ?? []).map(({ verifierId, publicKey }) => `${verifierId} ${publicKey}`).join("\n"),
        isRare: true },
      { name: "maxAge", path: "study.authenticationMaxAge", label: words.study.maxAge, kind: "number",
        value: String(minutes(study)), attributes: { min: "0", step: "any" }, isRare: true },
    ],
    request: (values) => ({ study: {
      ...study, name: values.text("name"), secondPerson: values.is("secondPerson"),
      retentionDays: values.number("retentionDays"), unfinishedAfterDays: values.number("unfinishedAfterDays"),
      deviceTimeNeedsAttention: values.is("deviceTime"),
      verifiers: values.text("verifiers").split("\n").filter(Boolean).map(verifier),
      authenticationMaxAge: `${Math.round(values.number("maxAge") * 60)}s` } }),
    done: ({ study: stored }) => {
      tell(stored?.pendingChange ? words.study.asked : words.study.saved)
      return again()
    },
  })
}

function siteList(context: Context, studyId: string, sites: readonly StudySite[]): HTMLElement {
  const { words, rights, again } = context
  const edit = (site?: StudySite) => ask(context, {
    title: site ? words.study.siteEdit : words.study.siteNew,
    plan: {
      label: words.study.save, method: site ? StudyService.updateSite : StudyService.createSite,
      fields: [
        { name: "name", path: "site.name", label: words.studies.name, value: site?.name, required: true },
        ...site ? [] : [{ name: "siteId", path: "site.siteId", label: words.studies.id, help: words.studies.idHelp,
          namedBy: "name" }],
      ],
      request: (values) => ({ site: { studyId, siteId: site?.siteId ?? values.text("siteId"),
        name: values.text("name") } }),
      done: again,
    },
  })
  const mayAdd = rights.may(StudyService.createSite, { study: studyId })
  return panel(words.study.sites, ...sites.length === 0 ? [make("p", { class: "dim" }, words.study.noSites)]
    : [make("ul", { class: "plain stack" }, ...sites.map((site) => make("li", { class: "row" },
      make("span", { class: "grow" }, make("b", {}, site.name || site.siteId || ""), " ", code(site.siteId ?? "")),
      ...rights.may(StudyService.updateSite, { study: studyId })
        ? [button({ class: "btn s", "aria-label": `${words.study.change}: ${site.name}` }, () => edit(site),
          words.study.change)] : [])))],
  ...mayAdd ? [button({ class: "btn s" }, () => edit(), icon("plus"), words.study.siteNew)] : [])
}

/** Who may what here: a row for each person and role. */
function roles(context: Context, studyId: string, accounts: readonly AccountEntry[]): HTMLElement {
  const { words, rights } = context
  const mayGrant = rights.may(AccountAdminService.grantRole, { study: studyId })
  const here = accounts.flatMap(({ personId = "", title = "", roles: granted = [] }) => granted
    .filter((grant) => grant.endsWith("@*") || grant.split("@")[1]?.split("/")[0] === studyId)
    .map((grant) => ({ personId, title, grant })))
  const columns: Column<{ personId: string, title: string, grant: string }>[] = [
    { title: words.study.person, cell: ({ personId, title }) => make("span", {}, make("b", {}, title || personId), " ",
      make("span", { class: "dim" }, personId)) },
    { title: words.study.role, cell: ({ grant }) => words.roles[grant.split("@")[0] ?? ""] ?? grant },
    { title: words.study.where, cell: ({ grant }) => {
      const where = grant.split("@")[1] ?? ""
      return where === "*" ? words.study.everywhere : where.split("/")[1] ?? words.study.wholeStudy
    } },
    { title: words.staff.acts, isActs: true, cell: ({ personId, grant }) => mayGrant && !grant.endsWith("@*")
      ? button({ class: "btn bare s", "aria-label": `${words.study.revoke}: ${personId} ${grant}` },
        () => revoke(context, personId, grant), words.study.revoke) : "" },
  ]
  const content = here.length === 0 ? [make("p", { class: "dim" },
    mayGrant ? words.study.rolesUnread : words.study.noRoles)]
    : [table(words.study.roles, columns, here)]
  // Whoever looks for the dossier and may not take it along learns who may.
  const taking = mayGrant && dossier(context, studyId).length === 0
    ? [make("p", { class: "dim small" }, filled(words.study.dossierBy, { role: words.roles["inspector"] ?? "" }))] : []
  return panel(words.study.roles, ...content, ...taking, make("div", { class: "row wrap" },
    ...here.length > 0 ? [files(context, `${studyId}-roles`, columns, () => here)] : [],
    ...mayGrant ? [button({ class: "btn s" }, () => grant(context, studyId), icon("plus"), words.study.grant)] : []))
}

export function grant(context: Context, studyId: string, personId = ""): void {
  const { words, again } = context
  const roles = ["coordinator", "investigator", "witness", "publisher", "inspector", "admin"]
  ask(context, {
    title: words.study.grantTitle,
    plan: {
      label: words.study.grant, method: AccountAdminService.grantRole,
      fields: [
        { name: "personId", label: words.study.personId, value: personId, required: true },
        { name: "role", label: words.study.role, kind: "choice",
          options: roles.map((role) => [role, `${words.roles[role]}: ${words.study.does[role]}`] as const) },
        { name: "where", label: words.study.where, help: words.study.whereHelp, value: studyId, required: true },
      ],
      request: (values) => ({ personId: values.text("personId"),
        role: `${values.text("role")}@${values.text("where")}` }),
      done: () => again(),
    },
  })
}

export function revoke(context: Context, personId: string, role: string): void {
  const { words, again } = context
  ask(context, {
    title: filled(words.study.revokeTitle, { person: personId, role }), sentence: words.study.revokeWhat,
    plan: {
      label: words.study.revoke, method: AccountAdminService.revokeRole, destroys: true, fields: [],
      request: () => ({ personId, role }), done: () => again(),
    },
  })
}
