import type {
  AccountView, AffectedPerson, GetOfflineViewsResponse,
} from "../../../clients/typescript/src/contract/account_v1.js"
import { make } from "../../elements/dom.js"
import type { SyncState } from "../../elements/sync/assent-sync.js"
import "../../elements/sync/assent-sync.js"
import recorded from "./sync.json"

/** What the real server answered (web/tests/record_sync.py). */
const { person, blocked, views, lists } = recorded as unknown as {
  person: string, blocked: AffectedPerson[], views: Record<string, GetOfflineViewsResponse>,
  lists: Record<string, AccountView>,
}

const states: Readonly<Record<string, SyncState>> = {
  "items": {},
  "uploading": { progress: { phase: "SYNC_PHASE_UPLOADING", completed: "9", total: "14", fraction: .32 } },
  "downloading": { progress: { phase: "SYNC_PHASE_DOWNLOADING", completed: "3", total: "40", fraction: .53 } },
  "done": { progress: { phase: "SYNC_PHASE_DONE", fraction: 1 } },
  "no connection": { isLost: true },
  "blocked": { blockedBy: blocked },
  "server away": {},
}

const choices = document.querySelector<HTMLFormElement>("#syncing")!
const place = document.querySelector<HTMLElement>("#sync")!
const select = choices.elements.namedItem("state") as HTMLSelectElement
select.append(...Object.keys(states).map((name) => make("option", { value: name }, name)))

/** Answers as the server did. The list is only there where the state is about it; a choice takes its item away. */
function answer(language: string, name: string): typeof fetch {
  let items = name === "items" ? lists[language]!.items ?? [] : []
  const empty = name === "items" ? lists[language]! : { kind: lists[language]!.kind }
  return (address, init) => {
    const asked = JSON.parse(`${init?.body ?? "{}"}`) as { itemId?: string }
    const isAway = name === "server away"
    if (asked.itemId) items = items.filter(({ outcome }) => outcome?.itemId !== asked.itemId)
    const body = isAway ? { code: "unavailable", message: "not in the kit" }
      : /GetOfflineViews$/.test(`${address}`) ? views[language]
        : /GetAccountView$/.test(`${address}`) ? { view: { ...empty, items } }
          : { outcome: { ...asked, state: "ITEM_STATE_DONE" } }
    const headers = { "content-type": "application/json" }
    return Promise.resolve(new Response(JSON.stringify(body), { status: isAway ? 503 : 200, headers }))
  }
}

function show(): void {
  const name = select.value, chosen = new FormData(choices), language = `${chosen.get("speech")}`
  const sync = make("assent-sync", { id: "synced", lang: language, dir: language === "ar" ? "rtl" : "ltr" })
  const access = { url: "", token: () => "kit", headers: {}, fetch: answer(language, name) }
  sync.person = { personId: person, access }
  sync.state = states[name]!
  place.dataset["size"] = `${chosen.get("width")}`
  place.replaceChildren(sync)
}

choices.addEventListener("input", show)
show()
