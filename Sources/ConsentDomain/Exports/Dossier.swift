package import Base
package import CommonContract
package import ConsentContract
internal import Wire

/// What a dossier says: the records of a participant or of a study with everything that happened to them.
///
/// It is for inspectors and in English, as the names of what happened are that stand in the trail.
package struct Dossier: Sendable {
  /// A record with its history, opened, and what is said of it besides.
  package struct Part: Sendable {
    let record: ConsentRecord
    /// The title of what was shown, in the record's language.
    let title: String

    package var recordID: String { record.recordID }

    package init(_ record: ConsentRecord, title: String) { (self.record, self.title) = (record, title) }
  }

  package var study: ConsentStudy
  package var request: ExportDossierRequest
  /// Who had it made, and when.
  package var maker: String
  package var made: Instant
  package var parts: [Part] = []
  package var decisions: [ConsentDecision] = []
  package private(set) var trail: [TrailEntry] = []
  package private(set) var trailCount = 0
  package private(set) var looks = DossierLooks()
  /// The names of the logs that evidence comes from, and the public key that signs their heads.
  package var evidence: (log: String, key: String)

  /// How many entries of the trail stand on pages. All are in the table that is attached.
  package static let mostShown = 1000

  package init(
    of study: ConsentStudy, for request: ExportDossierRequest, by maker: String, at made: Instant,
    evidence: (log: String, key: String)
  ) {
    (self.study, self.request, self.maker, self.made) = (study, request, maker, made)
    self.evidence = evidence
  }

  package mutating func add(_ entry: TrailEntry) {
    trailCount += 1
    looks.add(entry)
    if trail.count < Self.mostShown { trail.append(entry) }
  }

  package var title: String {
    request.subjectID.isEmpty ? "Dossier of study \(study.studyID)" : "Dossier of participant \(request.subjectID)"
  }
}

/// Who looked at people's data, and who was refused: one line for a person, a right and a purpose.
package struct DossierLooks: Sendable {
  package struct Key: Hashable, Comparable, Sendable {
    let actor, capacity, purpose: String
    let isRefused: Bool

    package static func < (left: Key, right: Key) -> Bool {
      (left.actor, left.capacity, left.purpose, left.isRefused ? 1 : 0)
        < (right.actor, right.capacity, right.purpose, right.isRefused ? 1 : 0)
    }
  }

  package struct Times: Sendable {
    var count: Int
    let first: Instant
    var last: Instant
  }

  private(set) var all: [Key: Times] = [:]

  mutating func add(_ entry: TrailEntry) {
    guard entry.kind == .read || entry.kind == .denied else { return }
    let isRefused = entry.kind == .denied
    let key = Key(
      actor: entry.actor, capacity: entry.capacity, purpose: isRefused ? entry.method : entry.purpose,
      isRefused: isRefused)
    let (at, count) = (entry.at.orEpoch, Int(max(entry.count, 1)))
    all[key, default: Times(count: 0, first: at, last: at)].count += count
    all[key]?.last = at
  }
}
