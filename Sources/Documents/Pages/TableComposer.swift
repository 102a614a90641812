internal import PDF

/// Tables: columns are as wide as their words need, and rows stay whole if a page has room for them.
extension BlockComposer {
  private static let padding = 4.0
  private static let border = RGB(150, 150, 150)
  private static let headFill = RGB(238, 240, 243)
  static let mostColumns = 64

  func table(_ table: TableBlock, in parent: StructureTree.ID, _ column: Column) throws(DocumentError) -> [Row] {
    let element = document.tree.add("Table", in: parent)
    var rows: [Row] = []
    if !table.caption.isEmpty {
      rows = try caption(table.caption, in: element, column)
      for index in rows.indices { rows[index].keepsWithNext = true }
    }
    guard table.rows.contains(where: { !$0.cells.isEmpty }) else { return rows }
    let grid = try TableGrid(table, mostColumns: Self.mostColumns)
    let widths = try self.widths(grid, total: column.width)
    var head: StructureTree.ID?
    var body: StructureTree.ID?
    var built: [BuiltRow] = []
    for (index, row) in grid.rows.enumerated() {
      let group: StructureTree.ID
      if table.rows[index].isHead, body == nil {
        group = head ?? document.tree.add("THead", in: element)
        head = group
      } else {
        group = body ?? document.tree.add("TBody", in: element)
        body = group
      }
      let rowElement = document.tree.add("TR", in: group)
      var cells: [BuiltCell] = []
      for placed in row {
        cells.append(try build(placed, rowElement, widths, column, isHeadRow: table.rows[index].isHead))
      }
      built.append(BuiltRow(cells))
    }
    let headCount = table.rows.prefix(while: \.isHead).count
    var headRows: [Row] = []
    var repeated: Row.Head?
    var end = 0
    for index in built.indices {
      // One of the tables around a cell may repeat its head there.
      let room = column.isInCell ? bodyHeight / 2 : bodyHeight - (repeated?.height ?? 0)
      if index == end {
        end = (grid.isSpanned[index...].firstIndex(of: false) ?? index) + 1
        Self.fit(&built, index..<end, room: room)
      }
      let row = built[index]
      let span = row.cells.map(\.rowSpan).max() ?? 1
      var made = self.rows(
        row.cells, heights: built[index..<(index + span)].map(\.height), room: room)
      // Not for the last row, whose reach may differ from its height by a rounding error.
      if index < end - 1, row.reach > row.height { (made[0].reach, made[0].keepsWithNext) = (row.reach, true) }
      if index == 0 { made[0].gap = 8 }
      if index < headCount {
        // The head stays on the page of the row below it.
        made[made.count - 1].keepsWithNext = true
        headRows += made
        if index == headCount - 1 {
          let head = Row.Head(headRows)
          if head.height < bodyHeight / 4 { repeated = head }
        }
      } else {
        for place in made.indices { made[place].head = repeated }
      }
      rows += made
    }
    return rows
  }

  /// A caption of one paragraph becomes that paragraph's element; one of several blocks contains theirs.
  private func caption(
    _ blocks: [Block], in table: StructureTree.ID, _ column: Column
  ) throws(DocumentError) -> [Row] {
    if blocks.count == 1, case .paragraph(let text) = blocks[0] {
      return try paragraph(text, role: "Caption", in: table, column)
    }
    return try rows(blocks, in: document.tree.add("Caption", in: table), column)
  }

  private struct BuiltCell {
    let isHead: Bool
    let left: Double
    let width: Double
    /// How many of the table's rows it spans.
    var rowSpan: Int
    let rows: [Row]

    var height: Double {
      rows.enumerated().reduce(padding * 2) { $0 + $1.element.height + ($1.offset == 0 ? 0 : $1.element.gap) }
    }
  }

  private struct BuiltRow {
    var cells: [BuiltCell]
    var height: Double
    /// The height including rows below that a cell spans, beginning in this row or above.
    var reach = 0.0

