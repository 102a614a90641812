internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Documents, their versions, and assets.
enum DocumentStore: VersionStore {
  typealias Thing = ConsentDocument
  typealias Version = DocumentVersion

  static let tables = VersionTables(
    "document", further: ["reconsent", "reconsent_by_ms", "texts", "purposes", "pending"])

  private static let versionTexts = Statement(
    "document.version.texts",
    "SELECT texts FROM document_versions WHERE tenant = {tenant} AND document_id = ? AND version = ?")
  private static let pending = Statement(
    "document.version.pending",
    "SELECT pending FROM document_versions WHERE tenant = {tenant} AND document_id = ? AND version = ?")
  private static let versions = Statement(
    "document.version.list",
    "SELECT version, LENGTH(body) AS size FROM document_versions "
      + "WHERE tenant = {tenant} AND document_id = ? AND {before version} "
      + "ORDER BY version DESC LIMIT {limit}")
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

  static let statements =
    tables.statements + [versionTexts, pending, versions, laterVersions, putAsset, findAsset, hasAsset]

  static func write(_ version: DocumentVersion, _ body: [UInt8], _ transaction: Transaction) throws {
    let settings = version.content?.settings ?? DocumentSettings()
    try transaction.run(
      tables.putVersion, version.documentID, Int64(version.version), Int64(version.state.number), version.versionHash,
      body, Int64(settings.reconsent.number), settings.reconsentBy.orEpoch, Int64(version.content?.texts.count ?? 0),
      StudyPurposes.column(settings.purposeCodes(documentID: version.documentID)),
      Int64(version.pendingTranslations.count))
  }

  static func owner(of version: DocumentVersion) -> String { version.documentID }

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

  static func pendingApprovals(of document: ConsentDocument, _ snapshot: Snapshot) throws -> [PendingApproval] {
    let translations = try [document.draftVersion, document.publishedVersion].filter { $0 != 0 }.flatMap {
      (number) -> [PendingApproval] in
      // The version, which may have megabytes, is read only if something waits.
      guard let row = try snapshot.first(pending, document.documentID, Int64(number)),
        try row.get("pending", as: Int64.self) > 0
      else { return [] }
      return try existing(document.documentID, number, snapshot).pendingTranslations.map { translation in
        PendingApproval(version: number, locale: translation.text?.locale ?? "", askedBy: translation.askedBy)
      }
    }
    return try pendingDraft(of: document, snapshot) + translations
  }

  /// In how many languages a version is. A published version changes in nothing else that a session shows.
  static func languages(of version: FlowDocument, _ snapshot: Snapshot) throws -> Int64 {
    try snapshot.one(versionTexts, version.documentID, Int64(version.version)).get("texts")
  }

  /// The demands for a new consent that later versions of the documents make of those who gave these consents.
  static func demands(on records: [ConsentRecord], _ snapshot: Snapshot) throws -> [ReconsentDemand] {
    try lowestVersions(of: records).flatMap { try demands(of: $0.key, above: $0.value, snapshot) }
  }

  /// A record, and when later versions of its document end it.
  static func standing(_ record: ConsentRecord, _ snapshot: Snapshot) throws -> StandingRecord {
    let demands = try demands(on: [record], snapshot)
    return StandingRecord(record, reconsentBy: ConsentCheck.reconsentDeadline(of: record, demands))
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
    let newest = max(found.last ?? Int64(number), Int64(try named(documentID, snapshot).publishedVersion))
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

extension ConsentDocument: Versioned {
  typealias Store = DocumentStore

  static var eventID: WritableKeyPath<ConsentEvent, String> { \.documentID }
  var id: String { documentID }

  func version(_ number: Int32) -> DocumentVersion {
    DocumentVersion(documentID: documentID, version: number, state: .draft)
  }
}

extension DocumentVersion: NumberedVersion {}

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
