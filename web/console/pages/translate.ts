import {
  DocumentService, type ConsentDocument, type DocumentContent, type DocumentText, type DocumentVersion,
  type PendingTranslation, type Problem,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make, set } from "../../elements/dom.js"
import { formWords, type FormWords } from "../../words/forms/words.js"
import { fetched, filled } from "../../words/language.js"
import type { Context, Opener } from "../context.js"
import { control } from "../forms/control.js"
import { sectionParts, topics } from "../forms/document.js"
import { leaves, pathOf, said, type Leaf } from "../forms/leaves.js"
import { entries, entry, nameOf, put, root, within, type Message } from "../forms/spot.js"
import { icon } from "../icons.js"
import { act } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { compared } from "../parts/compare.js"
import { Draft } from "../parts/draft.js"
import { chip, empty, heading, languageName, note } from "../parts/marks.js"
import { filtered, written } from "../shell/address.js"

/** The texts of a document in two languages, side by side, with what has changed in the source since. */
export const open: Opener = async (context) => {
  const { address, calls, words, locale } = context
  const documentId = address.id
  const get = (version: number) => calls.make(DocumentService.getDocument, { documentId, version })
  const { document = {}, version: first } = await get(0)
  const version = document.draftVersion ? (await get(document.draftVersion)).version : first
  const published = document.publishedVersion ? (await get(document.publishedVersion)).version : undefined
  const back = make("a", { class: "btn s", href: written("document", documentId, { study: document.studyId }) },
    words.edit.back)
  const name = document.name || documentId
  if (!version?.content) return { title: name,
    content: [heading(name), empty(words.edit.none, words.edit.noneWhy, back)] }
  const { words: forms } = await fetched(locale, formWords)
  const page = new Translating(context, forms, document, version, published?.content ?? {})
  return {
    title: name, left: () => page.draft?.leave(),
    content: [make("div", { class: "stack" }, heading(page.title, back), page.element,
      callPanel(context, () => [{ method: DocumentService.setDocumentTranslation, request: page.request() }]))],
  }
}

class Translating {
  readonly element = make("div", { class: "stack" })
  readonly draft: Draft | undefined
  readonly title: string
  private readonly held: { message: Message }
  private readonly content
  private readonly source: string
  private readonly target: string
  private readonly earlier = new Map<string, string>()
  private readonly errors = new Map<string, HTMLElement>()
  private readonly progress = make("p", { class: "dim", role: "status" })
  private readonly rows: { readonly leaf: Leaf, readonly mark: HTMLElement, readonly row: HTMLElement }[] = []
  private readonly pending: PendingTranslation | undefined
  private isShort = false

  constructor(
    private readonly context: Context, private readonly words: FormWords, private readonly document: ConsentDocument,
    private readonly version: DocumentVersion, earlier: DocumentContent,
  ) {
    const { address, words: common } = context
    this.held = { message: version.content as Message }
    this.content = root(this.held)
    this.source = version.content?.defaultLocale || version.content?.texts?.[0]?.locale || "en"
    const others = this.locales.filter((each) => each !== this.source)
    this.target = address.query["to"] || others[0] || ""
    this.title = this.target ? filled(common.translate.titleOf, {
      document: document.name || document.documentId || "", language: this.called(this.target) })
      : document.name || document.documentId || ""
    this.pending = version.pendingTranslations?.find(({ text }) => text?.locale === this.target)
    if (this.pending?.text) entry(this.content, "texts", "locale", this.target).set(this.pending.text as Message)
    const before = root({ message: earlier as Message })
    for (const { part, source, target } of this.leaves(before)) {
      for (const spot of [source, target]) this.earlier.set(pathOf(spot, part), said(spot, part))
    }
    if (document.draftVersion) {
      this.draft = new Draft(context, version.revision ?? 0, (expectedRevision) => {
        const request = { documentId: document.documentId ?? "", expectedRevision,
          content: this.held.message as DocumentContent }
        return (key) => context.calls.make(DocumentService.updateDocumentDraft, request, key)
      }, (problems) => this.judge(problems))
    }
    this.draw()
  }

  /** The language alone, which needs no draft. */
  request() {
    const text = entry(this.content, "texts", "locale", this.target).get() as DocumentText
    return { documentId: this.document.documentId ?? "", version: this.version.version ?? 0, text }
  }

  private get locales(): string[] {
    return entries(this.content, "texts").map((text) => nameOf(text, "locale"))
  }

  /** What is published stays as it is, and what waits for a second person; and all, for whoever may not write. */
  private get isFixed(): boolean {
    const { rights } = this.context
    return !this.target || !!this.pending
      || !rights.may(DocumentService.setDocumentTranslation, { study: this.document.studyId })
      || (!this.draft && !!this.version.localeHashes?.some(({ locale }) => locale === this.target))
  }

  private called(tag: string): string {
    return languageName(tag, this.context.locale)
  }

  private leaves(content: typeof this.content): Leaf[] {
    const settings = within(content, "settings")
    const text = (locale: string) => entry(content, "texts", "locale", locale)
    const pair = { spot: settings, source: text(this.source), target: text(this.target) }
    const sections = entries(settings, "sections").flatMap((section) => {
      const id = nameOf(section, "id")
      const inside = (of: typeof settings) => entry(of, "sections", "sectionId", id)
      const own = inside(pair.source).get()
      return leaves(this.words, sectionParts(own), {
        spot: entry(settings, "sections", "id", id), source: inside(pair.source), target: inside(pair.target),
      }, String(own["title"] || own["formalTitle"] || id))
    })
    const others = Object.entries(topics).flatMap(([topic, parts]) =>
      leaves(this.words, parts, pair, this.words.topics[topic as keyof typeof topics]))
    return [...sections, ...others]
  }

