import {
  AccountAdminService, DeviceService, type AccountDevice, type AccountEntry,
} from "../../../clients/typescript/src/contract/account_v1.js"
import { button, make } from "../../elements/dom.js"
import { qrCode } from "../../qr/code.js"
import { picture } from "../../qr/picture.js"
import { filled } from "../../words/language.js"
import { all } from "../access/calls.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { calling } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { ask, tellOnce } from "../parts/dialog.js"
import { waitingSentences } from "../parts/installation.js"
import { chip, code, Dates, empty, heading } from "../parts/marks.js"
import { Paged } from "../parts/table.js"
import { grant, revoke } from "./study.js"

/** The tenant's accounts and devices. That titles and names are read here is on record. */
export const open: Opener = async (context) => {
  const { words, calls, rights, study, locale } = context
  const dates = new Dates(locale)
  const holders = new Map<string, string[]>()
  const people = new Paged<AccountEntry>(context, {
    label: words.staff.people,
    columns: [
      { title: words.staff.person, cell: ({ personId = "", title, locked, erased, mergedInto }) => make("span",
        { class: "row wrap" },
        make("b", {}, title || personId), ...title ? [code(personId)] : [], ...locked
          ? [chip(words.staff.locked, "bad", "lock")] : [],
        ...erased ? [chip(words.states["erased"]!, "", "bin")] : [], ...mergedInto ? [chip(words.staff.merged)] : []) },
      { title: words.staff.roles, cell: ({ personId = "", roles = [] }) => make("span", { class: "row wrap" }, ...roles
        .map((role) =>
        make("span", { class: "chip" }, role, button({ class: "x",
          "aria-label": `${words.study.revoke}: ${personId} ${role}` },
          () => revoke(context, personId, role), icon("close"))))) },
      { title: words.staff.acts, isActs: true, cell: (each) => acts(context, each, study?.studyId ?? "*") },
    ],
    page: async (pageToken, pageSize) => {
      const { accounts = [], nextPageToken = "" } = await calls.make(AccountAdminService.listAccounts,
        { pageSize, pageToken })
      return { rows: accounts, next: nextPageToken }
    },
    empty: () => empty(words.staff.none, words.staff.noneWhy),
  })
  const devices = new Paged<AccountDevice>(context, {
    label: words.staff.devices,
    columns: [
      { title: words.staff.device, cell: ({ deviceId = "", name }) => make("span", {}, make("b", {}, name || deviceId),
        " ", code(deviceId)) },
      { title: words.staff.people, isMinor: true,
        cell: ({ deviceId = "" }) => (holders.get(deviceId) ?? []).join(", ") },
      { title: words.staff.waiting, cell: (each) => make("span", { class: "row wrap" },
        ...waitingSentences(context, each).map((sentence) => chip(sentence, "warn", "lock"))) },
      { title: words.staff.registered, cell: ({ registeredAt }) => dates.time(registeredAt) },
      { title: words.staff.acts, isActs: true, cell: ({ deviceId = "", name, wipedAt }) => wipedAt
        ? chip(`${words.staff.wiped} ${dates.day(wipedAt)}`, "", "bin") : button({ class: "btn s" },
          () => ask(context, {
          title: filled(words.staff.wipeTitle, { device: name || deviceId }), destroyed: words.staff.wipeDestroyed,
          stays: words.staff.wipeStays,
          plan: { label: words.staff.wipe, method: AccountAdminService.wipeDevice, destroys: true, fields: [],
            request: () => ({ deviceId }), done: () => context.again() },
        }), words.staff.wipe + "…") },
    ],
    page: async (pageToken, pageSize) => {
      const page = await calls.make(AccountAdminService.listDevices, { pageSize, pageToken })
      return { rows: page.devices ?? [], next: page.nextPageToken ?? "" }
    },
    empty: () => empty(words.staff.noDevices, words.staff.noDevicesWhy),
  })
  await Promise.all([people.refresh(), rights.may(AccountAdminService.listDevices) ? devices.refresh() : undefined])
  // Whose accounts are at which device is told by the accounts, all of which nobody waits for.
  const hold = async () => {
    const found = await all(async (pageToken) => {
      const page = await calls.make(AccountAdminService.listAccounts, { pageSize: 1000, pageToken })
      return { items: page.accounts, next: page.nextPageToken }
    })
    for (const { personId = "", title, deviceIds = [] } of found) {
      for (const id of deviceIds) holders.set(id, [...holders.get(id) ?? [], title || personId])
    }
    await devices.refresh()
  }
  if (rights.may(AccountAdminService.listDevices)) void hold().catch(() => undefined)
  return {
    title: words.nav.staff,
    content: [make("div", { class: "stack" },
      heading(words.nav.staff, people.files("accounts"),
        button({ class: "btn s go" }, () => invite(context), icon("plus"), words.staff.invite)),
      make("p", { class: "dim" }, words.staff.onRecord), people.element,
      make("div", { class: "row wrap" }, make("h2", { class: "grow" }, words.staff.devices),
        ...rights.may(AccountAdminService.listDevices) ? [devices.files("devices")] : [],
        ...rights.may(DeviceService.createDeviceCode)
          ? [button({ class: "btn s" }, () => register(context), icon("plus"), words.staff.register + "…")] : []),
      devices.element,
      callPanel(context, () => [{ method: AccountAdminService.listAccounts, request: {} },
        { method: AccountAdminService.listDevices, request: {} }]))],
  }
}

