import {
  SealService, type GetSealCertificateResponse,
} from "../../../clients/typescript/src/contract/signature_v1.js"
import { make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import { refusalOf } from "../access/refusal.js"
import type { Context } from "../context.js"
import { chip, Dates, facts, note, type Tone } from "./marks.js"
import { explained } from "./refused.js"

const dayMs = 86_400_000
/** Another certificate takes weeks to get. */
const soonDays = 30

/** The certificate by which documents are sealed for the tenant, and for how many days it is good. */
export async function seal(context: Context): Promise<Node[]> {
  const { calls, words, rights } = context
  if (!rights.may(SealService.getSealCertificate)) return []
  const content = await calls.make(SealService.getSealCertificate, {}).then(
    (certificate) => told(context, certificate),
    (problem: unknown) => note("warn", ...explained(refusalOf(problem), words)))
  return [make("h2", {}, words.seal.title), content]
}

function told({ words, locale }: Context, { subject, issuer, validFrom, validUntil = "", problem }:
GetSealCertificateResponse): HTMLElement {
  const dates = new Dates(locale)
  const days = Math.floor((Date.parse(validUntil) - Date.now()) / dayMs)
  const left = new Intl.NumberFormat(locale, { style: "unit", unit: "day", unitDisplay: "long" }).format(
    Math.max(0, days))
  const tone: Tone = problem ? "bad" : days < soonDays ? "warn" : "ok"
  return make("div", { class: "panel stack" },
    make("div", { class: "row wrap" }, chip(filled(words.seal.left, { days: left }), tone)),
    ...problem ? [note("bad", words.seal.useless, " ", problem)] : [],
    facts([words.seal.subject, subject], [words.seal.issuer, issuer], [words.seal.from, dates.day(validFrom)],
      [words.seal.until, dates.day(validUntil)]))
}
