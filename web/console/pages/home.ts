import { DocumentService, StudyService } from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { figures } from "../parts/figures.js"
import { chip, counted, Dates, empty, heading } from "../parts/marks.js"
import { needs, type Need } from "../parts/needs.js"
import { refused } from "../parts/refused.js"
import { show } from "../parts/table.js"
import { create } from "./studies.js"

/** Until then, a page that is all there is better than one that grows. */
const quickMs = 200

/** What needs somebody. */
export const open: Opener = async (context) => {
  const { words, study, locale, rights } = context
  if (!study) {
    const way = rights.may(StudyService.createStudy)
      ? [button({ class: "btn s go" }, () => create(context), icon("plus"), words.studies.create)] : []
    return { title: words.nav.home,
      content: [heading(words.nav.home), empty(words.home.noStudy, words.home.noStudyWhy, ...way)] }
  }
  const list = make("div", { class: "stack" })
  const side = make("div", { class: "stack" })
  const tell = (found: readonly Need[], isAll: boolean) => {
    const title = found.length > 0 ? counted(context, found.length, words.home.one, words.home.many)
      : isAll ? words.home.nothing : words.home.looking
    show(list, [
      make("div", { class: "stack" }, heading(title),
        make("p", { class: "dim" },
          `${study.name || study.studyId}, ${new Dates(locale).day(new Date().toISOString())}`)),
      found.length === 0 && isAll ? quiet(context)
        : make("ul", { class: "list" }, ...found.map(row), make("li", { class: isAll ? "todo calm" : "todo" },
          icon(isAll ? "check" : "clock"),
          make("span", { class: "grow dim" }, isAll ? words.home.rest : words.home.looking)))])
  }
  const refresh = async () => tell(await needs(context), true)
  // In a large study this takes a while: what has come is shown.
  tell([], false)
  const first = needs(context, (found) => tell(found, false)).then((found) => tell(found, true))
  const rest = async () => {
    await first
    if (!rights.may(DocumentService.listDocuments, { study: study.studyId })) return
    const { calls } = context
    const { documents = [] } = await calls.make(DocumentService.listDocuments,
      { studyId: study.studyId!, pageSize: 1000 })
    for (const each of documents.filter(({ publishedVersion }) => publishedVersion).slice(0, 2)) {
      const panel = await figures(context, each)
      if (panel) side.append(panel)
    }
  }
  void rest().catch(() => undefined)
  // A study of some hundred people is looked through at once; a larger one, or a refusal, is not waited for.
  await Promise.race([first, new Promise((done) => setTimeout(done, quickMs))])
  void first.catch((problem) => show(list, [refused(problem, words, () => void context.again())]))
  return {
    title: words.nav.home, content: [make("div", { class: "cols" }, list, side)], refresh, refreshMs: 15_000 }
}

function row({ tone, icon: name, title, sentence, step, href, acts = [] }: Need): HTMLElement {
  return make("li", { class: `todo ${tone}` }, icon(name),
    make("span", { class: "grow" }, make("b", {}, title), make("span", { class: "dim" }, sentence)),
    ...acts, make("a", { class: acts.length > 0 ? "btn bare s" : "btn s", href, "aria-label": `${step}: ${title}` },
      step))
}

function quiet({ words }: Context): HTMLElement {
  return make("div", { class: "panel" }, chip(words.home.done, "ok"), make("p", { class: "dim" },
    filled(words.home.rest, {})))
}