    init(_ cells: [BuiltCell]) {
      self.cells = cells
      height = cells.filter { $0.rowSpan == 1 }.map(\.height).max() ?? padding * 2
    }
  }

  private func build(
    _ placed: TableGrid.Placed, _ row: StructureTree.ID, _ widths: [Double], _ column: Column, isHeadRow: Bool
  ) throws(DocumentError) -> BuiltCell {
    let cell = placed.cell
    var attributes = StructureTree.Attributes()
    (attributes.rowSpan, attributes.columnSpan) = (placed.rowSpan, placed.columnSpan)
    if cell.isHead {
      switch cell.scope {
      case "row", "rowgroup": attributes.scope = .row
      case "col", "colgroup": attributes.scope = .column
      default: attributes.scope = isHeadRow || placed.row == 0 ? .column : .row
      }
    }
    let element = document.tree.add(cell.isHead ? "TH" : "TD", in: row, attributes)
    let before = widths[..<placed.column].reduce(0, +)
    let width = widths[placed.column..<(placed.column + placed.columnSpan)].reduce(0, +)
    let total = widths.reduce(0, +)
    let left = column.left + (isRightToLeft ? column.width - before - width : before)
    let inner = Column(left: left + Self.padding, width: max(width - Self.padding * 2, 0), isInCell: true)
    precondition(before + width <= total + 0.1, "a cell stands within its table")
    return BuiltCell(
      isHead: cell.isHead, left: left, width: width, rowSpan: placed.rowSpan,
      rows: try rows(cell.blocks, in: element, inner))
  }

  /// Raises rows until the cells that span them fit: for each cell, its last row. If a page has no room for all of
  /// these rows together, a cell gets its whole height in its first row, and may continue on further pages there.
  private static func fit(_ rows: inout [BuiltRow], _ group: Range<Int>, room: Double) {
    guard group.count > 1 else { return }
    var stretched = Array(rows[group])
    for index in stretched.indices {
      for cell in stretched[index].cells where cell.rowSpan > 1 {
        let last = index + cell.rowSpan - 1
        let height = stretched[index...last].reduce(0) { $0 + $1.height }
        if cell.height > height { stretched[last].height += cell.height - height }
      }
    }
    var reach = stretched.reduce(0) { $0 + $1.height }
    guard reach <= room * 0.95 else {
      for index in group {
        for place in rows[index].cells.indices { rows[index].cells[place].rowSpan = 1 }
        rows[index] = BuiltRow(rows[index].cells)
      }
      return
    }
    for index in stretched.indices {
      stretched[index].reach = reach
      reach -= stretched[index].height
    }
    rows.replaceSubrange(group, with: stretched)
  }

  /// One row, or several if it is higher than a page.
  ///
  /// - Parameter room: the height of a page below what is repeated on it.
  private func rows(_ cells: [BuiltCell], heights: [Double], room: Double) -> [Row] {
    let height = heights[0]
    var slices: [[(cell: BuiltCell, rows: ArraySlice<Row>, height: Double)]] = []
    if height <= room * 0.95 {
      slices = [
        cells.map { cell in
          (cell, cell.rows[...], heights.prefix(cell.rowSpan).reduce(0, +))
        }
      ]
    } else {
      var rest = cells.map { $0.rows[...] }
      while slices.isEmpty || rest.contains(where: { !$0.isEmpty }) {
        var slice: [(cell: BuiltCell, rows: ArraySlice<Row>, height: Double)] = []
        for (index, cell) in cells.enumerated() {
          var used = Self.padding * 2
          var end = rest[index].startIndex
          while end < rest[index].endIndex {
            let next = rest[index][end]
            let gap = end == rest[index].startIndex ? 0 : next.gap
            if used + gap + next.extent > room * 0.95, end > rest[index].startIndex { break }
            used += gap + next.height
            end += 1
          }
          slice.append((cell, rest[index][..<end], used))
          rest[index] = rest[index][end...]
        }
        let highest = slice.map(\.height).max() ?? 0
        slices.append(slice.map { ($0.cell, $0.rows, highest) })
      }
    }
    return slices.map { slice in
      Row(
        height: slices.count == 1 ? height : slice.map(\.height).max() ?? 0,
        drawn: slice.flatMap { draw($0.cell, $0.rows, $0.height) })
    }
  }