  private draw(): void {
    const { context, draft } = this
    const { words, address, rights } = context
    const others = [...new Set([this.target, ...this.locales.filter((each) => each !== this.source)])].filter(Boolean)
    const choice = make("select", { class: "in s", "aria-label": words.documents.language },
      ...others.map((each) => make("option", { value: each }, this.called(each))))
    choice.value = this.target
    choice.addEventListener("change", () => filtered(address, { to: choice.value }))
    const short = button({ class: "btn s", "aria-pressed": "false" }, () => {
      this.isShort = !this.isShort
      set(short, { "aria-pressed": String(this.isShort) })
      this.mark()
    }, words.translate.short)
    const mayAdd = rights.may(DocumentService.setDocumentTranslation, { study: this.document.studyId })
    const list = make("div", { class: "pairs" })
    this.element.replaceChildren(
      make("div", { class: "row wrap" }, ...others.length > 0 ? [choice, short] : [], ...mayAdd ? [this.adding()] : [],
        ...draft ? [draft.status] : this.publishing(mayAdd)), ...draft ? [draft.fault] : [],
      ...this.target ? [this.progress, list] : [empty(words.translate.none, words.translate.noneWhy)])
    if (!this.target) return
    for (const leaf of this.leaves(this.content)) {
      if (!said(leaf.source, leaf.part) && !said(leaf.target, leaf.part)) continue
      const mark = make("span"), row = this.row(leaf, mark)
      this.rows.push({ leaf, mark, row })
      list.append(row)
    }
    this.mark()
  }

  /** Another language: nothing is stored before something is written in it. */
  private adding(): HTMLElement {
    const { words, address } = this.context
    const tag = make("input", { class: "in s", dir: "ltr", autocomplete: "off", placeholder: "de-AT", required: true,
      "aria-label": words.translate.tag })
    const form = make("form", { class: "row" }, tag,
      make("button", { class: "btn s" }, icon("plus"), words.translate.add))
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      filtered(address, { to: tag.value.trim() })
    })
    return form
  }

  /** A published version gets the language at once, or by a second person's act. */
  private publishing(mayAdd: boolean): Node[] {
    const { context, pending } = this
    const { words, person, tell, again, calls } = context
    const isMine = pending?.askedBy === person.id
    const notes = !pending ? [] : [note("warn", isMine ? words.document.waitsMine
      : filled(words.document.waitsOther, { person: pending.askedBy ?? "" }))]
    if (!mayAdd || (this.isFixed && !pending) || isMine) return notes
    return [...notes, act(context, { class: "btn s go" }, async () => {
      const { version } = await calls.make(DocumentService.setDocumentTranslation, this.request())
      const waits = version?.pendingTranslations?.some(({ text }) => text?.locale === this.target)
      tell(waits ? words.document.waits : words.document.isPublished)
      await again()
    }, pending ? words.document.approve : words.translate.publish)]
  }

  private row(leaf: Leaf, mark: HTMLElement): HTMLElement {
    const { where, label, part, source, target } = leaf
    const path = pathOf(target, part)
    const field = control(part, target.get(), this.target, this.words, (value) => {
      target.set(put(target.get(), part.key, value))
      this.draft?.changed()
      this.mark()
    })
    const error = make("p", { class: "err", id: `${path}-e`, hidden: true })
    set(field, { id: path, "aria-label": `${where}: ${label}`, "aria-describedby": `${path}-s ${path}-e`,
      disabled: this.isFixed })
    this.errors.set(path, error)
    const before = this.earlier.get(pathOf(source, part)), now = said(source, part)
    return make("div", { class: "pair" },
      make("div", {}, make("p", { class: "small" }, make("b", {}, where), " ", make("span", { class: "dim" }, label),
        " ", mark), make("p", { class: "said", id: `${path}-s`, lang: this.source, dir: "auto" },
        ...before && before !== now && this.isStale(leaf) ? compared(before, now, this.source) : [now])),
      make("div", {}, field, error))
  }

  /** The source is another one than in the published version, and the translation is still that of it. */
  private isStale({ part, source, target }: Leaf): boolean {
    const before = this.earlier.get(pathOf(source, part))
    const then = this.earlier.get(pathOf(target, part))
    return !!before && !!then && before !== said(source, part) && then === said(target, part)
  }

  /** Says at each text, and of all, what needs work. */
  private mark(): void {
    const { words } = this.context
    let missing = 0, stale = 0
    for (const { leaf, mark, row } of this.rows) {
      const isMissing = !!said(leaf.source, leaf.part) && !said(leaf.target, leaf.part)
      const isStale = this.isStale(leaf)
      missing += Number(isMissing)
      stale += Number(isStale)
      mark.replaceChildren(...isMissing ? [chip(words.translate.missing, "bad")] : isStale ? [chip(filled(
        words.translate.changed, { version: String(this.document.publishedVersion) }), "warn")] : [])
      row.hidden = this.isShort && !isMissing && !isStale && !row.contains(document.activeElement)
    }
    const all = this.rows.length
    this.progress.textContent = filled(words.translate.progress, {
      done: String(all - missing), all: String(all), changed: String(stale), missing: String(missing) })
  }

  private judge(problems: readonly Problem[]): void {
    for (const [path, error] of this.errors) {
      const found = problems.find(({ field = "" }) => field === path)
      error.hidden = !found
      error.textContent = found?.message?.replace(/^[a-z_]+: /, "") ?? ""
    }
  }
}
