/// The position of each cell of a table, considering cells that span rows or columns.
struct TableGrid {
  struct Placed {
    let cell: TableBlock.Cell
    let row: Int
    let column: Int
    let columnSpan: Int
    let rowSpan: Int
  }

  private(set) var rows: [[Placed]] = []
  private(set) var columns = 1
  /// For each row, whether a cell spans it and the next one.
  private(set) var isSpanned: [Bool]

  /// - Throws: when there are more columns than a page has room for, before they cost time or memory.
  init(_ table: TableBlock, mostColumns: Int) throws(DocumentError) {
    // For each column, the first row that is free again.
    var freeFrom: [Int] = []
    isSpanned = Array(repeating: false, count: table.rows.count)
    var reaches = 0
    let ends = Self.endsOfGroups(table.rows)
    for (index, row) in table.rows.enumerated() {
      var placed: [Placed] = []
      var column = 0
      for cell in row.cells {
        while column < freeFrom.count, freeFrom[column] > index { column += 1 }
        let rowSpan = min(cell.rowSpan, ends[index] - index)
        reaches = max(reaches, index + rowSpan)
        guard column + cell.columnSpan <= mostColumns else {
          throw .malformed(place: "a table", finding: "has more than \(mostColumns) columns")
        }
        while freeFrom.count < column + cell.columnSpan { freeFrom.append(0) }
        // A cell ends where one from a row above reaches down. Browsers draw both over each other, which is unreadable.
        let columns = column..<(column + cell.columnSpan)
        let end = columns.first { freeFrom[$0] > index } ?? columns.upperBound
        placed.append(
          Placed(cell: cell, row: index, column: column, columnSpan: end - column, rowSpan: rowSpan))
        for covered in column..<end { freeFrom[covered] = index + rowSpan }
        column = end
      }
      isSpanned[index] = reaches > index + 1
      rows.append(placed)
      columns = max(columns, freeFrom.count)
    }
  }

  /// For each row, the end of the head or body that it is in: no cell spans further, as in browsers.
  private static func endsOfGroups(_ rows: [TableBlock.Row]) -> [Int] {
    var ends = [Int](repeating: rows.count, count: rows.count)
    for index in rows.indices.dropLast().reversed() {
      ends[index] = rows[index].isHead == rows[index + 1].isHead ? ends[index + 1] : index + 1
    }
    return ends
  }
}
