internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

/// The purposes for which the documents and forms of a study ask, in versions that are or were published.
struct StudyPurposes: Sendable {
  /// Who asks for each: documents by their identifiers, and flows with forms.
  private(set) var askers: [String: Set<Asker>] = [:]

  enum Asker: Hashable, Sendable {
    case document(String)
    case flow(String)
  }

  // LEFT, so that SQLite begins with what the study has.
  private static let ofDocuments = Statement(
    "purposes.documents",
    """
    SELECT d.id AS id, v.purposes AS purposes FROM documents AS d
    LEFT JOIN document_versions AS v ON v.tenant = {tenant} AND v.document_id = d.id
      AND v.state IN (\(VersionState.everPublishedNumbers))
    WHERE d.tenant = {tenant} AND d.study_id = ?
    """)
  private static let ofFlows = Statement(
    "purposes.flows",
    """
    SELECT f.id AS id, v.purposes AS purposes FROM flows AS f
    LEFT JOIN flow_versions AS v ON v.tenant = {tenant} AND v.flow_id = f.id
      AND v.state IN (\(VersionState.everPublishedNumbers))
    WHERE f.tenant = {tenant} AND f.study_id = ?
    """)

  static let statements = [ofDocuments, ofFlows]

  /// Purposes as a column holds them. They have no spaces in a version that was published.
  static func column(_ purposes: [String]) -> String { purposes.joined(separator: " ") }

  init(of studyID: String, _ snapshot: Snapshot) throws {
    for row in try snapshot.all(Self.ofDocuments, studyID) { try add(row) { .document($0) } }
    for row in try snapshot.all(Self.ofFlows, studyID) { try add(row) { .flow($0) } }
  }

  private mutating func add(_ row: Row, _ asker: (String) -> Asker) throws {
    for purpose in try row.get("purposes", as: String?.self)?.split(separator: " ") ?? [] {
      askers[String(purpose), default: []].insert(asker(try row.get("id")))
    }
  }

  /// The documents that ask for each purpose, in words.
  var documents: [String: String] {
    words { if case .document(let id) = $0 { "document '\(id)'" } else { nil } }
  }

  /// The documents and flows that ask for each purpose besides a document, in words.
  func askers(besides documentID: String) -> [String: String] {
    words { asker in
      switch asker {
      case .document(documentID): nil
      case .document(let id): "document '\(id)'"
      case .flow(let id): "a form of flow '\(id)'"
      }
    }
  }

  private func words(_ name: (Asker) -> String?) -> [String: String] {
    askers.compactMapValues { all in
      let names = all.compactMap(name).sorted()
      return names.isEmpty ? nil : names.joined(separator: ", ")
    }
  }
}
