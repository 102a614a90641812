import { AccountAdminService, type AccountDevice } from "../../../clients/typescript/src/contract/account_v1.js"
import { RecordService } from "../../../clients/typescript/src/contract/consent_v1.js"
import { SignatureService } from "../../../clients/typescript/src/contract/signature_v1.js"
import { make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import { all } from "../access/calls.js"
import { refusalOf } from "../access/refusal.js"
import type { Context } from "../context.js"
import { written } from "../shell/address.js"
import { chip, counted, note } from "./marks.js"
import type { Need, Source } from "./needs.js"

/** Devices on which somebody's work waits until somebody acts. */
export const devices: Source = async (context) => {
  const { calls, words, rights } = context
  if (!rights.may(AccountAdminService.listDevices)) return []
  // An installation may have no service for accounts.
  const found = await all(async (pageToken) => {
    const page = await calls.make(AccountAdminService.listDevices, { waiting: true, pageSize: 1000, pageToken })
    return { items: page.devices, next: page.nextPageToken }
  }).catch((problem) => { refusalOf(problem); return [] })
  const [first] = found
  if (!first) return []
  const names = found.map(({ deviceId = "", name }) => name || deviceId)
  return [{
    tone: "warn", icon: "lock", title: counted(context, found.length, words.home.device, words.home.devices),
    sentence: found.length === 1 ? `${names[0]}: ${waiting(context, first).join(" ")}`
      : names.slice(0, 3).join(", ") + (names.length > 3 ? " …" : ""),
    step: words.home.show, href: written("staff"),
  }]
}

/** A sentence for each person whose work waits on a device: what helps. */
export function waiting({ words }: Context, { waiting: work = [] }: AccountDevice): string[] {
  return work.map(({ personId = "", step = "" }) =>
    filled(words.staff.waits[step.replace("BLOCKED_STEP_", "").toLowerCase()] ?? "{person}", { person: personId }))
}

/** What the services' own check has found wrong with the tenant's data. */
export const findings: Source = async (context): Promise<Need[]> => {
  const { words } = context
  const problems = await found(context)
  if (!problems || problems.length === 0) return []
  return [{
    tone: "bad", icon: "shield", title: counted(context, problems.length, words.home.finding, words.home.findings),
    sentence: words.home.findingWhy, step: words.home.show, href: written("integrations"),
  }]
}

/** The same as a part of a page; nothing for whoever may not know. */
export async function dataCheck(context: Context): Promise<Node[]> {
  const { words } = context
  const problems = await found(context)
  if (!problems) return []
  return [make("h2", {}, words.check.title), make("div", { class: "panel stack" },
    make("p", { class: "dim" }, words.check.what),
    ...problems.length === 0 ? [make("div", { class: "row wrap" }, chip(words.check.well, "ok"))]
      : [note("bad", words.home.findingWhy), make("ul", { dir: "ltr", lang: "en" },
        ...problems.map((each) => make("li", { class: "wraps" }, each)))])]
}

/** undefined for whoever may not know. A service that cannot be asked tells of nothing. */
async function found({ calls, rights }: Context): Promise<string[] | undefined> {
  if (!rights.may(RecordService.getConsentFindings)) return undefined
  const answers = await Promise.all([
    calls.make(RecordService.getConsentFindings, {}), calls.make(SignatureService.getSignatureFindings, {}),
    calls.make(AccountAdminService.getAccountFindings, {}),
  ].map((asked) => asked.catch((problem): { problems?: string[] } => { refusalOf(problem); return {} })))
  return answers.flatMap(({ problems = [] }) => problems)
}
