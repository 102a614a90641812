internal import ConsentContract
internal import ConsentDomain
internal import Storage

extension VersionState {
  /// The states of versions that are or were published, as a list of numbers for SQL.
  static let everPublishedNumbers = everPublished.map { String($0.number) }.joined(separator: ", ")

  /// The state in a version's row; `.unspecified` without a row.
  init(in row: Row?) throws {
    self.init(number: Int32(truncatingIfNeeded: try row?.get("state", as: Int64.self) ?? 0))
  }
}
