internal import ConsentContract
internal import ConsentDomain
internal import Wire

extension VersionState {
  /// The numbers of all states after publishing, as a list for SQL.
  static let everPublishedNumbers = everPublished.map { String($0.number) }.joined(separator: ", ")
}
