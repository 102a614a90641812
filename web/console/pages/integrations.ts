import {
  AccountAdminService, ApiKeyService, type ApiKey, type ApiKeyKind,
} from "../../../clients/typescript/src/contract/account_v1.js"
import { RecordService, WebhookService, type Webhook } from "../../../clients/typescript/src/contract/consent_v1.js"
import { SealService, SignatureService } from "../../../clients/typescript/src/contract/signature_v1.js"
import { button, make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import { all } from "../access/calls.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { callPanel } from "../parts/call.js"
import { ask, tellOnce } from "../parts/dialog.js"
import { files } from "../parts/files.js"
import { dataCheck } from "../parts/installation.js"
import { chip, code, Dates, empty, heading, link } from "../parts/marks.js"
import { providers } from "../parts/providers.js"
import { refusalOf } from "../access/refusal.js"
import { seal } from "../parts/seal.js"
import { show, table, type Column } from "../parts/table.js"
import { written } from "../shell/address.js"

/** What programs use: keys to call with, and addresses that events are sent to; and by what documents are sealed. */
export const open: Opener = async (context) => {
  const { words, calls, rights } = context
  const body = make("div", { class: "stack" })
  const refresh = async () => {
    const webhooks = rights.may(WebhookService.listWebhooks)
      ? (await calls.make(WebhookService.listWebhooks, {})).webhooks ?? [] : undefined
    // An installation may have no service for accounts, and then keys are a file of the gateway.
    const keys = rights.may(ApiKeyService.listApiKeys) ? await all(async (pageToken) => {
      const page = await calls.make(ApiKeyService.listApiKeys, { pageSize: 1000, pageToken })
      return { items: page.apiKeys, next: page.nextPageToken }
    }).catch((problem) => { refusalOf(problem); return undefined }) : undefined
    const settings = rights.may(AccountAdminService.getAccountSettings)
      ? [make("a", { class: "btn s", href: written("settings") }, words.settings.title)] : []
    const accounts = rights.may(AccountAdminService.getAccountSettings)
      ? await calls.make(AccountAdminService.getAccountSettings, {}).catch((problem) => {
        refusalOf(problem)
        return undefined
      }) : undefined
    show(body, [heading(words.nav.integrations, ...settings), ...webhooks ? hooks(context, webhooks) : [],
      ...keys ? keyList(context, keys) : [],
      ...accounts ? providers(context, accounts.settings?.identityIssuers ?? []) : [],
      ...await seal(context), ...await dataCheck(context)])
  }
  await refresh()
  return {
    title: words.nav.integrations, refresh,
    content: [body, callPanel(context, () => [
      WebhookService.listWebhooks, ApiKeyService.listApiKeys, SealService.getSealCertificate,
      RecordService.getConsentFindings, SignatureService.getSignatureFindings, AccountAdminService.getAccountFindings,
    ].filter((method) => rights.may(method)).map((method) => ({ method, request: {} })))],
  }
}

function hooks(context: Context, webhooks: readonly Webhook[]): Node[] {
  const { words, locale } = context
  const dates = new Dates(locale)
  const add = button({ class: "btn s" }, () => ask(context, {
    title: words.hooks.addTitle, sentence: words.hooks.addWhat,
    plan: {
      label: words.hooks.add, method: WebhookService.createWebhook,
      fields: [
        { name: "url", path: "webhook.url", label: words.hooks.url, required: true,
          attributes: { dir: "ltr", placeholder: "https://" } },
        { name: "studyId", path: "webhook.studyId", label: words.shell.study, kind: "choice",
          options: [["", words.hooks.allStudies], ...context.studies
            .map(({ studyId = "", name }) => [studyId, name || studyId] as const)] },
        { name: "kinds", path: "webhook.kinds", label: words.hooks.kinds, help: words.hooks.kindsHelp,
          attributes: { dir: "ltr" } },
      ],
      request: (values) => ({ webhook: {
        url: values.text("url"), studyId: values.text("studyId"), kinds: values.text("kinds").split(/[\s,]+/)
          .filter(Boolean) } }),
      done: ({ secret = "" }) => {
        tellOnce(context, words.hooks.secret, words.hooks.secretWhat, secret)
        return context.again()
      },
    },
  }), icon("plus"), words.hooks.add)
  const columns: Column<Webhook>[] = [
    { title: words.hooks.url, cell: ({ webhookId, url = "" }) => link(written("webhook", webhookId), code(url)) },
    { title: words.shell.study, cell: ({ studyId }) => studyId || words.hooks.allStudies, isMinor: true },
    { title: words.hooks.state, cell: (each) => hookState(context, each) },
    { title: words.hooks.delivered, cell: ({ status }) => dates.time(status?.deliveredAt), isMinor: true },
  ]
  return [make("div", { class: "row wrap" }, make("h2", { class: "grow" }, words.hooks.title),
    ...webhooks.length > 0 ? [files(context, "webhooks", columns, () => webhooks)] : [], add),
  webhooks.length === 0 ? empty(words.hooks.none, words.hooks.noneWhy) : table(words.hooks.title, columns, webhooks)]
}

export function hookState({ words }: Context, { disabled, status }: Webhook): Node {
  if (disabled) return chip(words.hooks.off, "", "close")
  if (status?.parked) return chip(filled(words.hooks.parked, { count: String(status.parked) }), "bad")
  if (status?.failingSince) return chip(filled(words.hooks.failing, { count: String(status.waiting ?? 0) }), "bad")
  return chip(words.hooks.well, "ok")
}

function keyList(context: Context, keys: readonly ApiKey[]): Node[] {
  const { words, locale, again } = context
  const dates = new Dates(locale)
  const add = button({ class: "btn s" }, () => ask(context, {
    title: words.keys.addTitle, sentence: words.keys.addWhat,
    plan: {
      label: words.keys.add, method: ApiKeyService.createApiKey,
      fields: [
        { name: "name", path: "apiKey.name", label: words.studies.name, help: words.keys.nameHelp, required: true },
        { name: "kind", path: "apiKey.kind", label: words.keys.kind, kind: "choice", options: [
          ["API_KEY_KIND_PROGRAM", words.keys.program], ["API_KEY_KIND_DEVICE", words.keys.device]] },
        { name: "roles", path: "apiKey.roles", label: words.staff.roles, help: words.keys.rolesHelp,
          attributes: { dir: "ltr" } },
        { name: "expiresAt", path: "apiKey.expiresAt", label: words.record.expires, kind: "date" },
      ],
      request: (values) => {
        const expiresAt = values.moment("expiresAt")
        return { apiKey: {
          name: values.text("name"), kind: values.text("kind") as ApiKeyKind,
          roles: values.text("roles").split(/[\s,]+/).filter(Boolean), ...expiresAt ? { expiresAt } : {} } }
      },
      done: ({ key = "" }) => {
        tellOnce(context, words.keys.made, words.keys.madeWhat, key)
        return again()
      },
    },
  }), icon("plus"), words.keys.add)
  const rotate = ({ apiKeyId = "", name = "" }: ApiKey) => ask(context, {
    title: filled(words.keys.rotateTitle, { name }), sentence: words.keys.rotateWhat,
    plan: { label: words.keys.rotate, method: ApiKeyService.rotateApiKey, fields: [], request: () => ({ apiKeyId }),
      done: ({ key = "" }) => tellOnce(context, words.keys.made, words.keys.madeWhat, key) },
  })
  const revoke = ({ apiKeyId = "", name = "" }: ApiKey) => ask(context, {
    title: filled(words.keys.revokeTitle, { name }), sentence: words.keys.revokeWhat,
    plan: { label: words.study.revoke, method: ApiKeyService.revokeApiKey, destroys: true, fields: [],
      request: () => ({ apiKeyId }), done: () => again() },
  })
  const columns: Column<ApiKey>[] = [
    { title: words.studies.name, cell: ({ name = "", apiKeyId = "" }) => make("span", {}, make("b", {}, name), " ",
      code(apiKeyId)) },
    { title: words.staff.roles, cell: ({ roles = [] }) => roles.join(", "), isMinor: true },
    { title: words.keys.used, cell: ({ usedAt }) => dates.time(usedAt) || words.keys.never, isMinor: true },
    { title: words.staff.acts, isActs: true, cell: (each) => each.revokedAt ? chip(words.keys.revoked, "", "close")
      : make("span", { class: "row wrap" },
        button({ class: "btn s", "aria-label": `${words.keys.rotate}: ${each.name}` }, () => rotate(each),
          words.keys.rotate),
        button({ class: "btn s", "aria-label": `${words.study.revoke}: ${each.name}` }, () => revoke(each),
          words.study.revoke)) },
  ]
  return [make("div", { class: "row wrap" }, make("h2", { class: "grow" }, words.keys.title),
    ...keys.length > 0 ? [files(context, "api-keys", columns, () => keys)] : [], add),
  keys.length === 0 ? empty(words.keys.none, words.keys.noneWhy) : table(words.keys.title, columns, keys)]
}
