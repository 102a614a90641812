/** A table of texts by RFC 4180, with names in its first line. Semicolons will do as well: spreadsheets write them. */
export function parsedTable(text: string): Record<string, string>[] {
  const separator = (text.split("\n")[0] ?? "").includes(";") ? ";" : ","
  const rows: string[][] = [[]]
  let cell = "", isQuoted = false
  const end = () => {
    rows.at(-1)!.push(cell.trim())
    cell = ""
  }
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!
    if (isQuoted) {
      if (letter !== `"`) cell += letter
      else if (text[at + 1] === `"`) cell += text[at += 1]
      else isQuoted = false
    } else if (letter === `"`) {
      isQuoted = true
    } else if (letter === separator) {
      end()
    } else if (letter === "\n") {
      end()
      rows.push([])
    } else if (letter !== "\r" && letter !== "\uFEFF") {
      cell += letter
    }
  }
  end()
  const [names = [], ...lines] = rows.filter((row) => row.some(Boolean))
  return lines.map((line) => Object.fromEntries(names.map((name, at) => [name.toLowerCase(), line[at] ?? ""])))
}

/** For a spreadsheet, which takes what begins like a formula for one. */
export function writtenTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const safe = (text: string) => /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return plainTable(names, rows.map((row) => row.map(safe)))
}

/** What `parsedTable` reads back as it was. */
export function plainTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => /[",;\r\n]/.test(text) ? `"${text.replace(/"/g, `""`)}"` : text
  return [names, ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("")
}
