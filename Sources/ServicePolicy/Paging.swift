public import Storage

/// The page that a call asks for: one bound, one form of token and one error in every list of every service.
public struct PageRequest: Hashable, Sendable {
  /// The size of a page if the request states none.
  public static let usualSize = 100
  /// The greatest size of a page.
  public static let largestSize = 1000

  public let limit: Int
  /// nil for the first page.
  public let cursor: PageCursor?

  /// - Parameters:
  ///   - size: `page_size`; 0 for the usual one.
  ///   - token: `page_token`; empty for the first page.
  public init(size: Int32, token: String = "") throws(Refusal) {
    guard (0...Self.largestSize).contains(Int(size)) else {
      throw Refusal(
        .invalid, "page_size_out_of_bounds", field: "page_size",
        "page_size is \(size); it must be 1 to \(Self.largestSize), or 0 for \(Self.usualSize)")
    }
    limit = size == 0 ? Self.usualSize : Int(size)
    cursor = token.isEmpty ? nil : PageCursor(text: token)
  }
}

extension PageRequest {
  /// The page of a list in memory, and the token of the next page, which is the name of the last thing on this page.
  ///
  /// - Parameter things: the whole list, in order.
  public func page<Thing>(
    of things: [Thing], named name: (Thing) -> String
  ) throws(DatabaseError) -> (things: [Thing], nextToken: String) {
    var rest = things[...]
    if let cursor {
      guard let last = things.firstIndex(where: { name($0) == cursor.text }) else {
        throw DatabaseError(.badCursor, "the cursor does not belong to this list")
      }
      rest = things[(last + 1)...]
    }
    let page = Array(rest.prefix(limit))
    return (page, rest.count > limit ? page.last.map(name) ?? "" : "")
  }
}

extension Page {
  /// The token of the next page; empty on the last one.
  public var nextToken: String { next?.text ?? "" }
}

extension Snapshot {
  /// The page that a call asks for, of a list whose statement has `{after …}` or `{before …}`.
  public func page<each Parameter: Storable>(
    _ statement: Statement, _ parameters: repeat each Parameter, at page: PageRequest
  ) throws(DatabaseError) -> Page {
    try self.page(statement, repeat each parameters, after: page.cursor, limit: page.limit)
  }
}