  private func draw(_ cell: BuiltCell, _ rows: ArraySlice<Row>, _ height: Double) -> [Row.Drawn] {
    var drawn: [Row.Drawn] = []
    if cell.isHead {
      drawn.append(Row.Drawn(x: cell.left, y: 0, kind: .fill(width: cell.width, height: height, Self.headFill)))
    }
    let line = 0.5
    for (x, y, width, height) in [
      (cell.left, 0, cell.width, line), (cell.left, height - line, cell.width, line),
      (cell.left, 0, line, height), (cell.left + cell.width - line, 0, line, height),
    ] {
      drawn.append(Row.Drawn(x: x, y: y, kind: .fill(width: width, height: height, Self.border)))
    }
    var top = Self.padding
    for (index, row) in rows.enumerated() {
      if index > 0 { top += row.gap }
      drawn += row.moved(down: top)
      top += row.height
    }
    return drawn
  }

  // MARK: - Widths

  /// Each column gets the width of its longest word. The rest goes to columns with more text.
  private func widths(_ grid: TableGrid, total: Double) throws(DocumentError) -> [Double] {
    var least = [Double](repeating: 12, count: grid.columns)
    var natural = least
    for placed in grid.rows.joined() {
      let (smallest, wish) = try measure(placed.cell.blocks)
      let span = Double(placed.columnSpan)
      for column in placed.column..<(placed.column + placed.columnSpan) {
        least[column] = max(least[column], (smallest + Self.padding * 2) / span)
        natural[column] = max(natural[column], (wish + Self.padding * 2) / span)
      }
    }
    let (leastSum, naturalSum) = (least.reduce(0, +), natural.reduce(0, +))
    if leastSum >= total { return Self.shared(least, total) }
    if naturalSum <= total { return natural.map { $0 * total / naturalSum } }
    let share = (total - leastSum) / (naturalSum - leastSum)
    return zip(least, natural).map { $0 + ($1 - $0) * share }
  }

  /// If there is not enough room, columns that need less than an equal share keep what they need, and the others share
  /// the rest.
  private static func shared(_ least: [Double], _ total: Double) -> [Double] {
    var widths = least
    var rest = total
    var wide = Array(least.indices)
    while true {
      let share = rest / Double(max(wide.count, 1))
      let narrow = wide.filter { least[$0] <= share }
      guard !narrow.isEmpty else {
        for index in wide { widths[index] = share }
        return widths
      }
      rest -= narrow.reduce(0) { $0 + least[$1] }
      wide.removeAll { least[$0] <= share }
    }
  }

  private func measure(_ blocks: [Block]) throws(DocumentError) -> (least: Double, natural: Double) {
    var least = 0.0
    var natural = 0.0
    for block in blocks {
      var (smallest, wish) = (0.0, 0.0)
      switch block {
      case .heading(_, let paragraph), .paragraph(let paragraph):
        let set = try setter.set(paragraph, size: Self.bodySize, isRightToLeft: isRightToLeft)
        (smallest, wish) = (set.leastWidth, set.naturalWidth)
      case .list(let list):
        (smallest, wish) = try measure(list.items.flatMap(\.blocks))
        (smallest, wish) = (smallest + 20, wish + 20)
      case .quote(let inner):
        (smallest, wish) = try measure(inner)
        (smallest, wish) = (smallest + 18, wish + 18)
      case .table: (smallest, wish) = (60, 300)
      case .picture(_, _, let width, _): (smallest, wish) = (40, (width ?? 200) * 0.75)
      case .rule: break
      }
      least = max(least, smallest)
      natural = max(natural, wish)
    }
    // Slightly more than measured, so that rounding never breaks a line.
    return (least + 0.5, natural + 0.5)
  }
}
