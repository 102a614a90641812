internal import ConsentContract
internal import ConsentDomain
internal import Wire

extension VersionState {
  /// Those that were published, in a list of SQL.
  static let everPublishedNumbers = everPublished.map { String($0.number) }.joined(separator: ", ")
}
