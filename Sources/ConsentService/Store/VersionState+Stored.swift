internal import ConsentContract
internal import ConsentDomain
internal import Wire

extension VersionState {
  /// The states of versions that are or were published, as a list of numbers for SQL.
  static let everPublishedNumbers = everPublished.map { String($0.number) }.joined(separator: ", ")
}
