/// One row of an answer; columns are read by name, as the type that the reader expects.
public struct Row: Sendable {
  let values: [Value]
  let shape: RowShape

  /// The column as the type that is wanted; the error names statement, column and both types.
  public func get<Column: Storable>(_ name: String, as type: Column.Type = Column.self) throws(DatabaseError) -> Column
  {
    guard let index = shape.index(of: name) else {
      throw DatabaseError(
        .unexpectedRow,
        "statement '\(shape.statement)' has no column '\(name)'; it has \(shape.columns.joined(separator: ", "))")
    }
    return try get(index)
  }

  /// The column at a position, for answers of one column and for loops that count every nanosecond.
  public func get<Column: Storable>(_ index: Int, as type: Column.Type = Column.self) throws(DatabaseError) -> Column {
    precondition(values.indices.contains(index), "statement '\(shape.statement)' has \(values.count) columns")
    guard let column = Column(storedValue: values[index]) else {
      throw DatabaseError(
        .unexpectedRow,
        "column '\(shape.columns[index])' of statement '\(shape.statement)' holds \(values[index].kind), not \(Column.self)"
      )
    }
    return column
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

  /// A dozen short names are found faster by looking than by hashing.
  func index(of name: String) -> Int? {
    columns.firstIndex(of: name)
  }
}
