import type { AccountView } from "../../../clients/typescript/src/contract/account_v1.js"
import type { Device } from "../../device/device.js"
import type { Person } from "../../device/person.js"
import "../../elements/accounts/assent-accounts.js"
import { make } from "../../elements/dom.js"
import recorded from "./accounts.json"
import { isTurned, look } from "./look.js"

/** What the real server answered, view by view (web/tests/record_accounts.py). */
const views = recorded as Record<string, AccountView>

const choices = document.querySelector<HTMLFormElement>("#accounts")!
const tablet = document.querySelector<HTMLElement>("#tablet")!
const select = choices.elements.namedItem("view") as HTMLSelectElement
select.append(...Object.keys(views).map((name) => make("option", { value: name }, name)))

/** Every look at a view is answered with this one; all else is refused, or nobody is there. */
function answer(view: AccountView): typeof fetch {
  return (address) => {
    const isView = /GetAccountView$/.test(`${address}`)
    const isAway = `${new FormData(choices).get("presence")}` === "away"
    const body = isAway ? { code: "unavailable", message: "not in the kit" } : isView ? { view }
      : { code: "unauthenticated", message: "wrong_passcode: not in the kit" }
    const headers = { "content-type": "application/json" }
    return Promise.resolve(new Response(JSON.stringify(body), { status: isAway ? 503 : isView ? 200 : 401, headers }))
  }
}

function show(): void {
  const said = views[select.value]!, view = isTurned() ? { ...said, rightToLeft: true } : said
  const access = { url: "", token: () => "kit", headers: {}, fetch: answer(view) }
  const accounts = make("assent-accounts", { id: "shared", lang: view.locale ?? "en", identity: "pages" })
  accounts.device = { access, deviceId: "kit" } as unknown as Device
  accounts.person = { access } as unknown as Person
  tablet.dataset["size"] = `${new FormData(choices).get("shape")}`
  tablet.replaceChildren(accounts)
}

choices.addEventListener("input", show)
look.addEventListener("input", show)
show()
