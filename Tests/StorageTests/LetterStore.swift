import Base
import Storage
import StorageTestKit

/// A service whose state counts: letters that are given and withdrawn, and stamps that are never changed.
enum LetterStore {
  static let migrations = [
    Migration(
      1, "letters",
      """
      CREATE TABLE letters (
        tenant TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, body TEXT, picture BYTES, weight DOUBLE PRECISION,
        seen_ms BIGINT, PRIMARY KEY (tenant, id));
      CREATE TABLE stamps (
        tenant TEXT NOT NULL, letter TEXT NOT NULL, number BIGINT NOT NULL, hash BYTES NOT NULL,
        PRIMARY KEY (tenant, letter, number)) {clustered};
      {append-only} stamps;
      """)
  ]

  static let insert = Statement(
    "letter.insert",
    "INSERT INTO letters (tenant, id, state, body, picture, weight) VALUES ({tenant}, ?, 'given', ?, ?, ?) "
      + "ON CONFLICT (tenant, id) DO UPDATE SET body = excluded.body")
  static let setState = Statement(
    "letter.set-state", "UPDATE letters SET state = ?, seen_ms = 0 WHERE tenant = {tenant} AND id = ?")
  static let see = Statement("letter.see", "UPDATE letters SET seen_ms = ? WHERE tenant = {tenant} AND id = ?")
  static let remove = Statement("letter.remove", "DELETE FROM letters WHERE tenant = {tenant} AND id = ?")
  static let stamp = Statement(
    "letter.stamp", "INSERT INTO stamps (tenant, letter, number, hash) VALUES ({tenant}, ?, ?, ?) RETURNING number")

  static let statements = [insert, setState, see, remove, stamp]

  static let coverage = [
    TableCoverage(
      "letters", key: ["id"], by: "letter", committed: ["state", "body", "picture", "weight"],
      exempt: ["seen_ms": "tells when it was last shown; nothing is decided by it"]),
    TableCoverage("stamps", key: ["letter", "number"], committed: ["hash"]),
  ]

  static let schema = Schema(name: "letters", migrations: migrations, statements: statements, coverage: coverage)

  static func open(_ engine: TestEngine) async throws -> TestDatabase { try await engine.makeDatabase(schema) }
}

/// Letters of two tenants, signed in three steps, with people in the vault, one of whom was erased.
struct LetterCase {
  let test: TestDatabase
  let signer: EvidenceSigner
  let headPath: String
  /// Identifiers of what was committed to: of the subject who is there, and of the one who was erased.
  let commitments: [String]
  static let document = Array("the letter as it was shown".utf8)

  /// - Parameter afterFirstHead: hears of the database as it is when the first heads have been signed.
  static func make(
    _ engine: TestEngine, key: EvidenceKey = .example(), withdraws: Bool = true,
    afterFirstHead: (TestDatabase) async throws -> Void = { _ in }
  ) async throws -> LetterCase {
    let test = try await LetterStore.open(engine)
    let headPath = test.folder.file("heads")
    let signer = EvidenceSigner(
      test.database, key: key, installation: "test", file: try HeadFile(headPath))
    var commitments: [String] = []
    for tenant in ["b", "a"] {
      let scope = test.database.scope(.named(tenant))
      commitments = try await scope.write { try fill($0) }
    }
    try await signer.signAll()
    try await afterFirstHead(test)
    let scope = test.database.scope(.named("a"))
    try await scope.write { transaction in
      try transaction.run(LetterStore.setState, withdraws ? "withdrawn" : "given", "l-3")
      transaction.append("letter", Array(withdraws ? "withdrawn".utf8 : "confirmed".utf8), to: "l-3")
      try transaction.run(LetterStore.remove, "l-6")
    }
    try await signer.signAll()
    try await scope.write { try $0.vault.erase(.named("s-2"), by: "admin", reason: "request") }
    for index in 0..<5 { try await scope.write { $0.append("more", [UInt8(index)], to: "more") } }
    try await signer.signAll()
    return LetterCase(test: test, signer: signer, headPath: headPath, commitments: commitments)
  }

  private static func fill(_ transaction: Transaction) throws -> [String] {
    for index in 1...6 {
      let id = "l-\(index)"
      try transaction.run(LetterStore.insert, id, "body \(index)", [UInt8(index)], Double(index) / 4)
      _ = try transaction.one(LetterStore.stamp, id, 1, [UInt8(index), 7])
      transaction.append("letter", Array("\(id) ".utf8) + Digest(of: document).bytes, to: id)
    }
    try transaction.run(LetterStore.see, 5, "l-1")
    try transaction.vault.setPolicy("study", keep: .seconds(86_400), by: "admin")
    var commitments: [String] = []
    for name in ["s-1", "s-2"] {
      let subject = Subject.named(name)
      try transaction.vault.put(Array("name of \(name)".utf8), as: "name", of: subject)
      try transaction.vault.put(Array("note on \(name)".utf8), as: "note", of: subject)
      commitments.append(try transaction.vault.commit(to: Array(name.utf8), as: "choice", of: subject).id)
      try transaction.vault.retain(subject, under: "study")
    }
    try transaction.vault.placeHold(on: .named("s-1"), by: "counsel", reason: "a dispute")
    return commitments
  }

  /// Everything that a record's evidence has, with the first head as one that somebody kept.
  func bundle() async throws -> String {
    let first = try SignedCheckpoint.list(String(decoding: try Files.read(headPath), as: UTF8.self))
      .first { $0.checkpoint.origin.hasSuffix("/a") }
    var selection = EvidenceSelection()
    selection.streams = ["l-1"]
    selection.events = [2, 3]
    selection.rows = [("letters", [.text("l-3")]), ("stamps", [.text("l-1"), .integer(1)])]
    selection.commitments = commitments
    selection.contents = [("shown", Self.document)]
    selection.earlier = first.map { [$0] } ?? []
    let log = try await signer.evidence(of: .named("a"), selection)
    return try EvidenceBundle(about: [("record", "l-1")], logs: [log]).json
  }
}
