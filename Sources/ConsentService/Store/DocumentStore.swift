internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Documents, their versions, and assets.
enum DocumentStore {
  private static let put = Statement(
    "document.put",
    "INSERT INTO documents (tenant, id, study_id, body) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, id) DO UPDATE SET body = excluded.body")
  private static let find = Statement("document.find", "SELECT body FROM documents WHERE tenant = {tenant} AND id = ?")
  private static let list = Statement(
    "document.list",
    "SELECT id, body FROM documents WHERE tenant = {tenant} AND study_id = ? AND {after id} ORDER BY id LIMIT {limit}")
  private static let putVersion = Statement(
    "document.version.put",
    "INSERT INTO document_versions (tenant, document_id, version, state, reconsent, reconsent_by_ms, texts, "
      + "version_hash, body) VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, document_id, version) DO UPDATE SET "
      + "state = excluded.state, reconsent = excluded.reconsent, reconsent_by_ms = excluded.reconsent_by_ms, "
      + "texts = excluded.texts, version_hash = excluded.version_hash, body = excluded.body")
  private static let findVersion = Statement(
    "document.version.find",
    "SELECT body FROM document_versions WHERE tenant = {tenant} AND document_id = ? AND version = ?")
  private static let versionState = Statement(
    "document.version.state",
    "SELECT state FROM document_versions WHERE tenant = {tenant} AND document_id = ? AND version = ?")
  private static let versionTexts = Statement(
    "document.version.texts",
    "SELECT texts FROM document_versions WHERE tenant = {tenant} AND document_id = ? AND version = ?")
  private static let versions = Statement(
    "document.version.list",
    "SELECT version, LENGTH(body) AS size FROM document_versions "
      + "WHERE tenant = {tenant} AND document_id = ? AND {before version} "
      + "ORDER BY version DESC LIMIT {limit}")
  private static let newestKept = Statement(
    "document.version.newest-kept",
    "SELECT version FROM document_versions WHERE tenant = {tenant} AND document_id = ? AND state <> 6 "
      + "ORDER BY version DESC LIMIT 1")
  private static let newestShown = Statement(
    "document.version.newest-shown",
    "SELECT version FROM document_versions WHERE tenant = {tenant} AND document_id = ? "
      + "AND state IN (\(VersionState.everPublishedNumbers)) ORDER BY version DESC LIMIT 1")
  private static let laterVersions = Statement(
    "document.version.demands",
    "SELECT version, state, reconsent, reconsent_by_ms FROM document_versions "
      + "WHERE tenant = {tenant} AND document_id = ? AND version > ? ORDER BY version")
  private static let putAsset = Statement(
    "asset.put",
    "INSERT INTO assets (tenant, hash, kind, data) VALUES ({tenant}, ?, ?, ?) ON CONFLICT (tenant, hash) DO NOTHING")
  private static let findAsset = Statement(
    "asset.find", "SELECT kind, data FROM assets WHERE tenant = {tenant} AND hash = ?")
  private static let hasAsset = Statement("asset.has", "SELECT hash FROM assets WHERE tenant = {tenant} AND hash = ?")

  static let statements = [
    put, find, list, putVersion, findVersion, versionState, versionTexts, versions, laterVersions, putAsset, findAsset,
    hasAsset, newestKept, newestShown,
  ]

  static func save(_ document: ConsentDocument, _ transaction: Transaction) throws {
    try transaction.run(put, document.documentID, document.studyID, try document.encoded())
  }

  static func find(_ id: String, _ snapshot: Snapshot) throws -> ConsentDocument? {
    try snapshot.first(find, id)?.message("body")
  }

  static func document(_ id: String, _ snapshot: Snapshot) throws -> ConsentDocument {
    guard let document = try find(id, snapshot) else { throw Refusal.notFound("document", id) }
    return document
  }

  static func list(
    _ studyID: String, _ page: PageRequest, _ snapshot: Snapshot
  ) throws -> ([ConsentDocument], String) {
    let page = try snapshot.page(list, studyID, at: page)
    return (try page.rows.map { try $0.message("body") }, page.nextToken)
  }

  static func save(_ version: DocumentVersion, _ transaction: Transaction) throws {
    try write(version, try version.encoded(), transaction)
  }

  /// Saves a version that an author wrote, unless it is larger than authors may make it. The limit leaves room for what
  /// is added to the version later, such as approvals.
  static func save(written version: DocumentVersion, _ transaction: Transaction) throws {
    let bytes = try LastingMessage.encode(version, as: "version \(version.version) of '\(version.documentID)'")
    try write(version, bytes, transaction)
  }

