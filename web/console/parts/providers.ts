import {
  AccountAdminService, type IdentityFinding, type IdentityIssuer,
} from "../../../clients/typescript/src/contract/account_v1.js"
import { button, make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context } from "../context.js"
import { calling } from "./act.js"
import { ask } from "./dialog.js"
import { files } from "./files.js"
import { chip, code, empty, note } from "./marks.js"
import { table, type Column } from "./table.js"

/** The OpenID providers by which people sign in: whether that works, and the secret of the client. */
export function providers(context: Context, issuers: readonly IdentityIssuer[]): Node[] {
  const words = context.words.providers
  const answer = make("div", { class: "stack", role: "status" })
  const columns: Column<IdentityIssuer>[] = [
    { title: context.words.studies.name, cell: ({ title: name = "", issuer = "" }) => make("span", {},
      ...name ? [make("b", {}, name), " "] : [], code(issuer)) },
    { title: context.words.hooks.state, isMinor: true, cell: ({ client }) => client
      ? chip(words.pages, "ok") : chip(words.apps) },
    { title: context.words.staff.acts, isActs: true, cell: (each) => make("span", { class: "row wrap" },
      trial(context, each, answer), ...needsSecret(each) ? [secret(context, each)] : []) },
  ]
  const title = make("div", { class: "row wrap" }, make("h2", { class: "grow" }, words.title),
    ...issuers.length > 0 ? [files(context, "providers", columns, () => issuers)] : [])
  if (issuers.length === 0) return [title, empty(words.none, words.noneWhy)]
  return [title, table(words.title, columns, issuers), answer]
}

function needsSecret({ client }: IdentityIssuer): boolean {
  return client !== undefined && client.proof !== "CLIENT_PROOF_NONE"
}

function named({ title, issuer = "" }: IdentityIssuer): string {
  return title || issuer
}

function trial(context: Context, each: IdentityIssuer, answer: HTMLElement): HTMLElement {
  const words = context.words.providers
  return calling(context, { class: "btn s", "aria-label": `${words.tryIt}: ${named(each)}` },
    AccountAdminService.tryIdentityIssuer, { issuer: each.issuer ?? "" }, ({ findings = [] }) =>
      answer.replaceChildren(make("h3", {}, filled(words.tried, { name: named(each) })),
        ...findings.map((finding) => said(context, finding))), words.tryIt)
}

function said({ words }: Context, { check = "IDENTITY_CHECK_UNSPECIFIED", right, message = "" }: IdentityFinding) {
  const { checks, well, wrong } = words.providers
  return note(right ? "ok" : "bad", make("p", {}, make("b", {}, checks[check] ?? check), ". ", right ? well : wrong,
    " ", make("span", { lang: "en", dir: "ltr" }, message)))
}

function secret(context: Context, each: IdentityIssuer): HTMLElement {
  const words = context.words.providers
  return button({ class: "btn s", "aria-label": `${words.secret}: ${named(each)}` }, () => ask(context, {
    title: filled(words.secretTitle, { name: each.client?.clientId ?? "" }), sentence: words.secretWhat,
    plan: {
      label: words.secret, method: AccountAdminService.setIdentitySecret,
      fields: [{ name: "clientSecret", path: "client_secret", label: words.secretLabel, required: true,
        attributes: { type: "password", autocomplete: "off", dir: "ltr" } }],
      request: (values) => ({ issuer: each.issuer ?? "", clientSecret: values.text("clientSecret") }),
      done: () => context.tell(words.set),
    },
  }), words.secret)
}
