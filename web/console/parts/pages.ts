import { DocumentService, type PagePicture } from "../../../clients/typescript/src/contract/consent_v1.js"
import { fromBase64 } from "../../bytes.js"
import { make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import { refusalOf } from "../access/refusal.js"
import type { Context } from "../context.js"
import { downloadButton } from "./download.js"
import { note } from "./marks.js"
import { explained } from "./refused.js"

/** What is to be laid out. */
interface Wanted {
  readonly documentId: string
  readonly version: number
  readonly locale: string
}

/**
 * The pages of the file that a document becomes, as they look. They are made one time after the other, each from what
 * is stored then, so nobody who types waits for them, and no more is asked for than can be seen.
 */
export class Pages {
  readonly element: HTMLElement
  private readonly sheet: HTMLElement
  private readonly file = make("div", { class: "row wrap" })
  private wanted: Wanted | undefined
  private isMaking = false
  private language = ""

  constructor(private readonly context: Context) {
    const { words } = context
    this.sheet = make("div", { class: "sheets", role: "region", "aria-label": words.edit.pages, tabindex: "0" })
    this.element = make("div", { class: "stack" }, this.file, this.sheet)
  }

  /** Shows this once what is being made is shown. */
  show(wanted: Wanted): void {
    this.wanted = wanted
    if (this.isMaking) return
    this.isMaking = true
    void this.make().catch(() => undefined).finally(() => { this.isMaking = false })
  }

  private async make(): Promise<void> {
    while (this.wanted) {
      const { wanted, context } = this
      this.wanted = undefined
      this.sheet.setAttribute("aria-busy", "true")
      try {
        const { pages = [] } = await context.calls.make(DocumentService.previewDocumentCopy,
          { ...wanted, asPictures: true })
        this.sheet.replaceChildren(...pages.map((page, index) => this.picture(page, index + 1)))
        this.offer(wanted)
      } catch (problem) {
        // A draft that is not complete enough is no file yet, and the reason is the server's.
        this.sheet.replaceChildren(note("warn", ...explained(refusalOf(problem), context.words)))
      }
      this.sheet.removeAttribute("aria-busy")
    }
  }

  private picture({ picture = "", text = "", width = 0, height = 0 }: PagePicture, number: number): HTMLElement {
    const label = filled(this.context.words.edit.page, { number: String(number) })
    const image = make("img", { alt: `${label}: ${text.trim()}`, width: String(width), height: String(height) })
    image.addEventListener("load", () => URL.revokeObjectURL(image.src))
    image.src = URL.createObjectURL(new Blob([fromBase64(picture)], { type: "image/jpeg" }))
    return image
  }

  /** The file itself, to open or to hand to somebody. */
  private offer({ documentId, version, locale }: Wanted): void {
    if (locale === this.language) return
    this.language = locale
    this.file.replaceChildren(downloadButton(this.context, {
      label: this.context.words.edit.file, icon: "file", isShown: true, method: DocumentService.previewDocumentCopy,
      request: { documentId, version, locale }, name: `${documentId}-${version}.pdf` }))
  }
}