  private static func write(_ version: DocumentVersion, _ body: [UInt8], _ transaction: Transaction) throws {
    let settings = version.content?.settings ?? DocumentSettings()
    try transaction.run(
      putVersion, version.documentID, Int64(version.version), Int64(version.state.number),
      Int64(settings.reconsent.number), settings.reconsentBy.orEpoch,
      Int64(version.content?.texts.count ?? 0), version.versionHash, body)
  }

  /// A version that must exist.
  static func existing(_ documentID: String, _ number: Int32, _ snapshot: Snapshot) throws -> DocumentVersion {
    try snapshot.one(findVersion, documentID, Int64(number)).message("body")
  }

  private static func notFound(_ number: Int32, of documentID: String) -> Refusal {
    .notFound("version", "\(documentID) version \(number)", field: "version")
  }

  static func find(_ number: Int32, of document: ConsentDocument, _ snapshot: Snapshot) throws -> DocumentVersion? {
    try snapshot.first(findVersion, document.documentID, Int64(number))?.message("body")
  }

  /// The version that a call names by its number; refused if there is none.
  static func version(_ number: Int32, of document: ConsentDocument, _ snapshot: Snapshot) throws -> DocumentVersion {
    guard let version = try find(number, of: document, snapshot) else {
      throw notFound(number, of: document.documentID)
    }
    return version
  }

  /// How many bytes of versions a page reads at most: a version may have megabytes. A single larger version is a page.
  private static let mostBytesRead: Int64 = 64 << 20

  /// Summaries of a document's versions, the newest first, without discarded drafts. Only one version at a time is in
  /// memory.
  static func versions<Summary>(
    of document: ConsentDocument, _ page: PageRequest, _ snapshot: Snapshot,
    summary: (DocumentVersion) throws -> Summary
  ) throws -> ([Summary], String) {
    let page = try snapshot.page(versions, document.documentID, at: page)
    var found: [Summary] = []
    var bytes: Int64 = 0
    for (place, row) in page.rows.enumerated() {
      bytes = bytes.addingSaturating(try row.get("size"))
      if place > 0, bytes > mostBytesRead {
        return (found, try PageCursor(of: page.rows[place - 1], for: versions).text)
      }
      let number = Int32(truncatingIfNeeded: try row.get("version", as: Int64.self))
      let version = try existing(document.documentID, number, snapshot)
      if version.state != .discarded { found.append(try summary(version)) }
    }
    return (found, page.nextToken)
  }

  /// The newest version that is not a discarded draft; 0 when there is none.
  static func newestKept(of documentID: String, _ snapshot: Snapshot) throws -> Int32 {
    guard let row = try snapshot.first(newestKept, documentID) else { return 0 }
    return Int32(truncatingIfNeeded: try row.get("version", as: Int64.self))
  }

  /// The version with this number; for 0 the published one, else the draft, else the newest that was not discarded.
  static func version(
    orNewest number: Int32, of document: ConsentDocument, _ snapshot: Snapshot
  ) throws -> DocumentVersion {
    var newest = document.publishedVersion != 0 ? document.publishedVersion : document.draftVersion
    if newest == 0 { newest = try newestKept(of: document.documentID, snapshot) }
    return try version(number == 0 ? newest : number, of: document, snapshot)
  }

  /// The version with this number, refused if it never was published; for 0 the published one, else the newest that
  /// ever was, and nil if none was.
  static func shownVersion(
    _ number: Int32, of document: ConsentDocument, _ snapshot: Snapshot
  ) throws -> DocumentVersion? {
    var number = number == 0 ? document.publishedVersion : number
    if number == 0 {
      guard let row = try snapshot.first(newestShown, document.documentID) else { return nil }
      number = Int32(truncatingIfNeeded: try row.get("version", as: Int64.self))
    }
    var version = try version(number, of: document, snapshot)
    guard version.state.wasPublished else { throw notFound(number, of: document.documentID) }
    // Nobody has approved them yet.
    version.pendingTranslations = []
    return version
  }

  /// The state of a version, which may have megabytes and is not read for this; `.unspecified` for one that does not
  /// exist.
  static func state(of version: FlowDocument, _ snapshot: Snapshot) throws -> VersionState {
    try VersionState(in: snapshot.first(versionState, version.documentID, Int64(version.version)))
  }

