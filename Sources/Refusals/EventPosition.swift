internal import Base

/// A reader's position in the event log: behind one event. Its token holds that event's number and the first bytes of
/// the event's hash, because a log that was restored from a backup gives the same numbers to other events; there the
/// position is refused.
///
/// A caller may also make a token from nothing but the number of an event that it has seen.
public struct EventPosition: Hashable, Sendable {
  /// The rule of the refusal of a position that the log does not have. The reader has to start from the beginning.
  public static let unknown = "position_unknown"
  /// The rule of the refusal of a text that is no token.
  public static let unreadable = "bad_page_token"
  public static let markLength = 8

  public let sequence: Int64
  /// The first bytes of the event's chain hash; empty if the token had only a number, and at the beginning of the log.
  public let mark: [UInt8]

  public init(sequence: Int64, mark: [UInt8]) {
    (self.sequence, self.mark) = (sequence, mark)
  }

  /// - Parameter token: `page_token`; empty for the beginning.
  public init(token: String) throws(Refusal) {
    let parts = token.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let mark = parts.count == 2 ? Hex.decode(parts[1]) : []
    guard let sequence = token.isEmpty ? 0 : parts.first.flatMap({ Int64($0) }), sequence >= 0, let mark,
      mark.count == (parts.count == 2 ? Self.markLength : 0)
    else {
      throw Refusal(
        .invalid, Self.unreadable, field: "page_token",
        "page_token is '\(token.shortened)'; it must be a next_page_token or the number of an event")
    }
    self.init(sequence: sequence, mark: mark)
  }

  public var token: String { mark.isEmpty ? String(sequence) : "\(sequence).\(Hex.encode(mark))" }
}
