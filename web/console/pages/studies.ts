import { StudyService, type ConsentStudy } from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { callPanel } from "../parts/call.js"
import { ask } from "../parts/dialog.js"
import { files } from "../parts/files.js"
import { chip, code, Dates, empty, heading, link } from "../parts/marks.js"
import { table, type Column } from "../parts/table.js"
import { written } from "../shell/address.js"

/** The studies in which the person has a role. */
export const open: Opener = async (context) => {
  const { words, studies, rights, locale } = context
  const dates = new Dates(locale)
  const ways = rights.may(StudyService.createStudy)
    ? [button({ class: "btn s go" }, () => create(context), icon("plus"), words.studies.create)] : []
  const columns: Column<ConsentStudy>[] = [
    { title: words.studies.name, cell: ({ studyId, name }) =>
      link(written("study", studyId, { study: studyId }), make("b", {}, name || studyId || "")) },
    { title: words.studies.id, cell: ({ studyId }) => code(studyId ?? "") },
    { title: words.studies.rules, cell: ({ secondPerson, pendingChange }) => make("span", { class: "row" },
      ...secondPerson ? [chip(words.studies.two, "ok", "users")] : [],
      ...pendingChange ? [chip(words.studies.pending, "warn")] : []), isMinor: true },
    { title: words.studies.created, cell: ({ createdAt }) => dates.day(createdAt), isMinor: true },
  ]
  const list = studies.length === 0 ? empty(words.studies.none, words.studies.noneWhy)
    : table(words.nav.studies, columns, studies)
  return {
    title: words.nav.studies,
    content: [make("div", { class: "stack" }, heading(words.nav.studies,
      ...studies.length > 0 ? [files(context, "studies", columns, () => studies)] : [], ...ways), list,
      callPanel(context, () => [{ method: StudyService.listStudies, request: {} }]))],
  }
}

export function create(context: Context): void {
  const { words, go } = context
  ask(context, {
    title: words.studies.createTitle,
    plan: {
      label: words.studies.create, method: StudyService.createStudy,
      fields: [
        { name: "name", path: "study.name", label: words.studies.name, required: true },
        { name: "studyId", path: "study.studyId", label: words.studies.id, help: words.studies.idHelp,
          namedBy: "name" },
        { name: "secondPerson", label: words.studies.second, help: words.studies.secondHelp, kind: "check",
          value: "true" },
        { name: "retentionDays", path: "study.retentionDays", label: words.studies.retention,
          help: words.studies.retentionHelp, kind: "number", attributes: { min: "0" } },
      ],
      request: (values) => ({ study: {
        name: values.text("name"), studyId: values.text("studyId"), secondPerson: values.is("secondPerson"),
        retentionDays: values.number("retentionDays") } }),
      done: ({ study }) => go("study", study?.studyId, { study: study?.studyId }),
    },
  })
}
