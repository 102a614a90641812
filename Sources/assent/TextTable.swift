/// Rows in columns that are as wide as their widest cell.
struct TextTable {
  let heading: [String]
  let rows: [[String]]

  var text: String {
    let lines = [heading] + rows
    let widths = heading.indices.map { column in lines.map { TextColumns.width(of: $0[column]) }.max() ?? 0 }
    return lines.map { line in
      let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - TextColumns.width(of: $0)) }
      let text = cells.joined(separator: "  ")
      return String(text.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}
