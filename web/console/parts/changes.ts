import {
  DocumentService, type ConsentDocument, type DocumentChange, type DocumentContent, type DocumentVersionSummary,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../../elements/dom.js"
import { refusalOf } from "../access/refusal.js"
import type { Context } from "../context.js"
import { compared, textAt } from "./compare.js"
import { code, note, panel } from "./marks.js"
import { explained } from "./refused.js"

/** What one version has differently than another, word by word; to begin with, the draft and what is published. */
export function changes(context: Context, { documentId = "", publishedVersion = 0, draftVersion = 0 }: ConsentDocument,
  versions: readonly DocumentVersionSummary[]): HTMLElement | undefined {
  const { calls, words } = context
  const numbers = versions.filter(({ state }) => state !== "VERSION_STATE_DISCARDED").map(({ version = 0 }) => version)
  if (numbers.length < 2) return undefined
  const list = make("div")
  const choice = (label: string, value: number) => {
    const select = make("select", { class: "in s", "aria-label": label },
      ...numbers.map((each) => make("option", { value: String(each) }, String(each))))
    select.value = String(value)
    select.addEventListener("change", () => void load())
    return select
  }
  const later = draftVersion || publishedVersion || numbers[0]!
  const earlier = later !== publishedVersion && publishedVersion ? publishedVersion
    : numbers.find((each) => each < later) ?? numbers[1]!
  const from = choice(words.document.compareFrom, earlier)
  const to = choice(words.document.compareTo, later)
  let turn = 0
  const load = async () => {
    const mine = ++turn
    const get = async (version: string) =>
      (await calls.make(DocumentService.getDocument, { documentId, version: Number(version) })).version?.content ?? {}
    try {
      const [{ changes: found = [] }, before, after] = await Promise.all([
        calls.make(DocumentService.diffDocumentVersions, {
          documentId, fromVersion: Number(from.value), toVersion: Number(to.value) }),
        get(from.value), get(to.value)])
      if (mine !== turn) return
      list.replaceChildren(found.length === 0 ? make("p", { class: "dim" }, words.document.same)
        : make("ul", { class: "plain stack" }, ...found.map((change) => line(change, before, after))))
    } catch (problem) {
      if (mine === turn) list.replaceChildren(note("bad", ...explained(refusalOf(problem), words)))
    }
  }
  void load()
  return panel(words.document.compare, make("div", { class: "row" }, from, make("span", { "aria-hidden": "true" }, "→"),
    to), list)
}

/** The server says where there is a difference; here are the whole texts, which it cuts off. */
function line({ field = "", before = "", after = "" }: DocumentChange, one: DocumentContent, other: DocumentContent):
HTMLElement {
  const [old, now] = [textAt(one, field) ?? before, textAt(other, field) ?? after]
  const [, locale = "en"] = /^texts\[([^\]]+)\]/.exec(field) ?? []
  return make("li", {}, code(field), make("p", { class: "said", lang: locale, dir: "auto" },
    ...compared(old, now, locale)))
}
