internal import Storage

/// Pages of several lists, those of one after those of another: what a person has under several identifiers.
public struct PagesInTurn: Sendable {
  private let size: Int32
  private let token: String

  /// - Parameters:
  ///   - size: `page_size`.
  ///   - token: `page_token`: of the first list its own, of the others with the list's place before a point.
  public init(size: Int32, token: String) {
    (self.size, self.token) = (size, token)
  }

  /// A page, and the token of the next one; empty on the last one. None is empty while a list has something.
  public func page<Name, Thing>(
    of lists: [Name], _ read: (Name, PageRequest) throws -> ([Thing], String)
  ) throws -> ([Thing], String) {
    let parts = token.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var number = parts.count == 2 ? Int(parts[0]) ?? -1 : 0
    guard lists.indices.contains(number) else {
      throw DatabaseError(.badCursor, "the cursor does not belong to this list")
    }
    var (things, next) = try read(lists[number], try PageRequest(size: size, token: parts.last ?? ""))
    while things.isEmpty, next.isEmpty, number + 1 < lists.count {
      number += 1
      (things, next) = try read(lists[number], try PageRequest(size: size))
    }
    if !next.isEmpty { return (things, number == 0 ? next : "\(number).\(next)") }
    return (things, number + 1 < lists.count ? "\(number + 1)." : "")
  }
}
