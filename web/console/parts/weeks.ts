import { RecordService } from "../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import { all } from "../access/calls.js"
import type { Context } from "../context.js"
import { bars } from "./figures.js"
import { panel } from "./marks.js"
import { ofSites } from "./of-sites.js"

const weekCount = 12
/** More than these are not counted, and that is said. */
const most = 5000

/** How many consents were given in each of the last weeks. No call counts them, so records are read. */
export async function weeks(context: Context, studyId: string): Promise<HTMLElement | undefined> {
  const { calls, rights, words, locale } = context
  if (!rights.may(RecordService.listRecords, { study: studyId })) return undefined
  const monday = new Date()
  monday.setHours(0, 0, 0, 0)
  monday.setDate(monday.getDate() - (monday.getDay() + 6) % 7)
  const starts = Array.from({ length: weekCount }, (_, at) => {
    const start = new Date(monday)
    start.setDate(start.getDate() - 7 * (weekCount - 1 - at))
    return start
  })
  const records = await all(async (pageToken) => {
    const page = await calls.make(RecordService.listRecords, {
      ...ofSites(context, studyId), decidedFrom: starts[0]!.toISOString(), pageSize: 1000, pageToken })
    return { items: page.records, next: page.nextPageToken }
  }, most + 1)
  const given = records.slice(0, most).filter(({ state }) => state !== "RECORD_STATE_DECLINED")
  const counts = starts.map(() => 0)
  for (const { decidedAt = "" } of given) {
    // Where the clock changes, a day has 23 or 25 hours, so they are compared and not divided.
    const at = starts.filter((start) => start.getTime() <= Date.parse(decidedAt)).length - 1
    if (counts[at] !== undefined) counts[at] += 1
  }
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" })
  return panel(words.figures.weeks, make("p", { class: "dim small" }, words.figures.weeksOf),
    bars(context, starts.map((start, at) => [day.format(start), counts[at]!])),
    ...records.length > most ? [make("p", { class: "dim small" }, filled(words.figures.weeksMost, {
      count: new Intl.NumberFormat(locale).format(most) }))] : [])
}
