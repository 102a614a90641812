internal import Base

extension Snapshot {
  /// The values of an integer column in rows, as the newest events commit to them; nil for a row that does not exist
  /// and to which no event commits. Works only with a map of rows.
  ///
  /// A row, which may have megabytes, is read and hashed only if this process has not done so since the row's newest
  /// event. So an altered row may not be detected here, but the altered value is not used either.
  public func committedNumbers(_ column: String, of rows: [CommittedRow]) throws(DatabaseError) -> [Int64?] {
    let digests = try MappedRows(rows, in: self).committed()
    var numbers: [Int64?] = []
    for (row, digest) in zip(rows, digests) {
      if let digest, let known = context.rowMaps.number(in: column, of: digest) {
        numbers.append(known)
      } else {
        numbers.append(try verifiedNumber(column, of: row, isKnown: digest != nil))
      }
    }
    return numbers
  }

  private func verifiedNumber(
    _ column: String, of row: CommittedRow, isKnown: Bool
  ) throws(DatabaseError) -> Int64? {
    let reading = RowReading(table: try coverage(of: row), connection: connection)
    if !isKnown, try reading.digest(of: tenant, key: row.key) == nil { return nil }
    try verify([row])
    let title = RowChange.title(of: RowChange.key(row.key), in: row.table)
    guard let found = try reading.row(of: tenant, key: row.key) else {
      throw DatabaseError(.corrupt, "tenant '\(tenant)': \(title) is gone")
    }
    guard case .integer(let number)? = found.columns.first(where: { $0.name == column })?.value else {
      throw DatabaseError(.badStatement, "\(title) has no integer in a committed column '\(column)'")
    }
    // Cached by the hash of the row that was read, so that the entry stays true whatever is committed meanwhile.
    context.rowMaps.add(number, in: column, of: found.digest)
    return number
  }
}
