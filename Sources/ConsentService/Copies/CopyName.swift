internal import ConsentContract

/// The name of one of a record's two files: the one that all have signed, and the participant's, which is sealed when
/// participant and guardians have signed and others still have to.
struct CopyName: Hashable, Sendable, CustomStringConvertible {
  let recordID: String
  let part: Part

  enum Part: CaseIterable, Sendable {
    case whole, participant
  }

  private static let ending = "/participant"

  init(_ recordID: String, _ part: Part = .whole) {
    (self.recordID, self.part) = (recordID, part)
  }

  /// Reads a name back from its description, in a job's payload or as the identifier of a reminder.
  init(reading text: some StringProtocol) {
    let isWhole = !text.hasSuffix(Self.ending)
    recordID = isWhole ? String(text) : String(text.dropLast(Self.ending.count))
    part = isWhole ? .whole : .participant
  }

  var description: String { part == .whole ? recordID : recordID + Self.ending }
}

extension ConsentRecord {
  /// The record with only those signatures that are on a copy.
  func signed(on copy: StoredCopy) -> ConsentRecord {
    guard !copy.signatureIDs.isEmpty else { return self }
    var record = self
    record.signatures.removeAll { !copy.signatureIDs.contains($0.signatureID) }
    return record
  }

  /// How many signatures and corrections of their names there are: what is on a file is only ever added to.
  var nameCount: Int { signatures.reduce(signatures.count) { $0 + $1.corrections.count } }
}
