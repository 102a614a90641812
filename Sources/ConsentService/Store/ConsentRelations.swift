internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

/// The relations of a caller to a person, as this service has them on record.
struct ConsentRelations: Relations {
  let snapshot: Snapshot

  private static let devices = Statement(
    "relation.devices",
    "SELECT DISTINCT holder FROM sessions WHERE tenant = {tenant} AND subject_id = ? AND study_id = ? "
      + "AND holder <> ''")
  private static let sessionPlaces = Statement(
    "relation.sessions",
    "SELECT DISTINCT study_id, site_id FROM sessions WHERE tenant = {tenant} AND subject_id = ?")
  // Grouped by the study first, SQLite would follow an index that begins with the study, to all records.
  private static let recordPlaces = Statement(
    "relation.records",
    "SELECT study_id, site_id FROM records WHERE tenant = {tenant} AND subject_id = ? GROUP BY site_id, study_id")

  static let statements = [devices, sessionPlaces, recordPlaces]

  func accounts(mergedInto person: String) throws -> [String] { try MergedAccounts.ended(into: person, snapshot) }

  /// The guardians of a person, whichever of the person's identifiers they are on record for.
  func guardians(of subject: String, in study: String) throws -> Set<String> {
    let known = try MergedAccounts.names(of: subject, snapshot).flatMap { name in
      try GuardianStore.guardians(of: name, in: study, snapshot)
    }
    guard known.contains(where: { $0.authority == .parent }) else { return Set(known.map(\.guardianID)) }
    let age = try age(of: subject)
    return Set(known.filter { GuardianRules.stands($0, wardsAge: age) }.map(\.guardianID))
  }

  /// A subject's age by the birth date on record; nil if there is none.
  private func age(of subject: String) throws -> Int? {
    let birth = try BirthDateStore.stated(ofPerson: subject, snapshot)?.checked
    return birth.map { Age.years(from: $0, on: CalendarDay(of: snapshot.now)) }
  }

  func devices(of subject: String, in study: String) throws -> Set<String> {
    try names("holder", in: Self.devices, subject, study)
  }

  /// The names that a column has in the person's sessions in a study, each once.
  private func names(
    _ column: String, in statement: Statement, _ subject: String, _ study: String
  ) throws -> Set<String> {
    Set(try snapshot.all(statement, subject, study).map { try $0.get(column, as: String.self) })
  }

  func places(of participant: String) throws -> Set<StudyPlace> {
    let rows = try snapshot.all(Self.sessionPlaces, participant) + snapshot.all(Self.recordPlaces, participant)
    return Set(try rows.map { StudyPlace(study: try $0.get("study_id"), site: try $0.get("site_id")) })
  }

  /// The sites of studies where a person takes part under any of their identifiers.
  func places(ofPerson subject: String) throws -> Set<StudyPlace> {
    var places: Set<StudyPlace> = []
    for name in try MergedAccounts.names(of: subject, snapshot) { places.formUnion(try self.places(of: name)) }
    return places
  }

  /// Whether a device holds a session of the person in a study, under any of the person's identifiers.
  func isHeld(_ subject: String, in study: String, at device: String) throws -> Bool {
    try MergedAccounts.names(of: subject, snapshot).contains { try devices(of: $0, in: study).contains(device) }
  }

  func places(ofWardsOf guardian: String) throws -> Set<StudyPlace> {
    var places: Set<StudyPlace> = []
    for ward in try GuardianStore.wards(of: guardian, snapshot) {
      let study = ward.studyID
      guard try guardians(of: ward.subjectID, in: study).contains(guardian) else { continue }
      let known = try self.places(ofPerson: ward.subjectID).filter { $0.study == study }
      places.formUnion(known.isEmpty ? [StudyPlace(study: study, site: "")] : known)
    }
    return places
  }

  /// The data that a call about a person in a study touches: at each site where the person takes part there, or at
  /// `site` if nothing is on record of them in the study.
  func accessTargets(_ subject: String, in study: String, site: String = "") throws -> [AccessTarget] {
    let places = try places(ofPerson: subject).filter { $0.study == study }
    guard !places.isEmpty else { return [.person(subject, in: study, site: site)] }
    return places.map { .person(subject, in: study, site: $0.site) }
  }

  /// The data that a call touches by which staff make a person take part at a site: that site, and those of the study
  /// where the person takes part already.
  func joining(_ subject: String, _ study: String, at site: String) throws -> [AccessTarget] {
    let place = AccessTarget.person(subject, in: study, site: site)
    return subject.isEmpty ? [place] : try [place] + accessTargets(subject, in: study, site: site)
  }
}
