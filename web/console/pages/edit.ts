import {
  DocumentService, type DocumentContent, type Problem, type SectionType,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { formWords, type FormWords } from "../../words/forms/words.js"
import { fetched } from "../../words/language.js"
import type { Context, Opener } from "../context.js"
import { Assets } from "../forms/assets.js"
import { bodies, bodyOf, sectionParts, topicOf, topics, type Body, type Topic } from "../forms/document.js"
import { focusOn, free, saying, Sheet, type Sides } from "../forms/sheet.js"
import { entries, entry, nameOf, put, root, within, type Message } from "../forms/spot.js"
import { icon } from "../icons.js"
import { callPanel } from "../parts/call.js"
import { Draft } from "../parts/draft.js"
import { chip, counted, empty, heading, note } from "../parts/marks.js"
import { Pages } from "../parts/pages.js"
import { Preview } from "../parts/preview.js"
import { said } from "../parts/refused.js"
import { Sections } from "../parts/sections.js"
import { written } from "../shell/address.js"

const types = [
  "overview", "data_gathering", "privacy", "data_use", "time_commitment", "study_survey", "study_tasks", "withdrawing",
  "custom", "only_in_document"]

/** A draft: its sections, and all else that a document states, as forms; and how it looks. */
export const open: Opener = async (context) => {
  const { address, calls, words, locale, rights } = context
  const documentId = address.id
  const { document = {} } = await calls.make(DocumentService.getDocument, { documentId })
  const query = { study: document.studyId }
  const back = make("a", { class: "btn s", href: written("document", documentId, query) }, words.edit.back)
  if (!document.draftVersion) return { title: words.edit.title,
    content: [heading(words.edit.title), empty(words.edit.none, words.edit.noneWhy, back)] }
  const { version } = await calls.make(DocumentService.getDocument, { documentId, version: document.draftVersion })
  const { problems = [] } = rights.may(DocumentService.validateDocument, query)
    ? await calls.make(DocumentService.validateDocument, { documentId }) : {}
  const { words: forms } = await fetched(locale, formWords)
  const editor = new Editor(context, forms, documentId, document.draftVersion, version?.revision ?? 0,
    version?.content ?? {}, problems, rights.may(DocumentService.updateDocumentDraft, query))
  const translations = make("a", { class: "btn s", href: written("translate", documentId, query) },
    words.translate.title)
  return {
    title: document.name || documentId, left: editor.draft.leave,
    content: [make("div", { class: "stack" }, heading(document.name || documentId, translations, back), editor.element,
      callPanel(context, () => [{ method: DocumentService.updateDocumentDraft, request: editor.request() }]))],
  }
}

class Editor {
  readonly element = make("div", { class: "stack" })
  readonly draft: Draft
  private locale: string
  /** What is shown: a section by its name, or a topic. */
  private shown: { section: string } | { topic: Topic }
  private sheet: Sheet | undefined
  private readonly held: { message: Message }
  private readonly content
  private readonly settings
  private readonly panel = make("fieldset", { class: "panel stack plain-set" })
  private readonly side = make("div", { class: "stack choosing" })
  private readonly rest = make("div")
  /** Whether it may be published as it is. */
  private readonly verdict = make("span")
  private readonly preview: Preview
  private readonly pages: Pages
  /** The revision and the language that are shown as pages, or are being laid out. */
  private laid = ""
  /** How sections are written that say nothing yet. */
  private readonly ways = new Map<string, Body>()
  private readonly sections: Sections
  private readonly assets: Assets

  constructor(
    private readonly context: Context, private readonly words: FormWords, private readonly documentId: string,
    private readonly version: number, revision: number, content: DocumentContent, private problems: readonly Problem[],
    private readonly mayEdit: boolean,
  ) {
    this.held = { message: content as Message }
    this.content = root(this.held)
    this.settings = within(this.content, "settings")
    this.locale = content.defaultLocale || content.texts?.[0]?.locale || "en"
    const [first] = content.settings?.sections ?? []
    this.shown = first?.id ? { section: first.id } : { topic: "document" }
    this.draft = new Draft(context, revision, (expectedRevision) => {
      const request = this.request(expectedRevision)
      return (key) => context.calls.make(DocumentService.updateDocumentDraft, request, key)
    }, (found) => {
      this.problems = found
      this.judge()
      void this.look()
    })
    this.assets = new Assets(context.calls, (problem) => context.tell(said(problem, context.words)))
    this.preview = new Preview(context)
    this.pages = new Pages(context)
    this.panel.disabled = !mayEdit
    this.sections = new Sections(context.words, {
      choose: (id) => this.show({ section: id }, "card"), move: (from, to) => this.move(from, to) })
    this.lay()
    this.draw()
    void this.look()
  }

  request(expectedRevision = this.draft.revision) {
    return { documentId: this.documentId, expectedRevision, content: this.held.message as DocumentContent }
  }

  private get sides(): Sides {
    const text = (locale: string) => entry(this.content, "texts", "locale", locale)
    return {
      spot: this.settings, text: text(this.locale),
      all: entries(this.content, "texts").map((each) => text(nameOf(each, "locale"))),
    }
  }

  private lay(): void {
    const { words } = this.context
    const locales = entries(this.content, "texts").map((text) => nameOf(text, "locale"))
    const choice = make("select", { class: "in s", "aria-label": words.documents.language },
      ...[...new Set([this.locale, ...locales])].map((each) => make("option", { value: each }, each)))
    choice.value = this.locale
    choice.addEventListener("change", () => {
      this.locale = choice.value
      this.draw()
      void this.look()
    })
    this.element.replaceChildren(make("div", { class: "row wrap" }, choice, this.draft.status, this.verdict),
      this.draft.fault, this.rest, make("div", { class: "cols edit" }, this.side, this.panel,
        make("div", { class: "looks" }, this.preview.element, this.pages.element)))
  }

  private show(shown: { section: string } | { topic: Topic }, focus: string): void {
    this.shown = shown
    this.draw(focus)
    this.panel.scrollIntoView({ block: "start" })
    void this.look()
  }

  private draw(focus?: string): void {
    const list = entries(this.settings, "sections")
    const around = {
      words: this.words, common: this.context.words, locale: this.locale, changed: this.draft.changed,
      assets: this.assets, redraw: (wanted: string) => this.draw(wanted),
    }
    this.sheet = new Sheet(around)
    const { shown } = this
    const fields = "topic" in shown ? this.sheet.draw(topics[shown.topic], this.sides) : this.section(shown.section)
    const title = "topic" in shown ? this.words.topics[shown.topic] : this.titleOf(shown.section)
    this.panel.replaceChildren(make("h2", {}, title), ...fields)
    this.side.replaceChildren(make("h2", {}, this.words.topics.sections),
      this.sections.draw(list.map((each) => ({
        id: nameOf(each, "id"), title: this.titleOf(nameOf(each, "id")),
        isWrong: this.problems.some(({ field = "" }) => field.includes(`sections[${nameOf(each, "id")}]`)),
      })), "section" in shown ? shown.section : ""), ...this.mayEdit ? [this.adding()] : [],
      make("h2", {}, this.words.topics.also),
      make("div", {}, ...(Object.keys(topics) as Topic[]).map((topic) => button({
        class: "sec", "aria-current": "topic" in shown && shown.topic === topic ? "true" : undefined,
        id: `topic-${topic}` }, () => this.show({ topic }, `topic-${topic}`), this.words.topics[topic],
      ...this.problems.some(({ field = "" }) => topicOf(field) === topic) ? [chip("", "warn", "warn")] : []))))
    this.judge()
    if (focus === "card") this.sections.focus()
    else if (focus) focusOn(this.element, focus)
  }

  private titleOf(id: string): string {
    const { types: names } = this.context.words.edit
    const text = entry(this.sides.text, "sections", "sectionId", id).get()
    const { type = "" } = entry(this.settings, "sections", "id", id).get()
    return String(text["title"] || text["formalTitle"]
      || names[String(type).replace("SECTION_TYPE_", "").toLowerCase()] || id)
  }

  private section(id: string): HTMLElement[] {
    const { words } = this.context
    const { spot, text, all } = this.sides
    const inside = (of: typeof text) => entry(of, "sections", "sectionId", id)
    const list = entries(this.settings, "sections")
    const at = list.findIndex((each) => nameOf(each, "id") === id)
    const remove = () => {
      for (const each of all) {
        each.set(put(each.get(), "sections", entries(each, "sections").filter(({ sectionId }) => sectionId !== id)))
      }
      const left = list.filter((_, index) => index !== at)
      this.settings.set(put(this.settings.get(), "sections", left))
      this.draft.changed()
      const next = left[Math.max(0, at - 1)]
      this.show(next ? { section: nameOf(next, "id") } : { topic: "document" }, "card")
    }
    const way = (by: number, label: string, name: string) => button({
      class: "btn s", id: `section-${name}`, disabled: !list[at + by] },
    () => this.move(at, at + by, `section-${name}`), label)
    const own = inside(text).get()
    const body = bodyOf(own) ?? this.ways.get(id) ?? bodies[0]
    const choice = make("select", { class: "in s", id: "written", disabled: !!bodyOf(own) },
      ...bodies.map((each) => make("option", { value: each }, this.words.fields[each])))
    choice.value = body
    choice.addEventListener("change", () => {
      this.ways.set(id, choice.value as Body)
      this.draw("written")
    })
    return [
      make("div", { class: "row wrap" }, way(-1, words.edit.up, "up"), way(1, words.edit.down, "down"),
        button({ class: "btn s" }, remove, icon("bin"), words.edit.remove)),
      make("div", { class: "field" }, make("label", { for: "written" }, words.edit.written), choice),
      ...this.sheet!.draw(sectionParts(own, body), {
        spot: entry(spot, "sections", "id", id), text: inside(text), all: all.map(inside) })]
  }

  private move(from: number, to: number, focus = "card"): void {
    const list = [...entries(this.settings, "sections")]
    if (!this.mayEdit || !list[from] || !list[to]) return
    list.splice(to, 0, ...list.splice(from, 1))
    this.settings.set(put(this.settings.get(), "sections", list))
    this.draft.changed()
    this.show({ section: nameOf(list[to]!, "id") }, focus)
  }

  private adding(): HTMLElement {
    const { words } = this.context
    const choice = make("select", { class: "in s", "aria-label": words.edit.type },
      ...types.map((type) => make("option", { value: type }, words.edit.types[type] ?? type)))
    const add = () => {
      const list = entries(this.settings, "sections")
      const id = free(list, "id", choice.value)
      const type = `SECTION_TYPE_${choice.value.toUpperCase()}` as SectionType
      this.settings.set(put(this.settings.get(), "sections", [...list, { id, type }]))
      this.draft.changed()
      this.show({ section: id }, "card")
    }
    return make("div", { class: "row wrap" }, choice,
      button({ class: "btn s" }, add, icon("plus"), words.edit.add))
  }

  /** Says what the server has found, beside the fields that are shown; what belongs to no field at all, above. */
  private judge(): void {
    this.sheet?.judge(this.problems)
    const { context } = this
    const errors = this.problems.filter(({ severity }) => severity === "PROBLEM_SEVERITY_ERROR").length
    this.verdict.replaceChildren(errors === 0 ? chip(context.words.document.noProblems, "ok")
      : chip(counted(context, errors, context.words.edit.prevents, context.words.edit.preventMany), "warn", "warn"))
    const others = this.problems.filter(({ field = "" }) => !field.includes("sections[") && !topicOf(field))
    this.rest.replaceChildren(...others.map((problem) => note("warn",
      saying(problem, problem.field === "settings.sections" ? this.words.topics.sections : undefined))))
  }

  /** Brings the previews up to date. They come when they come: nobody waits for them. */
  private async look(): Promise<void> {
    const { documentId, version, locale } = this
    const place = { study: this.context.study?.studyId }
    if (this.context.rights.may(DocumentService.previewDocumentCopy, place)) {
      const looks = `${this.draft.revision} ${locale}`
      if (looks !== this.laid) this.pages.show({ documentId, version, locale })
      this.laid = looks
    }
    if (!this.context.rights.may(DocumentService.previewDocument, place)) return
    try {
      const { screens = [] } = await this.context.calls.make(DocumentService.previewDocument,
        { documentId, version, locale })
      this.preview.show(screens, "section" in this.shown ? this.shown.section : "review")
    } catch {
      // A draft that is not complete enough has no screens.
      this.preview.show([])
    }
  }
}
