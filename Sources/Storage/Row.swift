/// One row of an answer; columns are read by name, as the type that the reader expects.
public struct Row: Sendable {
  let values: [Value]
  let shape: RowShape

  /// The column as the type that is wanted; the error names statement, column and both types.
  @inlinable
  public func get<Column: Storable>(_ name: String, as type: Column.Type = Column.self) throws(DatabaseError) -> Column
  {
    try get(try index(of: name))
  }

  /// The column at a position, for answers of one column and for hot loops.
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
    // A server may answer with fewer columns than the statement asks for.
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

/// What all rows of one statement have in common.
final class RowShape: Sendable {
  let statement: String
  let columns: [String]

  init(statement: String, columns: [String]) {
    self.statement = statement
    self.columns = columns
  }

  /// A dozen short names are found faster by comparing than by hashing.
  func index(of name: String) -> Int? {
    columns.firstIndex(of: name)
  }
}
