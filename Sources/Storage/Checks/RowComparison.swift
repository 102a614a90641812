internal import Base

/// Compares a tenant's rows in one table with what the log last committed to for each.
struct RowComparison {
  /// What the last event about a row commits to.
  struct Saying {
    /// The row's hash; nil if the event says that the row was removed.
    let digest: Digest?
    let event: Int64
    /// Whether a row with this key was found.
    var isMet = false
    /// Whether a row with this key matches, or was reported as a problem.
    var isSettled = false
  }

  private let table: String
  private var sayings: [[UInt8]: Saying]
  private let progress: DataProgress
  /// How many rows match what events committed to.
  private(set) var fitting = 0

  init(of table: String, _ sayings: [[UInt8]: Saying], progress: @escaping DataProgress = { _, _ in }) {
    (self.table, self.sayings, self.progress) = (table, sayings, progress)
  }

  /// - Parameters:
  ///   - shapes: the table's shapes, the newest first. A row that has not changed since an earlier one is hashed by
  ///     that one.
  ///   - note: called for each row that differs from what events say.
  mutating func compare(
    _ tenant: Tenant, _ shapes: [RowShapeText], over connection: any Connection, note: (String) -> Void
  ) throws {
    var count = 0
    let what = "rows of table '\(table)' of tenant '\(tenant)' are compared"
    for (age, shape) in shapes.enumerated() {
      let reading = RowReading(name: table, shape: shape, connection: connection)
      try reading.each(of: tenant) { row in
        compare(row, isNewest: age == 0, isOldest: age == shapes.count - 1, note)
        count += 1
        progress(count, what)
      }
    }
  }

  private mutating func compare(
    _ row: RowReading.FoundRow, isNewest: Bool, isOldest: Bool, _ note: (String) -> Void
  ) {
    let title = title(row.key)
    guard let saying = sayings[row.key] else {
      if isNewest { note("\(title): no event tells of it") }
      return
    }
    if isNewest {
      // Possible only if somebody removed the table's own key.
      if saying.isMet { return note("\(title) is there more than once") }
      sayings[row.key]?.isMet = true
    }
    if saying.isSettled { return }
    guard let digest = saying.digest else {
      if isNewest { note("\(title) is there, and event \(saying.event) tells of its removal") }
      return
    }
    if digest == row.digest {
      sayings[row.key]?.isSettled = true
      fitting += 1
    } else if isOldest {
      note("\(title) is not what event \(saying.event) committed to")
      sayings[row.key]?.isSettled = true
    }
  }

  /// One line for each missing row, in the order of the events that committed to them.
  var missing: [String] {
    sayings.filter { !$0.value.isSettled && $0.value.digest != nil }.sorted { $0.value.event < $1.value.event }
      .map { "\(title($0.key)) is gone, and event \($0.value.event) committed to it" }
  }

  private func title(_ key: [UInt8]) -> String { RowChange.title(of: key, in: table) }
}
