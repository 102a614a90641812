import { DocumentService, type ConsentRecord } from "../../../clients/typescript/src/contract/consent_v1.js"
import type { Context } from "../context.js"

/** Purposes as the people were asked who decided about them. Where no document says it: as programs know them. */
export class Purposes {
  private readonly titles = new Map<string, string>()
  private readonly versions = new Map<string, Promise<void>>()

  constructor(private readonly context: Context) {}

  /** Reads the versions of documents that these records are of, each once. */
  async read(records: readonly ConsentRecord[]): Promise<void> {
    await Promise.all(records.map(async ({ documentId, documentVersion: version, locale }) => {
      if (!documentId || !version) return
      const key = `${documentId} ${version}`
      if (!this.versions.has(key)) this.versions.set(key, this.readVersion(documentId, version, locale))
      await this.versions.get(key)
    }))
  }

  title(code: string): string {
    return this.titles.get(code) ?? code
  }

  private async readVersion(documentId: string, version: number, locale: string | undefined): Promise<void> {
    const { calls, rights, study } = this.context
    if (!rights.may(DocumentService.getDocument, { study: study?.studyId })) return
    const { version: { content } = {} } = await calls.make(DocumentService.getDocument, { documentId, version })
      // Without it, their names for programs will do.
      .catch(() => ({ version: undefined }))
    const texts = content?.texts ?? []
    const text = texts.find((each) => each.locale === locale) ?? texts[0]
    for (const { purposeCode = "", title } of text?.purposes ?? []) if (title) this.titles.set(purposeCode, title)
  }
}