  /// In how many languages a version is. A published version changes in nothing else that a session shows.
  static func languages(of version: FlowDocument, _ snapshot: Snapshot) throws -> Int64 {
    try snapshot.one(versionTexts, version.documentID, Int64(version.version)).get("texts")
  }

  /// The number of the document's next version, which no version of it ever had.
  static func newNumber(of documentID: String, _ transaction: Transaction) throws -> Int32 {
    Int32(clamping: try transaction.add(toList: "document_versions/\(documentID)"))
  }

  /// The demands for a new consent that later versions of the documents make of those who gave these consents.
  static func demands(on records: [ConsentRecord], _ snapshot: Snapshot) throws -> [ReconsentDemand] {
    try lowestVersions(of: records).flatMap { try demands(of: $0.key, above: $0.value, snapshot) }
  }

  /// The lowest version of each document among these consents.
  static func lowestVersions(of records: [ConsentRecord]) -> [String: Int32] {
    let consents = records.filter { !$0.documentID.isEmpty }.map { ($0.documentID, $0.documentVersion) }
    return Dictionary(consents, uniquingKeysWith: min)
  }

  /// What the versions of a document above a number demand of earlier consents.
  static func demands(
    of documentID: String, above number: Int32, _ snapshot: Snapshot
  ) throws -> [ReconsentDemand] {
    try snapshot.all(laterVersions, documentID, Int64(number)).compactMap { try ReconsentDemand($0, of: documentID) }
  }

  /// The numbers of a document's versions above a number. Versions are numbered without gaps: throws if one is missing.
  static func numbers(of documentID: String, above number: Int32, _ snapshot: Snapshot) throws -> [Int64] {
    let found = try snapshot.all(laterVersions, documentID, Int64(number)).map { try $0.get("version", as: Int64.self) }
    let newest = max(found.last ?? Int64(number), Int64(try document(documentID, snapshot).publishedVersion))
    guard newest == Int64(number) + Int64(found.count) else {
      throw DatabaseError(.corrupt, "a version of document '\(documentID)' is gone: it was removed")
    }
    return found
  }

  static func saveAsset(_ asset: ConsentAsset, _ transaction: Transaction) throws {
    try transaction.run(putAsset, asset.hash, Int64(asset.kind.number), asset.data)
  }

  static func asset(_ hash: String, _ snapshot: Snapshot) throws -> ConsentAsset {
    guard let row = try snapshot.first(findAsset, hash) else { throw Refusal.notFound("asset", hash, field: "hash") }
    let kind = AssetKind(number: Int32(truncatingIfNeeded: try row.get("kind", as: Int64.self)))
    let data: [UInt8] = try row.get("data")
    guard Digest(of: data).hex == hash else {
      throw DatabaseError(.corrupt, "asset '\(hash)' is something else: it was altered")
    }
    return ConsentAsset(hash: hash, kind: kind, data: data)
  }

  /// The assets that content names and that are stored.
  static func knownAssets(in content: DocumentContent, _ snapshot: Snapshot) throws -> Set<String> {
    try stored(content.assetNames, snapshot)
  }

  static func knownAssets(in definition: FlowDefinition, _ snapshot: Snapshot) throws -> Set<String> {
    try stored(definition.assetNames, snapshot)
  }

  /// Those of the names under which assets are stored. Empty if there are more names than authors may use, which
  /// validation reports as a problem of its own.
  private static func stored(_ names: Set<String>, _ snapshot: Snapshot) throws -> Set<String> {
    guard names.count <= 2 * AuthoringBounds.mostImages else { return [] }
    return try names.filter { try snapshot.first(hasAsset, $0) != nil }
  }
}

extension ReconsentDemand {
  /// The states in which a version demands something: a draft or a stopped version does not.
  private static let demanding: [VersionState] = [.published, .retired]
  /// The same as a list of numbers for SQL.
  static let demandingStates = demanding.map { String($0.number) }.joined(separator: ", ")

  /// nil for a version that is a draft, was stopped, or demands nothing.
  fileprivate init?(_ row: Row, of documentID: String) throws {
    func number(_ column: String) throws -> Int32 { Int32(truncatingIfNeeded: try row.get(column, as: Int64.self)) }
    let (state, policy) = (
      VersionState(number: try number("state")), ReconsentPolicy(number: try number("reconsent"))
    )
    guard Self.demanding.contains(state), [.notify, .byDate].contains(policy) else { return nil }
    self.init(
      documentID: documentID, version: try number("version"), policy: policy,
      by: policy == .byDate ? Instant(millisecondsSince1970: try row.get("reconsent_by_ms")) : nil)
  }
}
