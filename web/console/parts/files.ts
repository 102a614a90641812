import { save } from "../../elements/save.js"
import type { Context } from "../context.js"
import { icon } from "../icons.js"
import { act } from "./act.js"
import { writtenTable } from "./csv.js"
import { drop } from "./drop.js"
import type { Column } from "./table.js"

/** A list as files: its columns as they are shown, for a spreadsheet, and its rows as the server answered them. */
export function files<Row>(context: Context, name: string, columns: readonly Column<Row>[],
  rows: () => readonly Row[] | Promise<readonly Row[]>): HTMLElement {
  const shown = columns.filter(({ isActs }) => !isActs)
  const csv = async () => save(`${name}.csv`, "text/csv", writtenTable(shown.map(({ title }) => title),
    (await rows()).map((row) => shown.map(({ cell }) => said(cell(row))))))
  const ndjson = async () => save(`${name}.ndjson`, "application/x-ndjson",
    (await rows()).map((row) => JSON.stringify(row) + "\n").join(""))
  return drop([icon("save"), context.words.records.export],
    act(context, { class: "btn s" }, csv, "CSV"), act(context, { class: "btn s" }, ndjson, "NDJSON"))
}

/** What a cell says, with a space between its parts. */
function said(cell: Node | string): string {
  if (typeof cell === "string") return cell
  const text = cell.hasChildNodes() ? [...cell.childNodes].map(said).join(" ") : cell.textContent ?? ""
  return text.replace(/\s+/g, " ").trim()
}
