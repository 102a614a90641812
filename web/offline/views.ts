import type {
  AccountView, GetOfflineViewsResponse, ListedPerson,
} from "../../clients/typescript/src/contract/account_v1.js"
import { filled } from "../words/language.js"
import { type Answer, answering, type Asked, refusal } from "./answers.js"
import { StatusError } from "../../clients/typescript/src/status.js"
import type { Drawer } from "./sealing.js"

/** Answers the calls of the device's screens while the server is away: who signs in, and who else could. */
export function awayScreens(browser: Drawer): typeof fetch {
  return answering(async ({ method, request }: Asked<Record<string, unknown>>): Promise<Answer> => {
    const views = await browser.get<GetOfflineViewsResponse>("views")
    const people = await browser.get<ListedPerson[]>("people") ?? []
    if (!views) throw away()
    switch (method.split("/")[1]) {
      case "GetAccountView": {
        const chosen = await browser.get<string>("chosen")
        const { view, person } = screen(views, request["kind"] as string)
        const shown = people.find(({ personId }) => personId === chosen) ?? person ?? people[0]
        const query = (request["query"] as string | undefined ?? "").toLocaleLowerCase()
        const others = people.filter(({ personId, profile }) => personId !== shown?.personId
          && `${profile?.title ?? ""} ${profile?.subtitle ?? ""}`.toLocaleLowerCase().includes(query))
        const wait = request["waitSeconds"] as number | undefined
        return {
          view: {
            ...view, ...shown ? { person: shown } : {}, ...view.people || view === views.switchList
              ? { people: others } : {},
            ...wait ? { description: filled(views.waitingText ?? "", { time: timed(wait) }) } : {},
          } as AccountView,
        }
      }
      case "SelectPerson":
        await browser.keep("chosen", request["personId"])
        return {}
      default: throw away()
    }
  })
}

function screen(views: GetOfflineViewsResponse, kind: string): { view: AccountView, person?: ListedPerson } {
  const view = kind === "ACCOUNT_VIEW_KIND_SIGN_IN" ? views.signIn
    : kind === "ACCOUNT_VIEW_KIND_SWITCH" ? views.switchList : undefined
  if (!view) throw away()
  return { view, ...view.person ? { person: view.person } : {} }
}

function away(): StatusError {
  return refusal("unavailable", "away")
}

function timed(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`
}
