/**
 * Where somebody is in the console: a page, perhaps one thing on it, and what the page is filtered by. It stands behind
 * the "#", so no server's log has an identifier of it, and it can be kept and shared.
 */
export interface Address {
  readonly page: string
  readonly id: string
  readonly query: Readonly<Record<string, string>>
}

/** "#/records/0195…?study=heart" */
export function parsed(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?")
  const [page = "", ...rest] = path.split("/")
  return {
    page: page || "home", id: rest.map(decoded).join("/"),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** What is no code, in an address that somebody typed, is as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function written(page: string, id = "", query: Record<string, string | undefined> = {}): string {
  const kept = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  const search = new URLSearchParams(kept).toString()
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ""}${search ? `?${search}` : ""}`
}

/** The address without what is empty, in place of the present one: Back does not lead through every filter. */
export function filtered(address: Address, change: Record<string, string | undefined>): void {
  const hash = written(address.page, address.id, { ...address.query, ...change })
  history.replaceState(null, "", hash)
  dispatchEvent(new HashChangeEvent("hashchange"))
}