function acts(context: Context, { personId = "", locked = false, erased, mergedInto, deviceIds = [] }: AccountEntry,
  study: string): Node {
  const { words, again, person } = context
  if (erased || mergedInto) return make("span")
  const lock = button({ class: "btn s" }, () => ask(context, {
    title: filled(locked ? words.staff.unlockTitle : words.staff.lockTitle, { person: personId }),
    plan: { label: locked ? words.staff.unlock : words.staff.lock, method: AccountAdminService.setPersonLock,
      fields: [],
      request: () => ({ personId, locked: !locked }), done: () => again() },
  }), locked ? words.staff.unlock : words.staff.lock)
  const reset = button({ class: "btn s" }, () => ask(context, {
    title: filled(words.staff.resetTitle, { person: personId }), sentence: words.staff.resetWhat,
    plan: {
      label: words.staff.reset, method: AccountAdminService.resetPasscode,
      fields: [{ name: "deviceId", label: words.staff.device, kind: "choice", options: deviceIds
        .map((id) => [id, id] as const) }],
      request: (values) => ({ personId, deviceId: values.text("deviceId") }),
      done: ({ passcode = "" }) => tellOnce(context, words.staff.passcode, words.staff.passcodeWhat, passcode),
    },
  }), words.staff.reset + "…")
  const link = calling(context, { class: "btn s" }, AccountAdminService.createAccountInvitation, { personId },
    ({ code: made = "" }) => tellOnce(context, words.staff.code, words.staff.codeWhat, made), words.staff.another)
  return make("span", { class: "row wrap" },
    button({ class: "btn s" }, () => grant(context, study, personId), words.study.grant), lock,
    ...deviceIds.length > 0 ? [reset] : [], link, ...person.id === personId ? [] : [button({ class: "btn s",
      "aria-label": `${words.staff.merge}: ${personId}` }, () => merge(context, personId), words.staff.merge + "…")])
}

/** Two accounts of one person: what the one has done counts for the other from now on. */
function merge(context: Context, personId: string): void {
  const { words, again } = context
  ask(context, {
    title: filled(words.staff.mergeTitle, { person: personId }), destroyed: filled(words.staff.mergeDestroyed,
      { person: personId }), stays: words.staff.mergeStays, typed: personId,
    plan: {
      label: words.staff.merge, method: AccountAdminService.mergePeople, destroys: true,
      fields: [{ name: "intoPersonId", label: words.staff.mergeInto, required: true, attributes: { dir: "ltr" } }],
      request: (values) => ({ personId, intoPersonId: values.text("intoPersonId") }), done: () => again(),
    },
  })
}

function invite(context: Context): void {
  const { words } = context
  ask(context, {
    title: words.staff.inviteTitle, sentence: words.staff.inviteWhat,
    plan: {
      label: words.staff.invite, method: AccountAdminService.createAccountInvitation,
      fields: [{ name: "newPersonId", label: words.study.personId, help: words.staff.idHelp }],
      request: (values) => ({ newPersonId: values.text("newPersonId") }),
      done: ({ code: made = "" }) => tellOnce(context, words.staff.code, words.staff.codeWhat, made),
    },
  })
}

/** A link that makes a browser a device: for staff's own browsers, and for those that people share. */
function register(context: Context): void {
  const { words } = context
  ask(context, {
    title: words.staff.registerTitle, sentence: words.staff.registerWhat,
    plan: {
      label: words.staff.register, method: DeviceService.createDeviceCode,
      fields: [
        { name: "name", path: "device.name", label: words.staff.deviceName, required: true },
        { name: "page", label: words.staff.registerFor, kind: "choice",
          options: [["console", words.staff.forConsole], ["app", words.staff.forApp]] },
      ],
      request: (values) => ({ device: { name: values.text("name") } }),
      done: ({ code: made = "" }, values) => {
        const href = `${location.origin}/${values.text("page")}#${made}`
        const code = qrCode(href)
        tellOnce(context, words.staff.registerLink, words.staff.registerLinkWhat, href,
          ...code ? [picture(code, words.invite.code)] : [])
      },
    },
  })
}
