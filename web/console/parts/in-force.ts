import {
  DocumentService, type ConsentDocument, type StudySite,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../../elements/dom.js"
import { all } from "../access/calls.js"
import type { Context } from "../context.js"
import { files } from "./files.js"
import { table, type Column } from "./table.js"

/** How many people's consents to a version are in force at a site. */
interface Line {
  readonly document: string
  readonly version: number
  readonly site: string
  readonly count: number
}

/** What is in force by version and site; nothing while there is none. */
export async function inForce(
  context: Context, studyId: string, documents: readonly ConsentDocument[], sites: readonly StudySite[],
): Promise<HTMLElement | undefined> {
  const { calls, words, locale, rights } = context
  if (!rights.may(DocumentService.listDocumentVersions, { study: studyId })) return undefined
  const nameOf = (id: string) => id ? sites.find(({ siteId }) => siteId === id)?.name || id : words.figures.noSite
  const lines = (await Promise.all(documents.map(async ({ documentId = "", name }) => {
    const versions = await all(async (pageToken) => {
      const page = await calls.make(DocumentService.listDocumentVersions, { documentId, pageSize: 1000, pageToken })
      return { items: page.versions, next: page.nextPageToken }
    })
    const document = name || documentId
    return versions.flatMap(({ version = 0, counts }) => (counts?.inForceAt ?? [])
      .map(({ siteId = "", count = 0 }): Line => ({ document, version, site: nameOf(siteId), count })))
  }))).flat()
  if (lines.length === 0) return undefined
  const number = new Intl.NumberFormat(locale)
  const columns: Column<Line>[] = [
    { title: words.records.document, cell: ({ document }) => document },
    { title: words.records.version, cell: ({ version }) => String(version) },
    { title: words.records.site, cell: ({ site }) => site },
    { title: words.figures.people, cell: ({ count }) => number.format(count) },
  ]
  return make("section", { class: "stack" }, make("div", { class: "row wrap" },
    make("h2", { class: "grow" }, words.figures.bySite), files(context, `${studyId}-in-force`, columns, () => lines)),
  table(words.figures.bySite, columns, lines))
}
