/// Where each cell of a table stands, with those that span several rows or columns.
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

  init(_ table: TableBlock) {
    // For each column, the first row that is free again.
    var freeFrom: [Int] = []
    for (index, row) in table.rows.enumerated() {
      var placed: [Placed] = []
      var column = 0
      for cell in row.cells {
        while column < freeFrom.count, freeFrom[column] > index { column += 1 }
        let rowSpan = min(cell.rowSpan, table.rows.count - index)
        placed.append(
          Placed(cell: cell, row: index, column: column, columnSpan: cell.columnSpan, rowSpan: rowSpan))
        while freeFrom.count < column + cell.columnSpan { freeFrom.append(0) }
        for covered in column..<(column + cell.columnSpan) { freeFrom[covered] = index + rowSpan }
        column += cell.columnSpan
      }
      rows.append(placed)
      columns = max(columns, freeFrom.count)
    }
  }

  /// Whether a cell reaches from this row into the next.
  func isSpanned(across row: Int) -> Bool {
    rows.joined().contains { $0.row <= row && $0.row + $0.rowSpan > row + 1 }
  }
}
