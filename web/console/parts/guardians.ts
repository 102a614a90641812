import {
  StudyService, type Guardian, type GuardianAuthority,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context } from "../context.js"
import { icon } from "../icons.js"
import { ask } from "./dialog.js"
import { Dates, panel } from "./marks.js"

const authorities = ["PARENT", "APPOINTED", "ATTORNEY"] as const

/** Who may permit for somebody in this study, and by which authority. */
export async function guardiansOf({ calls, study, rights }: Context, subjectId: string): Promise<Guardian[]> {
  if (!rights.may(StudyService.listGuardians, { study: study?.studyId })) return []
  const { guardians = [] } = await calls.make(StudyService.listGuardians, { studyId: study?.studyId ?? "", subjectId })
  return guardians
}

export function guardianPanel(context: Context, subjectId: string, guardians: readonly Guardian[]): Node[] {
  const { words, rights, study, locale, again } = context
  const mayChange = rights.may(StudyService.setGuardian, { study: study?.studyId })
  if (guardians.length === 0 && !mayChange) return []
  const dates = new Dates(locale)
  const said = (authority: GuardianAuthority | undefined) =>
    words.guardians.by[(authority ?? "").replace("GUARDIAN_AUTHORITY_", "").toLowerCase()] ?? ""
  const studyId = study?.studyId ?? ""
  const remove = (guardianId: string) => ask(context, {
    title: filled(words.guardians.removeTitle, { guardian: guardianId, person: subjectId }),
    stays: words.guardians.removeStays,
    plan: { label: words.edit.remove, method: StudyService.setGuardian, destroys: true, fields: [], done: () => again(),
      request: () => ({ studyId, subjectId, guardianId, removed: true }) },
  })
  const add = () => ask(context, {
    title: filled(words.guardians.addTitle, { person: subjectId }), sentence: words.guardians.addWhat,
    plan: {
      label: words.guardians.add, method: StudyService.setGuardian,
      fields: [
        { name: "guardianId", label: words.guardians.guardian, help: words.guardians.guardianHelp, required: true,
          attributes: { dir: "ltr" } },
        { name: "authority", label: words.guardians.authority, kind: "choice",
          options: authorities.map((each) => [`GUARDIAN_AUTHORITY_${each}`, said(`GUARDIAN_AUTHORITY_${each}`)]) },
        { name: "majorityAge", label: words.guardians.majority, help: words.guardians.majorityHelp, kind: "number",
          attributes: { min: "0", max: "30" } },
      ],
      request: (values) => {
        const authority = values.text("authority") as GuardianAuthority
        const majorityAge = authority === "GUARDIAN_AUTHORITY_PARENT" ? values.number("majorityAge") : 0
        return { studyId, subjectId, guardianId: values.text("guardianId"), authority, majorityAge }
      },
      done: () => again(),
    },
  })
  return [panel(words.guardians.title,
    ...guardians.length === 0 ? [make("p", { class: "dim" }, words.guardians.none)]
      : [make("ul", { class: "plain stack" }, ...guardians.map(({ guardianId = "", authority, registeredBy = "",
        registeredAt }) => make("li", { class: "row wrap" },
        make("span", { class: "grow" }, make("b", {}, guardianId), " ", said(authority),
          make("span", { class: "dim small block" }, `${registeredBy}, ${dates.time(registeredAt)}`)),
        ...mayChange ? [button({ class: "btn s", "aria-label": `${words.edit.remove}: ${guardianId}` },
          () => remove(guardianId), words.edit.remove)] : [])))],
    ...mayChange ? [button({ class: "btn s" }, add, icon("plus"), words.guardians.add + "…")] : [])]
}
