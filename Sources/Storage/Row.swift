/// One row of a result. Columns are read by name, as the type that the reader expects.
public struct Row: Sendable {
  let values: [Value]
  let shape: RowShape

  /// The column as the requested type. The error names the statement, the column and both types.
  @inlinable
  public func get<Column: Storable>(_ name: String, as type: Column.Type = Column.self) throws(DatabaseError) -> Column
  {
    try get(try index(of: name))
  }

  /// The column at a position, for results of one column and for hot loops.
  @inlinable
  public func get<Column: Storable>(_ index: Int, as type: Column.Type = Column.self) throws(DatabaseError) -> Column {
    let value = try self.value(at: index)
    guard let column = Column(storedValue: value) else { throw refusal(at: index, wanted: "\(Column.self)") }
    return column
  }

  @usableFromInline func index(of name: String) throws(DatabaseError) -> Int {
    if let index = shape.index(of: name) { return index }
    throw DatabaseError(
      .unexpectedRow,
      "statement '\(shape.statement)' has no column '\(name)'; it has \(shape.columns.joined(separator: ", "))")
  }

  @usableFromInline func value(at index: Int) throws(DatabaseError) -> Value {
    // A server may return fewer columns than the statement selects.
    guard values.indices.contains(index) else {
      throw DatabaseError(
        .unexpectedRow, "statement '\(shape.statement)' has no column \(index + 1); it has \(values.count)")
    }
    return values[index]
  }

  @usableFromInline func refusal(at index: Int, wanted: String) -> DatabaseError {
    DatabaseError(
      .unexpectedRow,
      "column '\(shape.columns[index])' of statement '\(shape.statement)' holds \(values[index].kind), not \(wanted)")
  }
}

/// The statement and the names of columns that all rows of one result share.
final class RowShape: Sendable {
  let statement: String
  let columns: [String]

  init(statement: String, columns: [String]) {
    self.statement = statement
    self.columns = columns
  }

  /// Searches linearly: among a dozen short names that is faster than hashing.
  func index(of name: String) -> Int? {
    columns.firstIndex(of: name)
  }
}
