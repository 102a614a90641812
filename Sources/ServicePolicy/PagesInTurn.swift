internal import Storage

/// Pages through several lists, one after the other, such as what a person has under each of several identifiers.
public struct PagesInTurn: Sendable {
  private let size: Int32
  private let token: String

  /// - Parameters:
  ///   - size: `page_size`.
  ///   - token: `page_token`: for the first list that list's own token; for a later list its index, a full stop and its
  ///     own token.
  public init(size: Int32, token: String) {
    (self.size, self.token) = (size, token)
  }

  /// A page, and the token of the next one, which is empty on the last page. Only the last page can have no things.
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
