import {
  RecordService, type ConsentDocument, type VersionCounts,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context } from "../context.js"
import { panel } from "./marks.js"

/** How many consent to a version now, and where others stop. */
export async function figures(context: Context, { documentId = "", name, publishedVersion }: ConsentDocument): Promise<
  HTMLElement | undefined> {
  const { calls, rights, study } = context
  if (!publishedVersion || !rights.may(RecordService.getVersionCounts, { study: study?.studyId })) return undefined
  // A version that was just published has none yet: then those of the one before are shown.
  for (const version of [publishedVersion, publishedVersion - 1].filter((each) => each > 0)) {
    const { counts = {} } = await calls.make(RecordService.getVersionCounts, { documentId, version })
    if (counts.started || counts.inForce) return plot(context, name || documentId, version, counts)
  }
  return undefined
}

function plot(context: Context, document: string, shown: number, counts: VersionCounts): HTMLElement {
  const { words, locale } = context
  const number = new Intl.NumberFormat(locale)
  const lines: [string, number][] = [
    [words.figures.started, counts.started ?? 0], [words.figures.completed, counts.completed ?? 0],
    [words.figures.declined, counts.declined ?? 0], [words.figures.withdrawn, counts.withdrawn ?? 0],
  ]
  const stopped = [...counts.stoppedAt ?? []].filter(({ count }) => count)
    .sort((one, other) => (other.count ?? 0) - (one.count ?? 0)).slice(0, 6)
  return panel(filled(words.figures.title, { document, version: String(shown) }),
    make("p", { class: "figure num" }, number.format(counts.inForce ?? 0), " ",
      make("span", { class: "dim" }, words.figures.inForce)),
    bars(context, lines),
    ...stopped.length > 0 ? [make("h3", {}, words.figures.stopped), bars(context, stopped
      .map(({ stepId = "", count = 0 }) => [stepId, count]), counts.started)] : [])
}

/** Bars with what they are of before them, and how many behind; the longest is the greatest, or this whole. */
export function bars({ locale }: Context, lines: readonly (readonly [string, number])[], whole = 0): HTMLElement {
  const number = new Intl.NumberFormat(locale)
  const most = Math.max(1, whole, ...lines.map(([, count]) => count))
  return make("div", { class: "bars num" }, ...lines.map(([label, count]) => make("div", {}, make("span", {}, label),
    meter(count / most), make("span", {}, number.format(count)))))
}

/** A bar as long as its part of the whole. */
function meter(part: number): SVGElement {
  const namespace = "http://www.w3.org/2000/svg"
  const drawing = document.createElementNS(namespace, "svg")
  const bar = document.createElementNS(namespace, "rect")
  for (const [name, value] of Object.entries({ viewBox: "0 0 100 14", preserveAspectRatio: "none", class: "meter",
    "aria-hidden": "true" })) drawing.setAttribute(name, value)
  for (const [name, value] of Object.entries({ width: String(100 * part), height: "14" })) bar.setAttribute(name, value)
  drawing.append(bar)
  return drawing
}
