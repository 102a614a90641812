import type { SessionView } from "../../../clients/typescript/src/contract/consent_v1.js"
import "../../elements/session/assent-session.js"
import { make } from "../../elements/dom.js"
import { isTurned, look } from "./look.js"
import recorded from "./recorded.json"

/** What the real server answered, screen by screen (web/tests/record_screens.py). */
const views = recorded as Record<string, SessionView>

const choices = document.querySelector<HTMLFormElement>("#screens")!
const device = document.querySelector<HTMLElement>("#device")!
const select = choices.elements.namedItem("screen") as HTMLSelectElement
select.append(...Object.keys(views).map((name) => make("option", { value: name }, name)))

/** A page with lines on it, in place of a document's own pictures. */
const sheet = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 595" stroke="#54596e" stroke-width="6">${
  Array.from({ length: 12 }, (_, at) => `<path d="M40 ${90 + at * 36}h${at % 4 === 3 ? 190 : 340}"/>`).join("")}</svg>`
const picture = { asset: { kind: "ASSET_KIND_SVG", data: btoa(sheet) } }

/** Answers as the server did; another action than to look is answered with the same screen, or by nobody. */
function answer(view: SessionView): typeof fetch {
  return (address) => {
    const isAway = `${new FormData(choices).get("server")}` === "away"
    const isSession = /GetSession$|ActOnSession$|ResumeSession$/.test(`${address}`)
    const told = isSession ? { session: view } : /GetAsset$/.test(`${address}`) ? picture : undefined
    const body = isAway || !told ? { code: isAway ? "unavailable" : "not_found", message: "not in the kit" } : told
    const status = isAway ? 503 : told ? 200 : 404
    const headers = { "content-type": "application/json" }
    return Promise.resolve(new Response(JSON.stringify(body), { status, headers }))
  }
}

function show(): void {
  const said = views[select.value]!
  const view = isTurned() ? { ...said, screen: { ...said.screen, rightToLeft: true } } : said
  const session = make("assent-session", { id: "session", session: view.sessionId })
  session.fetch = answer(view)
  device.dataset["size"] = `${new FormData(choices).get("size")}`
  device.replaceChildren(session)
}

choices.addEventListener("input", show)
look.addEventListener("input", show)
show()
