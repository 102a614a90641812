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
        numbers.append(try readNumber(column, of: row, committed: digest))
      }
    }
    return numbers
  }

  /// The value in a row as it is read now, if the row has the hash to which its newest event commits. The value that is
  /// returned and the hash that is compared are those of one reading: in a change, the row may be another one by the
  /// next statement.
  private func readNumber(
    _ column: String, of row: CommittedRow, committed digest: Digest?
  ) throws(DatabaseError) -> Int64? {
    let reading = RowReading(table: try coverage(of: row), connection: connection)
    let title = RowChange.title(of: RowChange.key(row.key), in: row.table)
    var committed = digest
    var last: (found: Digest?, committed: Digest?)?
    for _ in 0..<MappedRows.attempts {
      let found = try reading.row(of: tenant, key: row.key)
      if found?.digest == committed {
        guard let found else { return nil }
        guard case .integer(let number)? = found.columns.first(where: { $0.name == column })?.value else {
          throw DatabaseError(.badStatement, "\(title) has no integer in a committed column '\(column)'")
        }
        context.rowMaps.add(number, in: column, of: found.digest)
        return number
      }
      if let last, last == (found: found?.digest, committed: committed) {
        throw DatabaseError(
          .corrupt, "tenant '\(tenant)': \(title) is not what was committed to: it was altered or removed")
      }
      // The row may have been changed between the two statements, so both are read once more.
      last = (found: found?.digest, committed: committed)
      committed = try MappedRows([row], in: self).committed().first ?? nil
    }
    throw DatabaseError(.serializationFailure, "\(title) is changed by others all the time")
  }
}
