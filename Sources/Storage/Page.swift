internal import Base

/// Some rows of a list, and a cursor for the next ones.
public struct Page: Sendable {
  public let rows: [Row]
  /// nil on the last page.
  public let next: PageCursor?
}

/// A place in a list: the key of the last row of a page, as opaque text for clients.
public struct PageCursor: Hashable, Sendable {
  public let text: String

  /// Accepts any text that a client sends. A cursor that does not belong to a list is refused when the list is read.
  public init(text: String) {
    self.text = text
  }

  /// A cursor behind a row, for a reader that stops before the end of a page.
  public init(of row: Row, for statement: Statement) throws(DatabaseError) {
    var bytes = statement.cursorTag
    for column in statement.cursorColumns {
      // A column `c.created_ms` of the condition is named `created_ms` in the result.
      let name = column.split(separator: ".").last.map(String.init) ?? column
      ValueCoding.append(try row.get(name, as: Value.self), to: &bytes)
    }
    text = Base64URL.encode(bytes)
  }

  /// A cursor before the first row whose key is greater than `key`, to read a list from somewhere in its middle. `key`
  /// has one value for each of the list's cursor columns.
  package init(after key: [Value], for statement: Statement) {
    precondition(key.count == statement.cursorColumns.count, "'\(statement.name)' has another key")
    var bytes = statement.cursorTag
    for value in key { ValueCoding.append(value, to: &bytes) }
    text = Base64URL.encode(bytes)
  }

  func values(for statement: Statement) throws(DatabaseError) -> [Value] {
    guard let bytes = Base64URL.decode(text), bytes.starts(with: statement.cursorTag) else { throw Self.refusal }
    var rest = bytes.dropFirst(statement.cursorTag.count)
    var values: [Value] = []
    while !rest.isEmpty {
      guard let value = ValueCoding.take(from: &rest) else { throw Self.refusal }
      values.append(value)
    }
    guard values.count == statement.cursorColumns.count else { throw Self.refusal }
    return values
  }

  private static var refusal: DatabaseError { DatabaseError(.badCursor, "the cursor does not belong to this list") }
}

extension Statement {
  /// The first bytes of every cursor of this list, by which a cursor of another list is refused.
  fileprivate var cursorTag: [UInt8] { Array(Digest(of: Array(name.utf8)).bytes.prefix(4)) }
}
