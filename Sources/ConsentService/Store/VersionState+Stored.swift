internal import ConsentContract
internal import ConsentDomain
internal import Storage
internal import Wire

/// A version of a document or a flow of which only the state is read.
struct StatedVersion {
  /// The version's row, which has its state in the column `state`.
  let row: CommittedRow
  /// Reads that column, where there is no map of rows.
  let read: Statement
  let id: String
  let number: Int32
}

extension VersionState {
  /// The states of versions that are or were published, as a list of numbers for SQL.
  static let everPublishedNumbers = everPublished.map { String($0.number) }.joined(separator: ", ")

  /// The states of versions, in their order; `.unspecified` for a version that does not exist. They are the states to
  /// which the log commits, whatever somebody has made of the rows; without a map of rows, those in the rows. A session
  /// asks for them at each step, and a version may have megabytes, so versions are not read for this.
  static func states(of versions: [StatedVersion], _ snapshot: Snapshot) throws -> [VersionState] {
    let numbers: [Int64?]
    if snapshot.hasRowMap {
      numbers = try snapshot.committedNumbers("state", of: versions.map(\.row))
    } else {
      numbers = try versions.map { version in
        try snapshot.first(version.read, version.id, Int64(version.number))?.get("state", as: Int64.self)
      }
    }
    return numbers.map { VersionState(number: Int32(truncatingIfNeeded: $0 ?? 0)) }
  }
}
