internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// What the database has for an answer about a person's consent in a study.
struct ConsentBasis: Sendable {
  /// The records in the study under all of the person's identifiers, in the order in which they were decided.
  private(set) var records: [StandingRecord] = []
  /// Those that count: a consent under an identifier that was erased permits nothing.
  private(set) var counting: [StandingRecord] = []
  /// Whether all of the person's identifiers were erased: then nothing is permitted, whatever the records say.
  private(set) var isErased = false

  /// The identifiers, with the records under each; whether there are several; and when later versions end the records.
  /// A version by whose date earlier consents end counts while it is published or retired.
  private static let find = ListStatement(
    "basis.find",
    """
    SELECT listed.value AS name, r.id, r.subject_id, r.body,
      (SELECT MIN(v.reconsent_by_ms) FROM document_versions AS v
        WHERE v.tenant = {tenant} AND v.document_id = r.document_id AND v.version > r.document_version
          AND v.reconsent = \(ReconsentPolicy.byDate.number) AND v.state IN (\(ReconsentDemand.demandingStates))
      ) AS reconsent_by_ms,
      (SELECT COUNT(*) FROM merged_accounts AS m WHERE m.tenant = {tenant} AND m.ended = listed.value)
        + (SELECT COUNT(*) FROM merged_accounts AS m WHERE m.tenant = {tenant} AND m.staying = listed.value) AS merges
    FROM {list} AS listed
    LEFT JOIN records AS r ON r.tenant = {tenant} AND r.subject_id = listed.value AND r.study_id = ?
    ORDER BY r.decided_ms, r.id
    """)

  static let statements = find.statements

  private init() {}

  /// What there is about each of the people, in their order. It takes two statements, however many people there are,
  /// and a few more if some have several identifiers.
  ///
  /// - Parameter isProof: whether the answer is signed, so that what it is made of is verified first, with its
  ///   histories.
  static func of(
    _ people: [String], in study: String, isProof: Bool = false, _ snapshot: Snapshot
  ) throws -> [ConsentBasis] {
    // Nothing is stored under a text that cannot name a person.
    let asked = Set(people.filter(\.isIdentifier))
    var rows = try snapshot.all(find, about: asked.sorted(), study)
    let merged = try Set(rows.filter { try $0.get("merges", as: Int64.self) > 0 }.map { try $0.get("name") as String })
    let names = try MergedAccounts.names(of: merged, snapshot)
    let others = names.values.reduce(into: Set()) { $0.formUnion($1) }.subtracting(asked)
    rows += try snapshot.all(find, about: others.sorted(), study)
    let erased = try snapshot.vault.erased(among: asked.union(others))
    let records = try rows.filter { try $0.get("id", as: String?.self) != nil }.map { row in
      StandingRecord(try RecordStore.head(row), reconsentBy: try row.get("reconsent_by_ms"))
    }
    if isProof {
      let whole = try records.map { try RecordStore.record($0.record.recordID, snapshot) }
      try RecordStore.verify(whole, withLaterVersions: true, snapshot)
    }
    let byName = Dictionary(grouping: records, by: \.record.subjectID)
    return people.map { person in
      var basis = ConsentBasis()
      guard asked.contains(person) else { return basis }
      let names = names[person] ?? [person]
      basis.records = names.flatMap { byName[$0] ?? [] }
      if names.count > 1 { basis.records.sort { $0.isEarlier(than: $1) } }
      basis.counting = basis.records.filter { !erased.contains($0.record.subjectID) }
      basis.isErased = names.isSubset(of: erased)
      return basis
    }
  }
}
