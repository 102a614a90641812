import { AccountAdminService, type AccountDevice } from "../../../clients/typescript/src/contract/account_v1.js"
import { RecordService } from "../../../clients/typescript/src/contract/consent_v1.js"
import { SignatureService } from "../../../clients/typescript/src/contract/signature_v1.js"
import type { StatusError } from "../../../clients/typescript/src/status.js"
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
  // An installation may have no service for accounts. Of one that does not answer, the check's findings tell.
  const waiting = await all(async (pageToken) => {
    const page = await calls.make(AccountAdminService.listDevices, { waiting: true, pageSize: 1000, pageToken })
    return { items: page.devices, next: page.nextPageToken }
  }).catch((problem) => { refusalOf(problem); return [] })
  const [first] = waiting
  if (!first) return []
  const names = waiting.map(({ deviceId = "", name }) => name || deviceId)
  return [{
    tone: "warn", icon: "lock", title: counted(context, waiting.length, words.home.device, words.home.devices),
    sentence: waiting.length === 1 ? `${names[0]}: ${waitingSentences(context, first).join("; ")}`
      : names.slice(0, 3).join(", ") + (names.length > 3 ? " …" : ""),
    step: words.home.show, href: written("staff"),
  }]
}

/** A sentence for each person whose work waits on a device: what helps. */
export function waitingSentences({ words }: Context, { waiting: work = [] }: AccountDevice): string[] {
  return work.map(({ personId = "", step = "" }) =>
    filled(words.staff.waits[step.replace("BLOCKED_STEP_", "").toLowerCase()] ?? "{person}", { person: personId }))
}

/** What the services' own check has found wrong with the tenant's data. */
export const findings: Source = async (context): Promise<Need[]> => {
  const { words } = context, check = await asked(context)
  if (!check) return []
  const go = { step: words.home.show, href: written("integrations") }, { problems, silent } = check
  return [
    ...problems.length === 0 ? [] : [{
      tone: "bad" as const, icon: "shield" as const, ...go, sentence: words.home.findingWhy,
      title: words.home.finding,
    }],
    ...silent.length === 0 ? [] : [{
      tone: "warn" as const, icon: "shield" as const, ...go, title: words.check.title,
      sentence: unasked(context, silent).join(" "),
    }],
  ]
}

/** The same as a part of a page; nothing for whoever may not know. */
export async function dataCheck(context: Context): Promise<Node[]> {
  const { words } = context, check = await asked(context)
  if (!check) return []
  const { problems, silent } = check
  return [make("h2", {}, words.check.title), make("div", { class: "panel stack" },
    make("p", { class: "dim" }, words.check.what),
    ...unasked(context, silent).map((sentence) => note("warn", sentence)),
    ...problems.length > 0 ? [note("bad", words.home.findingWhy), make("ul", { dir: "ltr", lang: "en" },
      ...problems.map((each) => make("li", { class: "wraps" }, each)))]
      : silent.length === 0 ? [make("div", { class: "row wrap" }, chip(words.check.well, "ok"))] : [])]
}

function unasked({ words }: Context, silent: readonly string[]): string[] {
  return silent.map((service) => filled(words.check.unasked, { service }))
}

/**
 * The problems, and the services that did not answer; undefined for whoever may not know. A service that the
 * installation does not have has no data.
 */
async function asked({ calls, rights }: Context): Promise<{ problems: string[], silent: string[] } | undefined> {
  if (!rights.may(RecordService.getConsentFindings)) return undefined
  const services = {
    ConsentService: calls.make(RecordService.getConsentFindings, {}),
    SignatureService: calls.make(SignatureService.getSignatureFindings, {}),
    AccountService: calls.make(AccountAdminService.getAccountFindings, {}),
  }
  const problems: string[] = [], silent: string[] = []
  await Promise.all(Object.entries(services).map(async ([service, answer]) => {
    try {
      problems.push(...(await answer).problems ?? [])
    } catch (problem) {
      refusalOf(problem)
      if ((problem as StatusError).code !== "unimplemented") silent.push(service)
    }
  }))
  return { problems, silent }
}
