import { rights } from "../../../clients/typescript/src/contract/rights.js"

/** Where something is: without a study, anywhere; without a site, anywhere in the study. */
export interface Place {
  readonly study?: string | undefined
  readonly site?: string | undefined
}

/** Relations that say who somebody is to a person: staff has none of them by a role. */
const personal = ["self", "guardian of", "device of", "assisting"]

/** What a person's roles admit to, by the table that the services enforce. It hides buttons; it protects nothing. */
export class Rights {
  constructor(private readonly grants: readonly string[]) {}

  /**
   * Whether a role admits to a call of this method at this place.
   *
   * @param states - a relation that the call itself states, such as that the caller assists somebody
   */
  may({ path }: { readonly path: string }, place: Place = {}, states = ""): boolean {
    return (rights[path] ?? "").split("; ").some((alternative) => {
      const [, roles, at, relation] = /^([^@:]*)(?:@([^:]*))?(?::(.*))?$/.exec(alternative) ?? []
      if (!roles || (relation && relation !== states && personal.includes(relation))) return false
      return roles.split(",").some((role) => this.has(role, at ?? "", place))
    })
  }

  /**
   * The site that a list of a study's things has to name, since nobody is given those of all sites who has no role at
   * them all; undefined where the whole study may be listed.
   */
  site(method: { readonly path: string }, study: string): string | undefined {
    const wide = new Rights(this.grants.filter((grant) => !grant.includes("/")))
    if (wide.may(method, { study })) return undefined
    const sites = this.grants.map((grant) => (grant.split("@")[1] ?? "").split("/"))
    return sites.find(([of, site]) => of === study && site && this.may(method, { study, site }))?.[1]
  }

  private has(role: string, at: string, { study, site }: Place): boolean {
    return this.grants.some((grant) => {
      const [name, where = ""] = grant.split("@")
      if (name !== role) return false
      if (where === "*" || at === "") return true
      const [grantedStudy, grantedSite] = where.split("/")
      if (at === "tenant" || (study && study !== grantedStudy)) return false
      return !grantedSite || (at === "site" && (!site || site === grantedSite))
    })
  }
}
